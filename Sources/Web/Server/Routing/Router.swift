import HTTP
import System

/// Finds the route of a request among those of all backends and calls its handler: for the server, and for a
/// transport that calls the backends in the process.
///
/// The patterns of each backend form a tree of segments, built by the initializer; a request descends it, comparing
/// bytes. A path below a backend's name goes to that backend first. If two backends declare the same method and
/// pattern, the first takes precedence; the second is still reachable below its name.
public struct Router {
  let backends: [Backend]
  /// The roots first, one for each backend.
  private var nodes: [Node] = []
  private var targets: [Target] = []

  /// A node of a tree, with a list of children (the parameter last) and a list of the routes that end here (one for
  /// each method).
  private struct Node {
    /// The segment, nil for a parameter; for a root, the name of its backend.
    var literal: [UInt8]?
    var firstChild: Int?
    var nextSibling: Int?
    var firstTarget: Int?
  }

  private struct Target {
    let backend: Int
    let route: Route
    let next: Int?
  }

  /// The result of the search for a route.
  enum Resolution {
    /// `skipped` is the number of segments before the pattern: 1 after the backend's name, else 0.
    case found(target: Int, PathSegments, skipped: Int)
    case wrongMethod(allowed: [Method], backend: Int?)
    case notFound(backend: Int?)
    /// `OPTIONS *` refers to the server, not to a path.
    case wholeServer
  }

  public init(_ backends: [Backend]) {
    self.backends = backends
    for backend in backends { nodes.append(Node(literal: Array(backend.suite.utf8))) }
    for (index, backend) in backends.enumerated() {
      for route in backend.routes { insert(route, of: index) }
    }
  }

  /// The numbers that the backends report.
  public var gauges: [StoredGauge] { backends.flatMap(\.gauges) }

  private mutating func insert(_ route: Route, of backend: Int) {
    var node = backend
    for segment in Array(route.pattern.utf8).split(separator: UInt8(ascii: "/")) {
      node = child(of: node, segment)
    }
    guard !contains(route.method, at: node) else { return }
    targets.append(Target(backend: backend, route: route, next: nodes[node].firstTarget))
    nodes[node].firstTarget = targets.count - 1
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
    var next = nodes[node].firstTarget
    while let target = next {
      if targets[target].route.method == method { return true }
      next = targets[target].next
    }
    return false
  }
}

extension Router {
  /// The route for a request. HEAD uses the route of GET unless it has its own.
  func resolve(_ request: ReceivedRequest) -> Resolution {
    if request.head.isAsterisk { return .wholeServer }
    guard let path = PathSegments(request.bytes, request.place(request.head.path))
    else { return .notFound(backend: nil) }
    // The first segment of a path without segments is empty, which is no name.
    let named = backends.indices.first { fits($0, path, 0) }
    var allowed: [Method] = []
    let method = request.method
    if let found = match(method, path, named, &allowed)
      ?? (method == .head ? match(.get, path, named, &allowed) : nil)
    {
      return .found(target: found.target, path, skipped: found.skipped)
    }
    let owner = backends.indices.first { owns($0, path) } ?? named
    return allowed.isEmpty ? .notFound(backend: owner) : .wrongMethod(allowed: allowed, backend: owner)
  }

  /// Searches below the backend that the path names, if any, and then in all backends.
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

