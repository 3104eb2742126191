import HTTP
import System

/// Finds the routes of requests among those of all backends.
///
/// The patterns of each backend form a tree of segments, built by the initializer; a request descends it, comparing
/// bytes. A path below a backend's name goes to that backend first. If two backends declare the same method and
/// pattern, the first takes precedence; the second is still reachable below its name.
public struct Router {
  /// Runs the handlers on the thread of the router.
  let runner: RequestRunner
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
    let method: Method
    let backend: Int
    /// The index of the route among those of the backend.
    let route: Int
    let next: Int?
  }

  public init(_ runner: RequestRunner) {
    self.runner = runner
    for backend in runner.backends { nodes.append(Node(literal: Array(backend.suite.utf8))) }
    for (backend, routes) in runner.routes.enumerated() {
      for (index, route) in routes.enumerated() { insert(route, index, of: backend) }
    }
  }

  /// Every request is admitted without `access`.
  public init(_ backends: [any Backend], access: Access? = nil) {
    self.init(RequestRunner(backends, access: access))
  }

  /// Creates a router for an event loop whose workers run the handlers.
  public init(routesOf runner: RequestRunner) { self.init(runner.backends.map(RouteList.init)) }

  private mutating func insert(_ route: Route, _ index: Int, of backend: Int) {
    var node = backend
    for segment in Array(route.pattern.utf8).split(separator: UInt8(ascii: "/")) {
      node = child(of: node, segment)
    }
    guard !contains(route.method, at: node) else { return }
    targets.append(
      Target(method: route.method, backend: backend, route: index, next: nodes[node].firstTarget))
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
      if targets[target].method == method { return true }
      next = targets[target].next
    }
    return false
  }
}

extension Router {
  /// The request with its route. HEAD uses the route of GET unless it has its own.
  func route(_ request: ReceivedRequest) -> RoutedRequest {
    if request.head.isAsterisk { return RoutedRequest(request, .wholeServer) }
    guard let path = PathSegments(request.bytes, request.place(request.head.path))
    else { return RoutedRequest(request, .notFound(backend: nil)) }
    let backends = runner.backends.indices
    // The first segment of a path without segments is empty, which is no name.
    let named = backends.first { fits($0, path, 0) }
    var allowed: [Method] = []
    let method = request.method
    if let found = match(method, path, named, &allowed)
      ?? (method == .head ? match(.get, path, named, &allowed) : nil)
    {
      let target = targets[found.target]
      return RoutedRequest(
        request, .found(backend: target.backend, route: target.route, skipped: found.skipped), path: path)
    }
    let owner = backends.first { owns($0, path) } ?? named
    return RoutedRequest(
      request, allowed.isEmpty ? .notFound(backend: owner) : .wrongMethod(allowed: allowed, backend: owner))
  }

  /// Searches below the backend that the path names, if any, and then in all backends.
  private func match(
    _ method: Method, _ path: PathSegments, _ named: Int?, _ allowed: inout [Method]
  ) -> (target: Int, skipped: Int)? {
    if let named, let target = find(method, path, from: named, depth: 1, allowed: &allowed) {
      return (target, 1)
    }
    for root in runner.backends.indices {
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
        let offered = targets[target].method
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
}

/// A request with the result of the search for its route, which is made once. A class, so that passing one on copies
/// nothing.
final class RoutedRequest: Sendable {
  let request: ReceivedRequest
  let resolution: Resolution
  /// The path of a request that has a route.
  let path: PathSegments?

  enum Resolution {
    /// By its place among the routes of the backends: each worker has the same ones. `skipped` is the number of segments
    /// before the pattern: 1 after the backend's name, else 0.
    case found(backend: Int, route: Int, skipped: Int)
    case wrongMethod(allowed: [Method], backend: Int?)
    case notFound(backend: Int?)
    /// `OPTIONS *` refers to the server, not to a path.
    case wholeServer
  }

  init(_ request: ReceivedRequest, _ resolution: Resolution, path: PathSegments? = nil) {
    self.request = request
    self.resolution = resolution
    self.path = path
  }

  /// The backend whose route it is, or whose form an error has.
  var backend: Int? {
    switch resolution {
    case .found(let backend, _, _): backend
    case .wrongMethod(_, let backend), .notFound(let backend): backend
    case .wholeServer: nil
    }
  }

  /// Copy that may be kept (`ReceivedRequest.detached`): its path holds its own bytes only, too.
  var detached: RoutedRequest {
    let request = request.detached
    return RoutedRequest(
      request, resolution,
      path: path.flatMap { _ in PathSegments(request.bytes, request.place(request.head.path)) })
  }
}

extension ReceivedRequest {
  var isRead: Bool { method.isSafe }
}
