import System

/// The transport for every address outside the process. hw's own sockets are used for plain http within this machine,
/// libcurl for the rest; it is loaded only then.
public final class NetworkTransport: Transport {
  private let proxies: Proxies
  private let socket: SocketTransport
  private let curl: CurlTransport
  private let report: (String) -> Void
  private var hasWarned = false

  /// `report` prints a line for the user.
  public init(
    environment: Environment, limits: TimeLimits, time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.report = report
    proxies = Proxies(environment)
    socket = SocketTransport(limits: limits, time: time)
    curl = CurlTransport(environment: environment, limits: limits, time: time)
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    try RedirectingTransport(inner: DirectTransport(network: self)).send(request)
  }

  enum Connector { case socket, curl }

  /// Connector of an address; nil for an address inside the process.
  static func connector(of url: URL) -> Connector? {
    switch url.scheme {
    case .unix: .socket
    case .http: url.isLoopback ? .socket : .curl
    case .https: .curl
    case .demo, .embedded, .gbfs: nil
    }
  }

  /// Reports once that a token is sent unencrypted to another machine. The request is sent: the address is the user's
  /// choice.
  private func warnOfPlainHTTP(_ request: Request) {
    guard !hasWarned, request.url.scheme == .http, !request.url.isLoopback,
      let field = request.headers.fields.first(where: { Secrets.isSecret($0.name) })
    else { return }
    hasWarned = true
    report(
      "warning: header '\(field.name)' is sent unencrypted to '\(request.url.peer)': use https if it is available"
    )
  }

  /// Transport for one request and its response, which may be a redirect that another transport follows.
  private struct DirectTransport: Transport {
    let network: NetworkTransport

    func send(_ request: Request) throws(Failure) -> Response {
      network.warnOfPlainHTTP(request)
      return switch NetworkTransport.connector(of: request.url) {
      case .socket: try network.socket.send(request)
      case .curl: try network.curl.send(request)
      case nil: throw Failure(.defect, "'\(request.url)' was sent to the network")
      }
    }
  }
}

/// The proxies of the environment, by curl's rules: `http_proxy` only in lower case (a web server stores a request's
/// `Proxy` field in the upper-case variable), the others in either case, `ALL_PROXY` if there is no other. Unlike with
/// curl, an address of this machine never has a proxy: on another machine it would be another service, which would
/// receive the token.
struct Proxies: Sendable {
  private let http: String?
  private let https: String?
  /// The hosts without a proxy, in the format of `NO_PROXY`; libcurl parses the list.
  let exceptions: String

  init(_ environment: Environment) {
    func either(_ name: String) -> String? { environment[name] ?? environment[name.uppercased()] }
    let all = either("all_proxy")
    http = environment["http_proxy"] ?? all
    https = either("https_proxy") ?? all
    exceptions = either("no_proxy") ?? ""
  }

  /// The proxy for an address, unless its host itself is among the exceptions; domains and networks are matched by
  /// libcurl.
  func proxy(for url: URL) -> String? {
    if url.isLoopback { return nil }
    let names = exceptions.split { $0 == "," || $0 == " " }
    let isException = exceptions == "*" || names.contains { $0.lowercased() == url.host }
    return isException ? nil : url.scheme == .https ? https : http
  }
}
