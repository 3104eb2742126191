import HTTP

/// Finds the routes of requests among those of all backends.
///
/// The patterns of each backend form a tree of segments; a request descends it, comparing bytes. A path below a
/// backend's name is searched in that backend first. If two backends declare the same method and pattern, the first
/// takes precedence; the second is still reachable below its name.
public struct Router {
  let runner: RequestRunner
  /// Begins with the roots, one for each backend.
  private var nodes: [Node] = []

  private struct Node {
    /// The segment, or nil for a parameter; the name of the backend in a root.
    var literal: [UInt8]?
    /// Indices of nodes, with the parameter last.
    var children: [Int] = []
    var targets: [Target] = []
  }

  private struct Target {
    let method: Method
    let backend: Int
    let route: Int
  }

  public init(_ runner: RequestRunner) {
    self.runner = runner
    for backend in runner.backends { nodes.append(Node(literal: Array(backend.suite.utf8))) }
    for (backend, routes) in runner.routes.enumerated() {
      for (index, route) in routes.enumerated() { insert(route, index, of: backend) }
    }
  }

  /// Admits every request if `access` is nil.
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
    guard !nodes[node].targets.contains(where: { $0.method == route.method }) else { return }
    nodes[node].targets.append(Target(method: route.method, backend: backend, route: index))
  }

  private mutating func child(of node: Int, _ segment: ArraySlice<UInt8>) -> Int {
    let literal = segment.first == UInt8(ascii: ":") ? nil : Array(segment)
    let children = nodes[node].children
    if let child = children.first(where: { nodes[$0].literal == literal }) { return child }
    nodes[node].children.insert(nodes.count, at: literal == nil ? children.count : 0)
    nodes.append(Node(literal: literal))
    return nodes.count - 1
  }

  /// Routes the request. HEAD uses the route of GET unless it has its own.
  func route(_ request: ReceivedRequest) -> RoutedRequest {
    if request.head.isAsterisk { return RoutedRequest(request, .wholeServer) }
    guard let path = PathSegments(request.bytes, request.place(request.head.path))
    else { return RoutedRequest(request, .notFound(backend: nil)) }
    let backends = runner.backends.indices
    // Without segments, `path[0]` is empty, and equals no name.
    let named = backends.first { fits($0, path, 0) }
    var allowed: [Method] = []
    let method = request.method
    if let found = match(method, path, named, &allowed)
      ?? (method == .head ? match(.get, path, named, &allowed) : nil)
    {
      let (target, skipped) = found
      return RoutedRequest(
        request, .found(backend: target.backend, route: target.route, skipped: skipped), path: path)
    }
    let owner = backends.first { owns($0, path) } ?? named
    return RoutedRequest(
      request, allowed.isEmpty ? .notFound(backend: owner) : .wrongMethod(allowed: allowed, backend: owner))
  }

  /// Searches the backend that the path names, if any, and then all backends.
  private func match(
    _ method: Method, _ path: PathSegments, _ named: Int?, _ allowed: inout [Method]
  ) -> (target: Target, skipped: Int)? {
    if let named, let target = find(method, path, from: named, depth: 1, allowed: &allowed) {
      return (target, 1)
    }
    for root in runner.backends.indices {
      if let target = find(method, path, from: root, depth: 0, allowed: &allowed) { return (target, 0) }
    }
    return nil
  }

  /// Tries literals first, then the parameter, until a route for the method is found. Collects the methods that the
  /// path has instead. The depth is bounded by the patterns.
  private func find(
    _ method: Method, _ path: PathSegments, from node: Int, depth: Int, allowed: inout [Method]
  ) -> Target? {
    if depth == path.count {
      if let target = nodes[node].targets.first(where: { $0.method == method }) { return target }
      allowed += nodes[node].targets.map(\.method)
      return nil
    }
    for child in nodes[node].children where fits(child, path, depth) {
      if let found = find(method, path, from: child, depth: depth + 1, allowed: &allowed) { return found }
    }
    return nil
  }

  private func fits(_ node: Int, _ path: PathSegments, _ depth: Int) -> Bool {
    guard let literal = nodes[node].literal else { return !path[depth].isEmpty }
    return path.bytes.span.equals(literal, path[depth])
  }

  /// Whether a path without a route begins like one of the backend's, so that the error has its form.
  private func owns(_ backend: Int, _ path: PathSegments) -> Bool {
    nodes[backend].children.contains { nodes[$0].literal != nil && fits($0, path, 0) }
  }
}

/// A request with its resolution, which is made once. A class, so that passing it copies nothing.
final class RoutedRequest: Sendable {
  let request: ReceivedRequest
  let resolution: Resolution
  let path: PathSegments?

  enum Resolution {
    /// A route by its index, which is the same in each worker. `skipped` is the number of segments before the pattern:
    /// 1 after the backend's name, else 0.
    case found(backend: Int, route: Int, skipped: Int)
    case wrongMethod(allowed: [Method], backend: Int?)
    case notFound(backend: Int?)
    /// `OPTIONS *`
    case wholeServer
  }

  init(_ request: ReceivedRequest, _ resolution: Resolution, path: PathSegments? = nil) {
    self.request = request
    self.resolution = resolution
    self.path = path
  }

  /// The backend that has the route, or whose form an error has.
  var backend: Int? {
    switch resolution {
    case .found(let backend, _, _): backend
    case .wrongMethod(_, let backend), .notFound(let backend): backend
    case .wholeServer: nil
    }
  }

  /// A copy that may be kept (`ReceivedRequest.detached`).
  var detached: RoutedRequest {
    let request = request.detached
    return RoutedRequest(
      request, resolution,
      path: path.flatMap { _ in PathSegments(request.bytes, request.place(request.head.path)) })
  }
}
