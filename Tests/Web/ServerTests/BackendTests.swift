import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Server

/// What a backend is made of, and what its failures become.
@Suite struct BackendTests {
  private static let causes = [.full, .denied, .unavailable].map { problem in
    Failure(.storage, "x", cause: .storage(problem))
  }

  private static let statuses: [(Failure, Int)] =
    [
      (Failure(.no, "x"), 500), (Failure(.usage, "x"), 400), (Failure(.notFound, "x"), 404),
      (Failure(.conflict, "x"), 409), (Failure(.connection, "x"), 500), (Failure(.invalidData, "x"), 400),
      (Failure(.unauthorized, "x"), 401), (Failure(.rateLimited, "x"), 429), (Failure(.captcha, "x"), 500),
      (Failure(.storage, "x"), 500), (Failure(.storage, "x", retryable: true), 503),
      (Failure(.conflict, "x", retryable: true), 409), (Failure(.defect, "x"), 500),
      (Failure(.interrupted, "x"), 500), (Failure(.closedPipe, "x"), 500),
    ] + Array(zip(causes, [507, 503, 500]))

  @Test(arguments: statuses.indices) func eachFailureHasItsStatus(_ index: Int) {
    let (failure, status) = Self.statuses[index]
    #expect(ErrorStyle.status(of: failure) == status)
    let route = Route(.get, "/a") { _ throws(Failure) in throw failure }
    let response = Router([ScriptedBackend("a", routes: [route])]).respond(
      to: Request(.get, URL(scheme: .demo, path: "/a")))
    #expect(response.status == status)
    #expect(response.headers["Retry-After"] == (status == 503 ? "1" : nil))
  }

  /// The event loop knows the routes only.
  @Test func routeWithoutHandlerReportsInternalError() throws {
    var backend = ScriptedBackend("sample", routes: Sample.routes)
    backend.hasMemory = true
    let list = RouteList(backend)
    #expect(list.suite == "sample" && list.hasMemory)
    #expect(list.routes.map(\.pattern) == Sample.routes.map(\.pattern))
    #expect(list.routes.map(\.method) == Sample.routes.map(\.method))
    let transport = EmbeddedTransport(Router([list]))
    #expect(throws: Failure(.defect, "GET /items/:id has no handler in the event loop")) {
      try transport.send(Request(.get, URL(scheme: .demo, path: "/items/7")))
    }
  }
}