  /// Tries literals first, then the parameter, until a route for the method is found; collects the methods that the
  /// path has instead. The depth is bounded by the patterns.
  private func find(
    _ method: Method, _ path: PathSegments, from node: Int, depth: Int, allowed: inout [Method]
  ) -> Int? {
    if depth == path.count {
      var next = nodes[node].firstTarget
      while let target = next {
        let offered = targets[target].route.method
        if offered == method { return target }
        allowed.append(offered)
        next = targets[target].next
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

  /// Whether a path without a route begins like one of this backend's; then the error has that backend's form.
  private func owns(_ backend: Int, _ path: PathSegments) -> Bool {
    var next = nodes[backend].firstChild
    while let child = next {
      if nodes[child].literal != nil, fits(child, path, 0) { return true }
      next = nodes[child].nextSibling
    }
    return false
  }

  /// The backend that a resolution leads to.
  func backend(of resolution: Resolution) -> Int? {
    switch resolution {
    case .found(let target, _, _): targets[target].backend
    case .wrongMethod(_, let backend), .notFound(let backend): backend
    case .wholeServer: nil
    }
  }

  /// The response to a request, and what a log says about it.
  struct Outcome: Sendable {
    var response: Response
    /// The failure behind the response.
    var failure: Failure?
    /// The name of the user who sent the request.
    var user: String?

    init(_ response: Response, _ failure: Failure? = nil, user: String? = nil) {
      self.response = response
      self.failure = failure
      self.user = user
    }
  }

  func respond(_ request: ReceivedRequest, _ resolution: Resolution) -> Outcome {
    switch resolution {
    case .found(let index, let path, let skipped):
      let target = targets[index]
      var call = Call(request: request, path: path, pattern: target.route.pattern, skipped: skipped)
      do throws(Failure) {
        guard let access = backends[target.backend].access else {
          return Outcome(try target.route.handler(call))
        }
        let suite = backends[target.backend].suite
        try access.admit(&call, to: suite, needsToken: target.route.needsToken)
        return Outcome(try target.route.handler(call), user: call.caller.user?.name)
      } catch {
        let status = ErrorStyle.status(of: error)
        let response = errorResponse(status, error, backend: target.backend, request)
        return Outcome(response, error, user: call.caller.user?.name)
      }
    case .wrongMethod(let allowed, let backend):
      let list = Router.list(allowed)
      if request.method == .options { return Outcome(Response(204, headers: ["Allow": list])) }
      let failure = Failure(
        .usage, "'\(request.path)' does not take \(request.method.rawValue)", hint: "it takes \(list)")
      var response = errorResponse(405, failure, backend: backend, request)
      response.headers["Allow"] = list
      return Outcome(response, failure)
    case .notFound(let backend):
      let failure = Failure(.notFound, "no route '\(request.path)'")
      return Outcome(errorResponse(404, failure, backend: backend, request), failure)
    case .wholeServer:
      return Outcome(Response(204, headers: ["Allow": Router.list(Method.allCases)]))
    }
  }

  /// Lets a backend read together what the handlers of several requests need. Those that are not admitted cause no work.
  func prepare(_ backend: Int, for requests: [(ReceivedRequest, Resolution)]) {
    let (access, suite) = (backends[backend].access, backends[backend].suite)
    guard requests.count > 1, let prepare = backends[backend].prepare else { return }
    prepare(
      requests.compactMap { request, resolution in
        guard !request.isRead, case .found(let index, let path, let skipped) = resolution else { return nil }
        let route = targets[index].route
        var call = Call(request: request, path: path, pattern: route.pattern, skipped: skipped)
        do throws(Failure) {
          try access?.admit(&call, to: suite, needsToken: route.needsToken)
          return call
        } catch {
          // The handler refuses it, with this failure.
          return nil
        }
      })
  }

  /// The pattern of the route of a resolution; nil without one.
  func pattern(of resolution: Resolution) -> String? {
    guard case .found(let target, _, _) = resolution else { return nil }
    return targets[target].route.pattern
  }

  /// Commits the changes of one backend; returns the failure if they are not stored.
  func commit(_ backend: Int) -> Failure? {
    do throws(Failure) {
      try backends[backend].commit?()
      return nil
    } catch {
      return error
    }
  }

  /// An error in the form of the backend, or in JSON without one.
  func errorResponse(
    _ status: Int, _ failure: Failure, backend: Int?, _ request: ReceivedRequest? = nil
  ) -> Response {
    let style = backend.map { backends[$0].errors } ?? .json
    let prefersJSON = request?.header("Accept")?.contains("application/json") ?? false
    var response = style.response(status, failure, prefersJSON)
    if case .wait(let seconds) = failure.cause { response.headers["Retry-After"] = "\(seconds)" }
    if status == 503 { response.headers["Retry-After"] = "1" }
    if status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
    return response
  }

  /// Replaces a response whose changes could not be committed.
  func errorResponse(uncommitted failure: Failure, backend: Int?) -> Response {
    errorResponse(max(500, ErrorStyle.status(of: failure)), failure, backend: backend)
  }

  private static func list(_ methods: [Method]) -> String {
    let all = Set(methods).union([.options]).union(methods.contains(.get) ? [.head] : [])
    return Method.allCases.filter(all.contains).map(\.rawValue).joined(separator: ", ")
  }
}
