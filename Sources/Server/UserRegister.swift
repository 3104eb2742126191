import HTTP
import System

/// The users of a server (`--users FILE`), one `name:token` per line. Only the hash of a token is stored, so a line
/// may also be `name:sha256=HEX`, which is the recommended form for a file.
public struct UserRegister: Sendable {
  private let names: [String: String]

  private static let format = FileFormat("users")

  /// Parses the lines; empty ones and those that begin with `#` are ignored. `source` names the file in messages.
  public init(_ text: String, from source: String) throws(Failure) {
    try UserRegister.format.check(headerOf: Array(text.utf8), in: source)
    var names: [String: String] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      guard let (name, hash) = UserRegister.entry(line) else {
        throw Failure(
          .usage, "'\(source)', line \(index + 1): expected name:token",
          hint: "'hw serve user add' writes such lines; a name has letters, digits, '-', '_' and '.'")
      }
      guard names[hash] == nil, !names.values.contains(name) else {
        throw Failure(.usage, "'\(source)', line \(index + 1): '\(name)' or its token is there twice")
      }
      names[hash] = name
    }
    self.names = names
  }

  /// The user of a token; nil for an unknown token. The hash is looked up, so the time reveals nothing about the
  /// token.
  public func name(of token: String) -> String? { names[UserRegister.hash(of: token)] }

  public var all: [String] { names.values.sorted() }

  /// The line for a new user.
  public static func line(name: String, token: String) -> String? {
    isName(name) ? "\(name):\(prefix)\(hash(of: token))\n" : nil
  }

  private static let prefix = "sha256="

  private static func entry(_ line: Substring) -> (name: String, hash: String)? {
    guard let colon = line.firstIndex(of: ":"), isName(line[..<colon]) else { return nil }
    let secret = line[line.index(after: colon)...]
    guard secret.hasPrefix(prefix) else {
      return secret.isEmpty ? nil : (String(line[..<colon]), hash(of: String(secret)))
    }
    let hex = secret.dropFirst(prefix.count)
    guard hex.utf8.count == 64, hex.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else { return nil }
    return (String(line[..<colon]), String(hex))
  }

  private static func isName(_ name: some StringProtocol) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: ".")
      }
  }

  private static func hash(of token: String) -> String { SHA256.hex(Array(token.utf8)) }
}

/// The check of `Authorization: Bearer TOKEN`.
enum BearerToken {
  /// Whether `value` of `bytes` contains exactly `token`. The time reveals nothing about how much of it is right.
  static func matches(_ bytes: Span<UInt8>, _ value: Range<Int>, _ token: [UInt8]) -> Bool {
    let scheme = min(value.lowerBound + 7, value.upperBound)
    guard bytes.matches("bearer ", value.lowerBound..<scheme) else { return false }
    let given = bytes.trimmed(scheme..<value.upperBound)
    guard given.count == token.count else { return false }
    var difference: UInt8 = 0
    for offset in 0..<token.count { difference |= bytes[given.lowerBound + offset] ^ token[offset] }
    return difference == 0
  }
}
