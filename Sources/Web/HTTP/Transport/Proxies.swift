import System

/// The proxies of the environment, by curl's rules: `http_proxy` only in lower case (a web server stores a request's
/// `Proxy` field in the upper-case variable), the others in either case, `ALL_PROXY` if there is no other.
///
/// Unlike with curl, an address of this machine never has a proxy: on another machine it would be another service,
/// which would receive the token.
struct Proxies: Sendable {
  private let http: String?
  private let https: String?
  /// Hosts without a proxy, in the format of `NO_PROXY`. libcurl parses the list.
  let exceptions: String

  init(_ environment: Environment) {
    func either(_ name: String) -> String? { environment[name] ?? environment[name.uppercased()] }
    let all = either("all_proxy")
    http = environment["http_proxy"] ?? all
    https = either("https_proxy") ?? all
    exceptions = either("no_proxy") ?? ""
  }

  /// Returns the proxy for an address, unless its host or domain is an exception. libcurl also matches networks.
  func proxy(for url: URL) -> String? {
    if url.isLoopback { return nil }
    let names = exceptions.lowercased().split { $0 == "," || $0 == " " }
    let isException =
      exceptions == "*"
      || names.contains { name in
        let domain = name.hasPrefix(".") ? name.dropFirst() : name
        return url.host == domain || url.host.hasSuffix(".\(domain)")
      }
    return isException ? nil : url.scheme == .https ? https : http
  }
}
