import HTTP
import System

/// A service, declared once: its name, address, rate limit and credential.
public struct Service: Sendable {
  /// The suite's name, which variables, settings and the backend go by.
  public let suite: String
  /// The default address.
  public let address: String
  /// The default address if a credential is set: for a service that is local until the user has an account.
  public let live: String
  public let limit: RateLimit?
  /// The option for the number of requests per minute, if that depends on the user's plan.
  public let rate: Option<Int?>?
  public let credential: Credential?
  /// Why the default address is the live service or the embedded backend, for `hw help services`.
  public let reason: String

  public init(
    _ suite: String, address: String, live: String? = nil, limit: RateLimit? = nil,
    rate: Option<Int?>? = nil, credential: Credential? = nil, reason: String
  ) {
    self.suite = suite
    self.reason = reason
    self.address = address
    self.live = live ?? address
    self.limit = limit
    self.rate = rate
    self.credential = credential
  }

  /// The option that names the file with the token of a user of 'hw serve', in every suite.
  public static let tokenFile = Option(
    "token-file", ValueKind<String>.inputFile, "Read the access token from FILE; '-' is standard input")

  /// The setting of that token.
  public static let token = "token"
}

/// The secret that a service requires. It comes from a variable, the configuration or a file, never from an argument.
public struct Credential: Sendable {
  /// The header field that carries it, raw.
  public let header: String
  /// The setting's name: `key` is `HW_NBA_KEY` and `nba.key`.
  public let setting: String
  /// Other variables that people have it in already.
  public let variables: [String]
  /// The option that names a file to read it from.
  public let file: Option<String?>
  /// Whether the live service may be asked without it, and what to do about it if not.
  public let hint: String?
  /// The value for a backend in the process if none is set, for a service that requires one.
  public let embedded: String?

  public init(
    header: String, setting: String, variables: [String] = [], file: Option<String?>, hint: String? = nil,
    embedded: String? = nil
  ) {
    self.header = header
    self.setting = setting
    self.variables = variables
    self.file = file
    self.hint = hint
    self.embedded = embedded
  }
}

extension Context {
  /// The first line of a file that holds a secret; `-` is standard input. `name` is what a message calls it.
  public func secret(in file: String, called name: String) throws(Failure) -> String {
    var lines = LineReader(try open(file), name: file)
    while let line = try lines.nextText() {
      guard !line.isEmpty else { continue }
      while let rest = try lines.nextText() {
        guard rest.isEmpty else { throw Failure(.usage, "'\(file)' contains more than one line") }
      }
      return line
    }
    throw Failure(.usage, "'\(file)' contains no \(name)")
  }
}
