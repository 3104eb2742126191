import HTTP
import System

/// Finds the route of a request among those of all backends, and lets it answer: for the server, and for a
/// transport that calls the backends in the process.
///
/// The patterns of each backend are laid out as a tree of segments when the router is made; a request walks down it,
/// comparing bytes. A path below a backend's own name is that backend's before it is anybody's. Where two claim the same
/// method and pattern, the first keeps it; the other's still answers below its own name.
public struct Router {
  let backends: [Backend]
  /// The roots first, one for each backend.
  private var nodes: [Node] = []
  private var targets: [Target] = []

  /// A place in a tree. What may follow hangs on it as a list, the parameter last; so do the routes that end here, one
  /// for each method.
  private struct Node {
    /// What has to stand here, nil for any one segment; for a root, its backend's own name.
    var literal: [UInt8]?
    var firstChild: Int?
    var nextSibling: Int?
    var firstEnd: Int?
  }

  private struct Target {
    let backend: Int
    let route: Route
    let nextEnd: Int?
  }

  /// What became of looking for a route.
  enum Resolution {
    /// `skipped` counts the segments before the pattern's own: the backend's name, or none.
    case found(target: Int, PathSegments, skipped: Int)
    case wrongMethod(allowed: [Method], backend: Int?)
    case notFound(backend: Int?)
    /// `OPTIONS *` asks about the server, not about a path.
    case wholeServer
  }

  public init(_ backends: [Backend]) {
    self.backends = backends
    for backend in backends { nodes.append(Node(literal: Array(backend.suite.utf8))) }
    for (index, backend) in backends.enumerated() {
      for route in backend.routes { insert(route, of: index) }
    }
  }

  private mutating func insert(_ route: Route, of backend: Int) {
    let slash = UInt8(ascii: "/")
    let pattern = Array(route.pattern.utf8)
    var node = backend
    var start = 0
    while start < pattern.count {
      let end = pattern[start...].firstIndex(of: slash) ?? pattern.count
      if start < end { node = child(of: node, pattern[start..<end]) }
      start = end + 1
    }
    guard !contains(route.method, at: node) else { return }
    targets.append(Target(backend: backend, route: route, nextEnd: nodes[node].firstEnd))
    nodes[node].firstEnd = targets.count - 1
  }

  private mutating func child(of node: Int, _ segment: ArraySlice<UInt8>) -> Int {
    let literal = segment.first == UInt8(ascii: ":") ? nil : Array(segment)
    var last: Int?
    var next = nodes[node].firstChild
    while let child = next {
      if nodes[child].literal == literal { return child }
      last = child
      next = nodes[child].nextSibling
    }
    let new = nodes.count
    if literal != nil {
      nodes.append(Node(literal: literal, nextSibling: nodes[node].firstChild))
      nodes[node].firstChild = new
    } else {
      nodes.append(Node())
      if let last { nodes[last].nextSibling = new } else { nodes[node].firstChild = new }
    }
    return new
  }

  private func contains(_ method: Method, at node: Int) -> Bool {
    var next = nodes[node].firstEnd
    while let end = next {
      if targets[end].route.method == method { return true }
      next = targets[end].nextEnd
    }
    return false
  }
}

extension Router {
  /// The route for a request. HEAD takes that of GET where it has none of its own.
  func resolve(_ request: ReceivedRequest) -> Resolution {
    if request.head.isAsterisk { return .wholeServer }
    guard let path = PathSegments(request.bytes, request.place(request.head.path))
    else { return .notFound(backend: nil) }
    let named = path.count == 0 ? nil : backends.indices.first { fits($0, path, 0) }
    var allowed: [Method] = []
    let method = request.method
    if let found = match(method, path, named, &allowed)
      ?? (method == .head ? match(.get, path, named, &allowed) : nil)
    {
      return .found(target: found.target, path, skipped: found.skipped)
    }
    let owner = path.count == 0 ? nil : backends.indices.first { owns($0, path) } ?? named
    return allowed.isEmpty ? .notFound(backend: owner) : .wrongMethod(allowed: allowed, backend: owner)
  }

