import HTTP
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// Who may send which request. A table of every kind of server, method and token.
@Suite(.ownThread, .needs(.libsqlite3)) struct AccessTests {
  enum Kind: CaseIterable {
    /// On this machine, and its store never had a user.
    case open
    case withUsers
    case isPublic
    /// Public, and so is reading from the suite.
    case publicSuite
  }

  /// A server whose handlers return the caller.
  private static func served(_ kind: Kind) throws -> (SteppedServer, UserTable) {
    let table = try UserTable(.memory(time: FakeClock()))
    if kind != .open {
      try table.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "secret")
    }
    let access = Access(
      table, isPublic: kind == .isPublic || kind == .publicSuite,
      publicSuites: kind == .publicSuite ? ["sample"] : [])
    let routes = HTTP.Method.allCases.filter { $0 != .options && $0 != .head }.map { method in
      Route(method, "/a") { call in Response(200, body: Array("\(call.caller)".utf8)) }
    }
    return (try SteppedServer([ScriptedBackend("sample", routes: routes)], access: access), table)
  }

  private static func status(_ kind: Kind, _ method: HTTP.Method, _ line: String) throws -> Int {
    let (stepped, _) = try served(kind)
    let client = try stepped.exchange("\(method.rawValue) /a HTTP/1.1\r\nHost: a\r\n\(line)\r\n")
    #expect(client.has("WWW-Authenticate: Bearer") == (client.statuses == [401]))
    return try #require(client.statuses.first)
  }

  @Test(arguments: Kind.allCases, [HTTP.Method.get, .head, .post, .put, .delete, .patch])
  func requestWithoutTokenHasStatusOfServerKind(_ kind: Kind, _ method: HTTP.Method) throws {
    let isRead = method == .get || method == .head
    let expected = kind == .open || kind == .publicSuite && isRead ? 200 : 401
    #expect(try Self.status(kind, method, "") == expected)
    #expect(try Self.status(kind, method, "Authorization: \r\n") == expected)
    #expect(try Self.status(kind, method, "X-Authorization: \r\n") == expected)
  }

  @Test(arguments: Kind.allCases, [HTTP.Method.get, .head, .post, .put, .delete, .patch])
  func requestWithTokenHasStatusOfServerKind(_ kind: Kind, _ method: HTTP.Method) throws {
    for line in ["Authorization: Bearer secret", "Authorization: bearer  secret", "X-Authorization: secret"] {
      #expect(try Self.status(kind, method, "\(line)\r\n") == 200)
    }
    // An open server ignores what it does not know: to the suite it may name an account.
    let expected = kind == .open ? 200 : 401
    for line in [
      "Authorization: Bearer secre", "Authorization: Bearer secretX", "Authorization: Basic secret",
      "Authorization: Bearer secret secret", "Authorization: Bearersecret", "X-Authorization: SECRET",
      "X-Authorization: \(String(repeating: "x", count: 10_000))",
    ] {
      #expect(try Self.status(kind, method, "\(line)\r\n") == expected, "\(line.prefix(40))")
    }
  }

  @Test func handlerReceivesCaller() throws {
    let (stepped, table) = try Self.served(.publicSuite)
    table.addTemporary(User("ada", isAdmin: true), token: "admin")
    #expect(try stepped.exchange("GET /a HTTP/1.1\r\nHost: a\r\n\r\n").body == "stranger")
    let ada = try stepped.exchange("GET /a HTTP/1.1\r\nHost: a\r\nX-Authorization: admin\r\n\r\n")
    #expect(ada.body == "\(Caller.user(User("ada", isAdmin: true)))")
    #expect(try Self.served(.open).0.exchange("GET /a HTTP/1.1\r\nHost: a\r\n\r\n").body == "anybody")
  }

  /// What a command changes in the store counts from the next request on.
  @Test func changedUsersApplyToTheNextRequest() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: FakeClock())
    let access = Access(try UserTable(store), isPublic: false, publicSuites: [])
    let backend = ScriptedBackend("sample", routes: [Route(.get, "/a") { _ in Response(200) }])
    let stepped = try SteppedServer([backend], access: access)
    let command = try UserTable(store)
    func status(_ token: String) throws -> Int? {
      try stepped.exchange("GET /a HTTP/1.1\r\nHost: a\r\nX-Authorization: \(token)\r\n\r\n").statuses.first
    }
    #expect(try status("x") == 200)
    let ann = User("ann", isAdmin: false)
    try command.add(.init(user: ann, added: Timestamp(seconds: 0)), token: "first")
    #expect(try [status("x"), status("first")] == [401, 200])
    try command.setToken(of: "ann", to: "second")
    #expect(try [status("first"), status("second")] == [401, 200])
    try command.remove("ann", at: Timestamp(seconds: 0))
    #expect(try status("second") == 401)
    // It does not become open again.
    #expect(try stepped.exchange(Sample.get).statuses == [401])
  }

  @Test(
    arguments: [
      ([], nil), ([("X-Authorization", "a")], "a"), ([("Authorization", "Bearer a")], "a"),
      ([("Authorization", "BEARER   a b")], "a b"), ([("Authorization", "Bearer")], "Bearer"),
      ([("Authorization", "Bearera")], "Bearera"), ([("Authorization", "Basic a")], "Basic a"),
      ([("Authorization", "")], nil), ([("X-Authorization", "Bearer a")], "Bearer a"),
      ([("X-Authorization", "a"), ("Authorization", "Bearer b")], "a"),
      ([("Authorization", "Bearer b"), ("X-Authorization", "a")], "a"),
      ([("X-Authorization", ""), ("Authorization", "Bearer b")], "b"),
    ] as [([(String, String)], String?)])
  func tokenIsReadFromHeaderFields(_ fields: [(String, String)], _ token: String?) throws {
    var headers: Headers = [:]
    for (name, value) in fields { headers.append(name, value) }
    let request = try ReceivedRequest(Request(.get, URL("http://a/"), headers: headers))
    #expect(Access.token(request) == token)
  }

  @Test func publicServerWithoutUsersRequiresToken() throws {
    let access = Access(try UserTable(.memory(time: FakeClock())), isPublic: true, publicSuites: ["read"])
    func served(_ suite: String) throws -> SteppedServer {
      let route = Route(.get, "/a") { call in Response(200, body: Array("\(call.serverHasUsers)".utf8)) }
      return try SteppedServer([ScriptedBackend(suite, routes: [route])], access: access)
    }
    #expect(try served("sample").exchange(Sample.get).statuses == [401])
    #expect(try served("read").exchange(Sample.get).body == "true")
  }

  @Test func handlerReceivesWhetherServerHasUsers() throws {
    let table = try UserTable(.memory(time: FakeClock()))
    let route = Route(.get, "/a") { call in
      Response(200, body: Array("\(call.serverHasUsers) \(call.caller.user?.name ?? "-")".utf8))
    }
    let access = Access(table, isPublic: false, publicSuites: ["sample"])
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: [route])], access: access)
    let ann = "GET /a HTTP/1.1\r\nHost: a\r\nX-Authorization: secret\r\n\r\n"
    #expect(try stepped.exchange(ann).body == "false -")
    try table.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "secret")
    #expect(try stepped.exchange(ann).body == "true ann")
    #expect(try stepped.exchange(Sample.get).body == "true -")
  }

  @Test func openRouteNeedsTheSameTokenAsReading() throws {
    let table = try UserTable(.memory(time: FakeClock()))
    for (publicSuites, status) in [(["sample"], 200), ([], 401)] as [(Set<String>, Int)] {
      let access = Access(table, isPublic: true, publicSuites: publicSuites)
      let route = Route(.post, "/a", isOpen: true) { _ in Response(200) }
      let router = Router([ScriptedBackend("sample", routes: [route])], access: access)
      #expect(router.respond(to: Request(.post, URL(scheme: .demo, path: "/a"))).status == status)
    }
  }
}
