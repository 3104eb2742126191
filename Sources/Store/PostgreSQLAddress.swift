import CLibraries
import System

/// The address of a PostgreSQL database, as libpq reads it: `postgresql://user@host:port/database?option=value`, also
/// with several hosts. What it leaves out is taken from libpq's own variables and files (PGHOST, PGSERVICE, PGPASSFILE).
public struct PostgreSQLAddress: Sendable {
  private let text: String
  /// For messages: without user, password and options.
  let name: String
  public let hasPassword: Bool

  /// Whether a text is such an address rather than a path.
  public static func isOne(_ text: String) -> Bool {
    ["postgresql:", "postgres:"].contains { text.lowercased().hasPrefix($0) }
  }

  /// The text with its passwords masked, also if it is malformed.
  public static func masked(_ text: String) -> String {
    guard isOne(text) else { return text }
    var text = text
    if let scheme = text.firstIndex(of: ":"), let at = text.lastIndex(of: "@") {
      let user = text[scheme..<max(scheme, at)].dropFirst()
      if let colon = user.firstIndex(of: ":") {
        text.replaceSubrange(text.index(after: colon)..<at, with: mask)
      }
    }
    guard let question = text.firstIndex(of: "?") else { return text }
    let items = text[text.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = items.map { item in
      guard let equals = item.firstIndex(of: "="), item[..<equals].lowercased().contains("password") else {
        return String(item)
      }
      return "\(item[...equals])\(mask)"
    }
    return "\(text[...question])\(shown.joined(separator: "&"))"
  }

  private static let mask = "********"

  public init(_ text: String) throws(Failure) {
    self.text = text
    let options = try PostgreSQLAddress.options(text)
    hasPassword = ["password", "sslpassword"].contains { options[$0]?.isEmpty == false }
    let host = options["host"] ?? options["hostaddr"] ?? ""
    let port = options["port"].map { ":\($0)" } ?? ""
    name = "postgresql://\(host)\(port)/\(options["dbname"] ?? "")"
  }

  /// What libpq gets. What comes before the address applies where neither the address nor a variable says otherwise.
  func parameters(_ environment: Environment) -> [(keyword: String, value: String)] {
    var parameters = [
      (keyword: "fallback_application_name", value: "hw"), (keyword: "tcp_user_timeout", value: "10000"),
    ]
    if environment["PGTARGETSESSIONATTRS"] == nil {
      parameters.append((keyword: "target_session_attrs", value: "read-write"))
    }
    return parameters + [(keyword: "dbname", value: text), (keyword: "client_encoding", value: "UTF8")]
  }

  /// The parts of the address that it names. A message of libpq could quote a part of a password, so none is passed on.
  private static func options(_ text: String) throws(Failure) -> [String: String] {
    guard !text.utf8.contains(0), let options = try PostgreSQLOptions.parse(text) else {
      throw malformed
    }
    return options
  }

  static let malformed = Failure(
    .usage, "malformed address of a PostgreSQL database",
    hint: "it is written postgresql://USER@HOST:PORT/DATABASE; special characters are encoded as in %40")
}
