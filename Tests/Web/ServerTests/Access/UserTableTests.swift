import Store
import System
import TestSupport
import Testing

@testable import Server

/// The users of a store: what a change refuses, and when a server learns of it.
@Suite(.needs(.libsqlite3)) struct UserTableTests {
  private static let ann = UserTable.Record(user: User("ann", isAdmin: false), added: Timestamp(seconds: 5))
  private static let ben = UserTable.Record(
    user: User("ben", isAdmin: true), added: Timestamp(seconds: 1_700_000_000))

  private static func listed(_ table: UserTable) throws -> [UserTable.Record] {
    try table.all().map { UserTable.Record(user: $0.user, added: $0.added) }
  }

  @Test func tokenIDDiffersBetweenTokens() throws {
    let table = try Self.table()
    try table.add(Self.ann, token: "a")
    let first = try table.find("ann")?.tokenID
    #expect(first?.count == 8)
    try table.setToken(of: "ann", to: "b")
    #expect(try table.find("ann")?.tokenID != first)
    try table.setToken(of: "ann", to: "a")
    #expect(try table.find("ann")?.tokenID == first)
  }

  private static func table() throws(Failure) -> UserTable { try UserTable(.memory(time: FakeClock())) }

  @Test func recordsAreListedByName() throws {
    let table = try Self.table()
    #expect(try table.all() == [])
    try table.add(Self.ben, token: "b")
    try table.add(Self.ann, token: "a")
    #expect(try Self.listed(table) == [Self.ann, Self.ben])
    #expect(try table.find("ben")?.user == Self.ben.user)
    #expect(try table.find("cid") == nil)
    try table.remove("ann", at: Timestamp(seconds: 9))
    #expect(try Self.listed(table) == [Self.ben])
    #expect(try table.former(before: Timestamp(seconds: 9)) == [])
    #expect(try table.former(before: Timestamp(seconds: 10)) == ["ann"])
  }

  @Test func refusedChangeIsExplained() throws {
    let table = try Self.table()
    try table.add(Self.ann, token: "a")
    try table.add(Self.ben, token: "b")
    func record(_ name: String) -> UserTable.Record {
      UserTable.Record(user: User(name, isAdmin: false), added: Timestamp(seconds: 0))
    }
    let another = Failure(.conflict, "another user has this token")
    let exists = Failure(.conflict, "the server has a user 'ann' already")
    let unknown = Failure(
      .notFound, "the server has no user 'cid'", hint: "'hw users list', with the same --store, shows them")
    let invalid = Failure(
      .usage, "invalid user name 'a b'",
      hint: "a name has 1 to 64 ASCII letters, digits, '-', '_' and '.', and begins with a letter or digit")
    #expect(throws: exists) { try table.add(record("ann"), token: "c") }
    #expect(throws: exists) { try table.add(record("ann"), token: "b") }
    #expect(throws: another) { try table.add(record("cid"), token: "a") }
    #expect(throws: invalid) { try table.add(record("a b"), token: "c") }
    for name in ["-", "-a", ".a", "_a", "", "a/b", "ä", "a\n", String(repeating: "a", count: 65)] {
      #expect(failure { try table.add(record(name), token: "c") }?.message == "invalid user name '\(name)'")
    }
    #expect(
      failure { try table.add(record("command"), token: "c") }?.message
        == "'command' is the user of the command of 'hw serve -- COMMAND'")
    #expect(throws: another) { try table.setToken(of: "ann", to: "b") }
    #expect(throws: unknown) { try table.setToken(of: "cid", to: "c") }
    #expect(throws: unknown) { try table.setToken(of: "cid", to: "a") }
    #expect(throws: unknown) { try table.remove("cid", at: Timestamp(seconds: 9)) }
    #expect(throws: unknown) { try table.setAdmin(true, of: "cid") }
    let last = Failure(
      .conflict, "'ben' is the last admin",
      hint: "make another user an admin first, with 'hw users add NAME --admin'")
    #expect(throws: last) { try table.setAdmin(false, of: "ben") }
    #expect(throws: last) { try table.remove("ben", at: Timestamp(seconds: 9)) }
    // Its own token is no other's.
    try table.setToken(of: "ann", to: "a")
    #expect(try Self.listed(table) == [Self.ann, Self.ben])
    #expect(try table.user(of: "a") == Self.ann.user && table.user(of: "b") == Self.ben.user)
  }

  @Test func changesApplyFromTheNextTurn() throws {
    let table = try Self.table()
    #expect(try table.isUnused)
    try table.add(Self.ann, token: "a")
    #expect(try table.isUnused && table.user(of: "a") == nil)
    table.turnEnded()
    #expect(try !table.isUnused && table.user(of: "a") == Self.ann.user)
    try table.add(Self.ben, token: "b")
    try table.setToken(of: "ann", to: "c")
    #expect(try table.user(of: "b") == nil && table.user(of: "c") == nil)
    #expect(try table.user(of: "a") == Self.ann.user)
    table.turnEnded()
    #expect(try table.user(of: "a") == nil)
    #expect(try table.user(of: "b") == Self.ben.user && table.user(of: "c") == Self.ann.user)
    try table.setAdmin(true, of: "ann")
    table.turnEnded()
    #expect(try table.user(of: "c") == User("ann", isAdmin: true))
    try table.remove("ann", at: Timestamp(seconds: 9))
    try table.remove("ben", at: Timestamp(seconds: 9), evenLastAdmin: true)
    table.turnEnded()
    #expect(try table.user(of: "b") == nil && table.user(of: "c") == nil)
    #expect(try !table.isUnused, "it had users")
    // A turn without a change.
    table.turnEnded()
    #expect(try !table.isUnused)
    try table.add(Self.ben, token: "b", again: true)
    #expect(try table.user(of: "b") == nil, "this turn has looked already")
  }

  @Test func temporaryUserIsNotStored() throws {
    let table = try Self.table()
    let ada = User("ada", isAdmin: true)
    table.addTemporary(ada, token: "t")
    #expect(try table.user(of: "t") == ada && table.user(of: "T") == nil)
    #expect(try table.isUnused && table.all() == [])
    try table.add(Self.ann, token: "t")
    table.turnEnded()
    #expect(try table.user(of: "t") == Self.ann.user)
  }

  @Test(.needs(.libpq))
  func tokenIsDeliveredOnceWhenTransactionIsRetried() throws {
    let server = try PostgreSQLDouble()
    // The tables of the users are there already.
    server.respond(to: "SELECT to_regclass", .rows([[.bool(true)]]))
    server.respond(to: "SELECT deleted_at", .rows([]), .rows([]))
    server.respond(to: "SELECT version", .rows([[.integer(2)]]))
    let store = Store(try PostgreSQLAddress(server.address), environment: Environment([:]), time: FakeClock())
    let table = try UserTable(store)
    server.respond(to: "COMMIT", .error(state: "40001", "too late"))
    var delivered = 0
    try table.add(Self.ann, token: "a") { delivered += 1 }
    #expect(delivered == 1)
    #expect(server.takeLog().count { $0 == "  COMMIT" } == 2)
  }

  @Test func undeliveredTokenIsTakenBack() throws {
    let table = try Self.table()
    func fail() throws(Failure) { throw Failure(.closedPipe, "gone") }
    var delivered = 0
    func deliver() { delivered += 1 }
    func refused(_ body: () throws -> Void) -> String? {
      let found = failure(body)
      return found?.kind == .storage ? found?.message : nil
    }
    let notAdded = "the token could not be printed: gone; user 'ann' was not added"
    for _ in 0..<2 {
      #expect(refused { try table.add(Self.ann, token: "a", deliver: fail) } == notAdded)
      table.turnEnded()
      #expect(try table.all() == [] && table.isUnused && table.user(of: "a") == nil)
    }
    try table.add(Self.ann, token: "a", deliver: deliver)
    table.turnEnded()
    #expect(try delivered == 1 && !table.isUnused && table.user(of: "a") == Self.ann.user)
    #expect(
      refused { try table.setToken(of: "ann", to: "b", deliver: fail) }
        == "the token could not be printed: gone; the former token of 'ann' is valid")
    table.turnEnded()
    #expect(try table.user(of: "a") == Self.ann.user && table.user(of: "b") == nil)
    try table.setToken(of: "ann", to: "b", deliver: deliver)
    #expect(delivered == 2)
    // What is refused is not delivered.
    #expect(throws: Failure.self) { try table.add(Self.ann, token: "c", deliver: deliver) }
    #expect(throws: Failure.self) { try table.setToken(of: "cid", to: "c", deliver: deliver) }
    #expect(delivered == 2)
  }

  @Test func nameOfDeletedUserIsRefusedExceptAgain() throws {
    let table = try Self.table()
    try table.add(Self.ann, token: "a")
    try table.remove("ann", at: Timestamp(seconds: 9))
    let refusal = failure { try table.add(Self.ann, token: "b") }
    #expect(refusal?.kind == .conflict && refusal?.hint?.contains("--again") == true)
    // The server stays closed, and the name stays refused.
    #expect(throws: Failure.self) {
      try table.add(Self.ann, token: "b", again: true) { () throws(Failure) in throw Failure(.storage, "full")
      }
    }
    #expect(try !table.isUnused && table.all() == [])
    #expect(failure { try table.add(Self.ann, token: "b") } == refusal)
    try table.add(Self.ann, token: "b", again: true)
    #expect(try Self.listed(table) == [Self.ann] && table.former(before: Timestamp(seconds: 99)) == [])
    try table.remove("ann", at: Timestamp(seconds: 9))
    try table.forget("ann")
    try table.add(Self.ann, token: "c")
  }
}
