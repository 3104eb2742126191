import System

/// The proxies that the environment names, by curl's own rules: `http_proxy` only in lower case (a web server puts a
/// request's `Proxy` field into the upper case one), the others in either, `ALL_PROXY` where there is no other.
public struct Proxies: Sendable {
  private let http: String?
  private let https: String?
  /// The hosts that want none, as `NO_PROXY` writes them; libcurl reads the list.
  let exceptions: String

  public init(_ environment: Environment) {
    func either(_ name: String) -> String? { environment[name] ?? environment[name.uppercased()] }
    let all = either("all_proxy")
    http = environment["http_proxy"] ?? all
    https = either("https_proxy") ?? all
    exceptions = either("no_proxy") ?? ""
  }

  /// The proxy for an address, unless its very host is among the exceptions: whole domains and networks are left for
  /// libcurl to tell.
  func proxy(for url: URL) -> String? {
    let names = exceptions.split { $0 == "," || $0 == " " }
    let isException = exceptions == "*" || names.contains { $0.lowercased() == url.host }
    return isException ? nil : url.scheme == .https ? https : http
  }
}
