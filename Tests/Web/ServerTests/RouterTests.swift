import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Which route answers what.
@Suite struct RouterTests {
  /// Each route answers with its own name and its parameters.
  private static var router: Router {
    func route(_ method: Method, _ pattern: String) -> Route {
      let names = pattern.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
      return Route(method, pattern) { call in
        Response(200, body: Array(([pattern] + names.map { call[$0] }).joined(separator: " ").utf8))
      }
    }
    let plain = ErrorStyle { status, failure, _ in
      Response(
        status, headers: ["Content-Type": "text/plain"], body: Array("\(status) \(failure.message)".utf8))
    }
    return Router([
      ScriptedBackend(
        "bikes", errors: plain,
        routes: [
          route(.get, "/bikes"), route(.post, "/bikes"), route(.put, "/bikes/:id"),
          route(.put, "/bikes/:id/rented"), route(.delete, "/bikes/:id/rented"),
        ]),
      ScriptedBackend(
        "nba",
        routes: [
          route(.get, "/teams"), route(.get, "/teams/best"), route(.get, "/teams/:id"),
          route(.get, "/v1/teams/:id"), route(.delete, "/teams/:team"), route(.get, "/:kind/:id/last"),
        ]),
      ScriptedBackend(
        "hosts", routes: [route(.get, "/hosts"), route(.get, "/hosts/:id"), route(.get, "/hosts/:id/x")]),
      ScriptedBackend("nodes", routes: [route(.get, "/api/v1/lightning/nodes/:key"), route(.get, "/bikes")]),
    ])
  }