  /// Below the name of the backend that the path begins with, if it does, and then everywhere.
  private func match(
    _ method: Method, _ path: PathSegments, _ named: Int?, _ allowed: inout [Method]
  ) -> (target: Int, skipped: Int)? {
    if let named, let target = find(method, path, from: named, depth: 1, allowed: &allowed) {
      return (target, 1)
    }
    for root in backends.indices {
      if let target = find(method, path, from: root, depth: 0, allowed: &allowed) { return (target, 0) }
    }
    return nil
  }

  /// Literals first, then the parameter, until one of the ways ends at a route for the method; on the way it notes
  /// which methods the path has instead. No deeper than the patterns are.
  private func find(
    _ method: Method, _ path: PathSegments, from node: Int, depth: Int, allowed: inout [Method]
  ) -> Int? {
    if depth == path.count {
      var next = nodes[node].firstEnd
      while let end = next {
        let offered = targets[end].route.method
        if offered == method { return end }
        if !allowed.contains(offered) { allowed.append(offered) }
        next = targets[end].nextEnd
      }
      return nil
    }
    var next = nodes[node].firstChild
    while let child = next {
      if fits(child, path, depth),
        let found = find(method, path, from: child, depth: depth + 1, allowed: &allowed)
      {
        return found
      }
      next = nodes[child].nextSibling
    }
    return nil
  }

  private func fits(_ node: Int, _ path: PathSegments, _ depth: Int) -> Bool {
    guard let literal = nodes[node].literal else { return !path[depth].isEmpty }
    return path.bytes.span.equals(literal, path[depth])
  }

  /// Whether a path that has no route begins like one of this backend's: then it speaks in that one's words.
  private func owns(_ backend: Int, _ path: PathSegments) -> Bool {
    var next = nodes[backend].firstChild
    while let child = next {
      if nodes[child].literal != nil, fits(child, path, 0) { return true }
      next = nodes[child].nextSibling
    }
    return false
  }

  /// The suite that a resolution leads to.
  func backend(of resolution: Resolution) -> Int? {
    switch resolution {
    case .found(let target, _, _): targets[target].backend
    case .wrongMethod(_, let backend), .notFound(let backend): backend
    case .wholeServer: nil
    }
  }

  /// The answer, and the failure behind it where there is one.
  func answer(_ request: ReceivedRequest, _ resolution: Resolution) -> (response: Response, failure: Failure?)
  {
    switch resolution {
    case .found(let index, let path, let skipped):
      let target = targets[index]
      do throws(Failure) {
        let call = Call(request: request, path: path, pattern: target.route.pattern, skipped: skipped)
        return (try target.route.handler(call), nil)
      } catch {
        let status = ErrorStyle.status(of: error)
        return (refuse(status, error, backend: target.backend, request), error)
      }
    case .wrongMethod(let allowed, let backend):
      let list = Router.list(allowed)
      if request.method == .options { return (Response(204, headers: ["Allow": list]), nil) }
      let failure = Failure(
        .usage, "'\(request.path)' does not take \(request.method.rawValue)", hint: "it takes \(list)")
      var response = refuse(405, failure, backend: backend, request)
      response.headers["Allow"] = list
      return (response, failure)
    case .notFound(let backend):
      let failure = Failure(.notFound, "no route '\(request.path)'")
      return (refuse(404, failure, backend: backend, request), failure)
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
  func refuse(
    _ status: Int, _ failure: Failure, backend: Int?, _ request: ReceivedRequest? = nil
  ) -> Response {
    let style = backend.map { backends[$0].errors } ?? .json
    let wantsJSON = request?.header("Accept")?.contains("application/json") ?? false
    var response = style.answer(status, failure, wantsJSON)
    if status == 503 { response.headers["Retry-After"] = "1" }
    return response
  }

  /// What becomes of an answer whose turn could not be kept.
  func refuse(turn failure: Failure, backend: Int?) -> Response {
    refuse(max(500, ErrorStyle.status(of: failure)), failure, backend: backend)
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
        outcome = (refuse(turn: failure, backend: index), failure)
      }
      if request.method == .head { outcome.response.body = [] }
      return outcome
    } catch {
      let failure = Failure(.usage, error.reason)
      return (refuse(error.status, failure, backend: nil), failure)
    }
  }
}
