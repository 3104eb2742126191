import System

/// Address of a PostgreSQL database in libpq's syntax: `postgresql://user@host:port/database?option=value`, also with
/// several hosts. Missing parts come from libpq's own variables and files (PGHOST, PGSERVICE, PGPASSFILE).
public struct PostgreSQLAddress: Sendable {
  private let text: String
  /// Address for messages, without user, password and options.
  let name: String
  public let hasPassword: Bool

  /// Whether a text is an address rather than a path.
  public static func isAddress(_ text: String) -> Bool {
    ["postgresql:", "postgres:"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Text with masked passwords, also if it is malformed.
  public static func masked(_ text: String) -> String {
    guard isAddress(text) else { return text }
    var text = text
    if let scheme = text.firstIndex(of: ":"), let at = text.lastIndex(of: "@") {
      let user = text[scheme..<at].dropFirst()
      if let colon = user.firstIndex(of: ":") {
        // An `@` of the query can be part of a password that continues behind it.
        let end = text[..<at].contains("?") ? text.endIndex : at
        text.replaceSubrange(text.index(after: colon)..<end, with: mask)
      }
    }
    guard let question = text.firstIndex(of: "?") else { return text }
    let items = text[text.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = items.map { item in
      // libpq decodes `%` in keywords too.
      guard let equals = item.firstIndex(of: "="), case let keyword = item[..<equals].lowercased(),
        keyword.contains("password") || keyword.contains("%")
      else { return String(item) }
      return "\(item[...equals])\(mask)"
    }
    return "\(text[...question])\(shown.joined(separator: "&"))"
  }

  private static let mask = "********"

  public init(_ text: String) throws(Failure) {
    self.text = text
    let options = try PostgreSQLAddress.options(text)
    hasPassword = ["password", "sslpassword"].contains { options[$0]?.isEmpty == false }
    let hosts = PostgreSQLAddress.hosts(options["host"] ?? options["hostaddr"], ports: options["port"])
    name = "postgresql://\(hosts)/\(options["dbname"] ?? "")"
  }

  /// Hosts with ports as in an address: `a:1,[::1]:2`.
  private static func hosts(_ hosts: String?, ports: String?) -> String {
    func list(_ text: String?) -> [Substring] {
      (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }
    let ports = list(ports)
    return list(hosts).enumerated().map { index, host in
      // A single port applies to all hosts. libpq may return no port.
      let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
      return (host.contains(":") ? "[\(host)]" : host) + (port.isEmpty ? "" : ":\(port)")
    }.joined(separator: ",")
  }

  struct Attempts {
    /// Parameters for libpq, one list per host, in the order of the hosts.
    var parameters: [[(keyword: String, value: String)]]
    var limit: Duration  // for each host
  }

  /// Use of a connection, with libpq's word for suitable servers. A reader asks for `any` if no server can be written.
  enum Purpose: String {
    case reading = "any"
    case writing = "read-write"
  }

  /// Parameters for each host, since libpq would wait for a silent host and never try the next one: its own limit
  /// does not apply to connections that are made without blocking.
  func attempts(_ environment: Environment, for purpose: Purpose = .writing) throws(Failure) -> Attempts {
    let options = try PostgreSQLAddress.options(text)
    let defaults = try PostgreSQLOptions.defaults()
    func list(_ keyword: String) -> [String] {
      guard let text = options[keyword] ?? defaults[keyword], !text.isEmpty else { return [] }
      return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let seconds = (options["connect_timeout"] ?? defaults["connect_timeout"]).flatMap { Int($0) } ?? 0
    var attempts = Attempts(
      parameters: [parameters(environment, purpose)],
      limit: seconds > 0 ? .seconds(seconds) : PostgreSQLAddress.connectLimit)
    let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = max(hosts.count, addresses.count)
    let isConsistent = [hosts.count, addresses.count].allSatisfy { $0 == 0 || $0 == count }
    // libpq reports inconsistent lists.
    guard count > 1, isConsistent, ports.count <= 1 || ports.count == count else { return attempts }
    attempts.parameters = (0..<count).map { index in
      var parameters = parameters(environment, purpose)
      if !hosts.isEmpty { parameters.append(("host", hosts[index])) }
      if !addresses.isEmpty { parameters.append(("hostaddr", addresses[index])) }
      // An address has no ports as `,,`, and libpq ignores an empty parameter.
      if ports.count == count {
        parameters.append(("port", ports[index].isEmpty ? PostgreSQLAddress.usualPort : ports[index]))
      }
      return parameters
    }
    return attempts
  }

  private static let connectLimit = Duration.seconds(5)
  private static let usualPort = "5432"

  /// Parameters, which the address and variables override. A dead server is noticed within 20 seconds.
  private func parameters(
    _ environment: Environment, _ purpose: Purpose
  ) -> [(keyword: String, value: String)] {
    var parameters = [
      (keyword: "fallback_application_name", value: "hw"), (keyword: "tcp_user_timeout", value: "10000"),
      (keyword: "keepalives_idle", value: "8"), (keyword: "keepalives_interval", value: "4"),
      (keyword: "keepalives_count", value: "3"),
    ]
    if environment["PGTARGETSESSIONATTRS"] == nil {
      parameters.append((keyword: "target_session_attrs", value: purpose.rawValue))
    }
    return parameters + [(keyword: "dbname", value: text), (keyword: "client_encoding", value: "UTF8")]
  }

  /// Parsed parts of the address. A message of libpq could quote a part of a password, so none is passed on.
  private static func options(_ text: String) throws(Failure) -> [String: String] {
    guard !text.utf8.contains(0), let options = try PostgreSQLOptions.parse(text) else { throw malformed }
    return options
  }

  static let malformed = Failure(
    .usage, "malformed address of a PostgreSQL database",
    hint: "it is written postgresql://USER@HOST:PORT/DATABASE; special characters are encoded as in %40")
}