  @Test(arguments: [
    (Method.get, "/bikes", "/bikes"),
    (.get, "/bikes/", "/bikes"),
    (.head, "/bikes", ""),
    (.put, "/bikes/7", "/bikes/:id 7"),
    (.put, "/bikes/7/rented", "/bikes/:id/rented 7"),
    (.put, "/bikes/a%2Fb%20c/rented", "/bikes/:id/rented a/b c"),
    (.put, "/b%69kes/%C3%A9", "/bikes/:id é"),
    (.get, "/teams/best", "/teams/best"),
    (.get, "/teams/14", "/teams/:id 14"),
    (.delete, "/teams/best", "/teams/:team best"),
    (.get, "/v1/teams/14", "/v1/teams/:id 14"),
    (.get, "/teams/14/last", "/:kind/:id/last teams 14"),
    (.get, "/api/v1/lightning/nodes/02ab", "/api/v1/lightning/nodes/:key 02ab"),
    (.get, "/nodes/api/v1/lightning/nodes/02ab", "/api/v1/lightning/nodes/:key 02ab"),
    (.get, "/bikes/bikes", "/bikes"),
    (.put, "/bikes/bikes/7/rented", "/bikes/:id/rented 7"),
    (.get, "/nodes/bikes", "/bikes"),
    (.get, "/hosts/hosts", "/hosts"),
    (.get, "/hosts/hosts/7/x", "/hosts/:id/x 7"),
    (.get, "/hosts/7/x", "/hosts/:id/x 7"),
  ])
  func routeIsFound(_ method: Method, _ path: String, _ answer: String) {
    let response = RouterTests.ask(method, path)
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == answer)
  }

  @Test(arguments: [
    (Method.get, "/", 404), (.get, "/nowhere", 404), (.get, "/bikes/1/2/3", 404), (.get, "//bikes", 404),
    (.put, "/bikes//rented", 404), (.get, "/teams/%zz", 404), (.get, "/teams/%ff", 404),
    (.get, "/teams/%", 404), (.get, "/%/7/last", 404), (.get, "/%%/7/last", 404),
    (.get, String(repeating: "/a", count: 100), 404), (.get, "/Bikes", 404),
    (.delete, "/bikes", 405), (.get, "/bikes/7", 405), (.patch, "/teams", 405), (.options, "/bikes", 204),
  ])
  func unknownPathOrMethodHasErrorStatus(_ method: Method, _ path: String, _ status: Int) {
    #expect(RouterTests.ask(method, path).status == status)
  }

  /// The backend of a path without a route decides about the form of the error.
  @Test(
    arguments: [
      (.get, "/bikes", 0, "/bikes"), (.get, "/nodes/bikes", 3, "/bikes"),
      (.head, "/teams/best", 1, "/teams/best"),
      (.get, "/x/y/last", 1, "/:kind/:id/last"), (.put, "/bikes/bikes/7", 0, "/bikes/:id"),
      (.delete, "/bikes", 0, nil), (.post, "/teams/best", 1, nil), (.get, "/bikes/1/2/3", 0, nil),
      (.get, "/teams/1/2", 1, nil), (.get, "/hosts/7/y", 2, nil), (.get, "/api/x", 3, nil),
      // Nothing begins so but the name of a backend.
      (.get, "/nodes", 3, nil), (.get, "/nodes/teams", 3, nil), (.get, "/nba/a/b/c", 1, nil),
      (.get, "/", nil, nil), (.get, "/nowhere", nil, nil), (.get, "/x/y/z", nil, nil),
      (.get, "/teams/%zz", nil, nil),
    ] as [(HTTP.Method, String, Int?, String?)])
  func errorBelongsToBackendOfPath(_ method: HTTP.Method, _ path: String, _ backend: Int?, _ pattern: String?)
    throws
  {
    let router = RouterTests.router
    let routed = router.route(try ReceivedRequest(Request(method, URL(scheme: .demo, path: path))))
    #expect(routed.backend == backend)
    #expect(router.runner.pattern(of: routed) == pattern)
  }

  /// A request that waits must not hold the buffer that it arrived in.
  @Test(arguments: [("/bikes/7/rented", "7"), ("/b%69kes/%C3%A9/rented", "é")])
  func detachedRequestHasItsRouteAndItsOwnBytes(path: String, id: String) throws {
    let text = "PUT \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 1000)
    var parser = RequestParser(RequestLimits())
    let isWhole = try parser.advance(bytes.span.extracting(0..<text.utf8.count))
    #expect(isWhole)
    let router = RouterTests.router
    let routed = router.route(ReceivedRequest(bytes, from: 0, parser)).detached
    #expect(routed.request.bytes == Array(text.utf8))
    #expect(try #require(routed.path).bytes.count <= text.utf8.count)
    #expect(try router.runner.admit(routed)["id"] == id)
  }

  @Test(arguments: [(1, "", 200), (16, "", 200), (16, "/", 200), (16, "//", 404), (17, "", 404)])
  func aRouteHasSixteenSegmentsAtMost(count: Int, end: String, status: Int) {
    let routes = [1, 16, 17].map { Route(.get, String(repeating: "/s", count: $0)) { _ in Response(200) } }
    let url = URL(scheme: .demo, path: String(repeating: "/s", count: count) + end)
    #expect(Router([ScriptedBackend("x", routes: routes)]).respond(to: Request(.get, url)).status == status)
  }

  @Test func firstOfEqualRoutesResponds() {
    let router = Router([
      ScriptedBackend(
        "x",
        routes: [
          Route(.get, "/a/:b") { _ in Response(201) }, Route(.get, "/a/:c") { _ in Response(202) },
          Route(.head, "/a/:b") { _ in Response(204) },
        ]),
      ScriptedBackend("y", routes: [Route(.get, "/a/:b") { _ in Response(203) }]),
    ])
    func status(_ method: HTTP.Method, _ path: String) -> Int {
      router.respond(to: Request(method, URL(scheme: .demo, path: path))).status
    }
    #expect(status(.get, "/a/1") == 201)
    #expect(status(.head, "/a/1") == 204, "it has a route of its own")
    #expect(status(.get, "/y/a/1") == 203 && status(.head, "/y/a/1") == 203)
  }

  /// What could not be committed is no fault of the request, whatever the failure.
  @Test(arguments: [
    (Failure(.conflict, "x"), 500), (Failure(.storage, "x"), 500),
    (Failure(.storage, "x", retryable: true), 503),
  ])
  func anUncommittedResponseIsAnErrorOfTheServer(_ failure: Failure, _ status: Int) {
    var backend = ScriptedBackend("a", routes: [Route(.put, "/a") { _ in Response(200) }])
    backend.runTransaction = { body throws(Failure) in
      try body()
      throw failure
    }
    let request = Request(.put, URL(scheme: .demo, path: "/a"))
    #expect(Router([backend]).respond(to: request).status == status)
  }

  @Test(
    arguments: [
      (nil, "text"), ("text/html", "text"), ("application/json", "json"),
      ("text/html, application/json;q=0.9", "json"),
    ] as [(String?, String)])
  func errorStyleReceivesAcceptedTypes(_ accept: String?, _ form: String) {
    let style = ErrorStyle({ status, _, prefersJSON in
      Response(status, body: Array((prefersJSON ? "json" : "text").utf8))
    })
    let router = Router([
      ScriptedBackend(
        "a", errors: style, routes: [Route(.get, "/a") { _ throws(Failure) in throw Failure(.conflict, "x") }]
      )
    ])
    for path in ["/a", "/a/b"] {
      let headers: Headers = accept.map { ["Accept": $0] } ?? [:]
      let response = router.respond(to: Request(.get, URL(scheme: .demo, path: path), headers: headers))
      #expect(response.text == form)
    }
  }

  @Test func wrongMethodReceivesAllowHeader() {
    #expect(RouterTests.ask(.patch, "/bikes").headers["Allow"] == "GET, HEAD, POST, OPTIONS")
    #expect(RouterTests.ask(.post, "/bikes/7/rented").headers["Allow"] == "PUT, DELETE, OPTIONS")
    #expect(RouterTests.ask(.options, "/teams/best").headers["Allow"] == "GET, HEAD, DELETE, OPTIONS")
  }

  @Test func errorBodyHasStyleOfItsBackend() {
    #expect(RouterTests.ask(.get, "/bikes/x/y").text == "404 no route '/bikes/x/y'")
    #expect(RouterTests.ask(.delete, "/bikes").text == "405 '/bikes' does not take DELETE")
    #expect(RouterTests.ask(.get, "/api/x").text == #"{"error":"no route '/api/x'"}"#)
    #expect(RouterTests.ask(.get, "/else").text == #"{"error":"no route '/else'"}"#)
  }

  @Test func embeddedTransportRespondsLikeServer() throws {
    let url = URL(scheme: .demo, path: "/bikes/1/rented")
    let response = try EmbeddedTransport(RouterTests.router).send(Request(.put, url, body: [1]))
    #expect(response.text == "/bikes/:id/rented 1")
    let evil = try EmbeddedTransport(RouterTests.router).send(
      Request(.get, url, headers: ["X": "a\r\nY: b\rz"]))
    #expect(evil.status == 400)
  }

  private static func ask(_ method: Method, _ path: String) -> Response {
    router.respond(to: Request(method, URL(scheme: .demo, path: path)))
  }
}

extension Response {
  fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}

/// The texts of errors.
@Suite struct ErrorStyles {
  @Test(arguments: [
    (400, "'/srv/a.db' is odd"), (404, "'/srv/a.db' is odd"), (429, "'/srv/a.db' is odd"),
    (500, "internal server error"), (503, "service unavailable"), (507, "insufficient storage"),
  ])
  func internalFailureIsNotDisclosed(_ status: Int, _ text: String) {
    let failure = Failure(.storage, "'/srv/a.db' is odd", hint: "move '/srv/a.db' away")
    let plain = ErrorStyle { status, failure, _ in
      Response(status, body: Array("\(failure.message)\(failure.hint == nil ? "" : "!")".utf8))
    }
    #expect(plain.response(status, failure, false).text == text + (status < 500 ? "!" : ""))
    let json = ErrorStyle.json.response(status, failure, true)
    #expect(json.status == status && json.text == #"{"error":"\#(text)"}"#)
  }
}
