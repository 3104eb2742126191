import HTTP
import System

/// Finds the route of a request among those of all backends, and lets it answer: for the server, and for a
/// transport that calls the backends in the process.
///
/// The patterns are laid out as a tree of segments when the router is made; a request walks down it once, comparing
/// bytes. Where two backends claim the same method and pattern, the first keeps it; the other's still answers below
/// its own name.
public struct Router {
  let backends: [Backend]
  private var nodes = [Node()]
  private var targets: [Target] = []
  /// Whose error style speaks where no route is found: the backend that owns the path's first segment.
  private var owners: [(segment: [UInt8], backend: Int)] = []

  /// A place in the tree, with what may follow and what ends here.
  private struct Node {
    var literals: [(segment: [UInt8], node: Int)] = []
    var parameter: Int?
    var ends: [(method: Method, target: Int)] = []
  }

  struct Target {
    let backend: Int
    let handler: Route.Handler
    let parameters: [Call.Parameter]
  }

  /// What became of looking for a route.
  enum Resolution {
    case found(target: Int, PathSegments)
    case wrongMethod(allowed: [Method], backend: Int?)
    case notFound(backend: Int?)
    /// `OPTIONS *` asks about the server, not about a path.
    case wholeServer
  }

  public init(_ backends: [Backend]) {
    self.backends = backends
    for (index, backend) in backends.enumerated() {
      for route in backend.routes { insert(route, below: [], backend: index) }
    }
    for (index, backend) in backends.enumerated() {
      for route in backend.routes { insert(route, below: [backend.suite], backend: index) }
    }
  }

  private mutating func insert(_ route: Route, below prefix: [String], backend: Int) {
    let segments = prefix + route.pattern.split(separator: "/").map { String($0) }
    var node = 0
    var parameters: [Call.Parameter] = []
    for (index, segment) in segments.enumerated() {
      if segment.hasPrefix(":") {
        parameters.append(Call.Parameter(name: String(segment.dropFirst()), segment: index))
      } else if index == 0, !owners.contains(where: { $0.segment == Array(segment.utf8) }) {
        owners.append((Array(segment.utf8), backend))
      }
      node = child(of: node, segment)
    }
    guard !nodes[node].ends.contains(where: { $0.method == route.method }) else { return }
    nodes[node].ends.append((route.method, targets.count))
    targets.append(Target(backend: backend, handler: route.handler, parameters: parameters))
  }

  private mutating func child(of node: Int, _ segment: String) -> Int {
    let bytes = Array(segment.utf8)
    let isParameter = segment.hasPrefix(":")
    let known = isParameter ? nodes[node].parameter : nodes[node].literals.first { $0.segment == bytes }?.node
    if let known { return known }
    let new = nodes.count
    nodes.append(Node())
    if isParameter { nodes[node].parameter = new } else { nodes[node].literals.append((bytes, new)) }
    return new
  }
}

extension Router {
  /// The route for a request. HEAD takes that of GET where it has none of its own.
  func resolve(_ request: ReceivedRequest) -> Resolution {
    if request.head.isAsterisk { return .wholeServer }
    guard let path = PathSegments(request.bytes, request.place(request.head.path))
    else { return .notFound(backend: nil) }
    let method = request.method
    var allowed: [Method] = []
    if let target = find(method, path, from: 0, depth: 0, allowed: &allowed)
      ?? (method == .head ? find(.get, path, from: 0, depth: 0, allowed: &allowed) : nil)
    {
      return .found(target: target, path)
    }
    let owner = path.count == 0 ? nil : owners.first { path.bytes.span.equals($0.segment, path[0]) }?.backend
    return allowed.isEmpty ? .notFound(backend: owner) : .wrongMethod(allowed: allowed, backend: owner)
  }

  /// Literals first, then the parameter, until one of the ways ends at a route for the method; on the way it notes
  /// which methods the path has instead. No deeper than the patterns are.
  private func find(
    _ method: Method, _ path: PathSegments, from node: Int, depth: Int, allowed: inout [Method]
  ) -> Int? {
    if depth == path.count {
      for end in nodes[node].ends where end.method == method { return end.target }
      for end in nodes[node].ends where !allowed.contains(end.method) { allowed.append(end.method) }
      return nil
    }
    for literal in nodes[node].literals where path.bytes.span.equals(literal.segment, path[depth]) {
      if let found = find(method, path, from: literal.node, depth: depth + 1, allowed: &allowed) {
        return found
      }
    }
    guard let parameter = nodes[node].parameter, !path[depth].isEmpty else { return nil }
    return find(method, path, from: parameter, depth: depth + 1, allowed: &allowed)
  }

  /// The suite that a resolution leads to.
  func backend(of resolution: Resolution) -> Int? {
    switch resolution {
    case .found(let target, _): targets[target].backend
    case .wrongMethod(_, let backend), .notFound(let backend): backend
    case .wholeServer: nil
    }
  }

  /// The answer, and the failure behind it where there is one.
  func answer(_ request: ReceivedRequest, _ resolution: Resolution) -> (response: Response, failure: Failure?)
  {
    switch resolution {
    case .found(let index, let path):
      let target = targets[index]
      do throws(Failure) {
        let call = Call(request: request, path: path, parameters: target.parameters)
        return (try target.handler(call), nil)
      } catch {
        return (refuse(ErrorStyle.status(of: error.kind), error, backend: target.backend), error)
      }
    case .wrongMethod(let allowed, let backend):
      let list = Router.list(allowed)
      if request.method == .options { return (Response(204, headers: ["Allow": list]), nil) }
      let failure = Failure(
        .usage, "'\(request.path)' does not take \(request.method.rawValue)", hint: "it takes \(list)")
      var response = refuse(405, failure, backend: backend)
      response.headers["Allow"] = list
      return (response, failure)
    case .notFound(let backend):
      let failure = Failure(.notFound, "no route '\(request.path)'")
      return (refuse(404, failure, backend: backend), failure)
    case .wholeServer:
      return (Response(204, headers: ["Allow": Router.list(Method.allCases)]), nil)
    }
  }

  /// Ends a turn for one backend; the failure makes its answers void.
  func endTurn(of index: Int) -> Failure? {
    do throws(Failure) {
      try backends[index].turnEnded?()
      return nil
    } catch {
      return error
    }
  }

  /// An error in the words of the backend, or in JSON where none is concerned.
  func refuse(_ status: Int, _ failure: Failure, backend: Int?) -> Response {
    let style = backend.map { backends[$0].errors } ?? .json
    return style.answer(status, failure)
  }

  private static func list(_ methods: [Method]) -> String {
    let all = Set(methods).union([.options]).union(methods.contains(.get) ? [.head] : [])
    return Method.allCases.filter(all.contains).map(\.rawValue).joined(separator: ", ")
  }
}

extension Router {
  /// Answers a request of the same process, as the server would answer it over a socket.
  public func respond(to request: Request) -> Response { outcome(of: request).response }

  /// The answer, and the failure behind it: in the process nobody has to be kept from knowing what went wrong inside.
  func outcome(of request: Request) -> (response: Response, failure: Failure?) {
    do throws(Refusal) {
      let received = try ReceivedRequest(request)
      let resolution = resolve(received)
      var outcome = answer(received, resolution)
      if let index = backend(of: resolution), let failure = endTurn(of: index) {
        outcome = (refuse(500, failure, backend: index), failure)
      }
      if request.method == .head { outcome.response.body = [] }
      return outcome
    } catch {
      let failure = Failure(.usage, error.reason)
      return (refuse(error.status, failure, backend: nil), failure)
    }
  }
}
