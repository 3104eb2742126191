import HTTP
import Server
import System

public struct Service: Sendable {
  /// Name of the suite, which also names variables, settings and the backend.
  public let suite: String
  public let address: String
  /// Default address if a credential is set: for a service that is local until the user has an account.
  public let live: String
  public let limit: RateLimit?
  /// Option for the requests per minute, if that depends on the user's plan.
  public let rate: Option<Int?>?
  public let credential: Credential?
  /// Why the default is the live service or the embedded backend, for `hw help services`.
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

  /// Option that names the file with the token of a user of 'hw serve', in every suite.
  public static let tokenFile = Option(
    "token-file", ValueKind<String>.inputFile, "Read the access token from FILE; '-' is standard input")

  public static let token = "token"

  /// Variable of the secret: `HW_NBA_KEY`.
  public var variable: String { OptionDeclaration.variable(for: secretKey) }

  /// Key of the secret in the configuration: `nba.key`.
  var secretKey: String { "\(suite).\(credential?.setting ?? Service.token)" }

  /// Variable of the token of a user of 'hw serve': `HW_NBA_TOKEN`.
  var tokenVariable: String { OptionDeclaration.variable(for: tokenKey) }

  /// Key of the token in the configuration file: `nba.token`.
  var tokenKey: String { "\(suite).\(Service.token)" }
}

/// Secret that a service requires. It comes from a variable, the configuration or a file, never from an argument.
public struct Credential: Sendable {
  public let header: String
  /// Name of the setting: `key` is `HW_NBA_KEY` and `nba.key`.
  public let setting: String
  /// Other usual variables of the secret.
  public let variables: [String]
  public let file: Option<String?>
  /// Advice if the live service requires the secret and it is not set; nil if it is optional.
  public let hint: String?
  /// Secret for an embedded backend that requires one, if the user has set none.
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

/// Translation of a feed (`--url gbfs:URL`): a backend in the process that reads another operator's feed.
public struct FeedTranslation: Sendable {
  let checks: @Sendable () -> [Check]
  /// Seconds until the file in the response changes; nil if the response does not contain this time.
  let lifetime: @Sendable (Response, Timestamp) -> Int64?
  let backend: @Sendable (FeedSource) -> any Backend
  /// Header field that carries a message about the feed in a recorded response.
  public static let warning = "X-Feed-Warning"

  public init(
    checks: @autoclosure @escaping @Sendable () -> [Check],
    lifetime: @escaping @Sendable (Response, Timestamp) -> Int64?,
    backend: @escaping @Sendable (FeedSource) -> any Backend
  ) {
    self.checks = checks
    self.lifetime = lifetime
    self.backend = backend
  }
}
