import System
import TestSupport
import Testing

@testable import Store

/// Triggers, views and tables that somebody has put into a database of hw.
@Suite struct ForeignObjects {
  private static let shop = Migrations(
    "shop",
    [
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE INDEX item_name ON item (name);",
      "CREATE TABLE maker (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item, sort TEXT DEFAULT 'a');",
    ])
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test(
    .needs(.libsqlite3),
    arguments: [
      ("CREATE TABLE mine (v INTEGER)", "table mine"),
      ("CREATE VIEW all_items AS SELECT * FROM item", "view all_items"),
      ("CREATE INDEX by_name ON item (name)", "index by_name"),
      ("ALTER TABLE item ADD COLUMN more INTEGER", "table item"),
      ("DROP INDEX item_name; CREATE INDEX item_name ON item (name) WHERE id > 5", "index item_name"),
      ("DROP TABLE maker; CREATE TABLE maker (id INTEGER PRIMARY KEY ON CONFLICT REPLACE)", "table maker"),
      ("CREATE TRIGGER spy AFTER INSERT ON item BEGIN INSERT INTO maker (id) VALUES (1); END", "trigger spy"),
      ("CREATE TABLE \"item\nmore\" (v INTEGER)", "table item more"),
    ])
  func databaseWithAForeignObjectIsRefused(sql: String, object: String) throws {
    let store = Store(folder: scratch.path, time: FakeClock())
    let database = try store.open(ForeignObjects.shop)
    let statements = sql.contains("TRIGGER") ? [sql] : sql.split(separator: ";").map(String.init)
    for statement in statements { try database.run(statement) }
    // A trigger that came while the database was open does not run either.
    try database.run("INSERT INTO item (name) VALUES ('a')")
    #expect(try database.integer("SELECT count(*) FROM maker") == 0)
    let refusal = "'\(scratch.file("shop.db"))' has objects that do not belong to it: \(object)"
    #expect(failure { _ = try store.open(ForeignObjects.shop) }?.message == refusal)
    #expect(failure { _ = try store.verify(ForeignObjects.shop) }?.message == refusal)
  }

  /// SQLite deletes the file whose name is at the end of a journal, behind the number of a page.
  @Test(.needs(.libsqlite3)) func journalThatNamesAFileIsRefused() throws {
    let store = Store(folder: scratch.path, time: FakeClock())
    try store.open(ForeignObjects.shop).run("PRAGMA journal_mode = DELETE")
    try scratch.write("a key", to: "victim")
    func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
    let size = try #require(File.size(scratch.file("shop.db")))
    let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let name = Array(scratch.file("victim").utf8)
    var journal = mark + [0, 1, size / 4096, 512, 4096].flatMap(number)
    journal += [UInt8](repeating: 0, count: 512 - journal.count) + number(0x4000_0000 / 4096 + 1) + name
    journal += number(name.count) + number(name.reduce(0) { $0 + Int($1) }) + mark
    try File.replace(scratch.file("shop.db-journal"), with: journal)
    let refused = failure { _ = try store.open(ForeignObjects.shop) }
    #expect(refused?.message == "'\(scratch.file("shop.db"))' has a journal that does not belong to it")
    #expect(failure { _ = try store.verify(ForeignObjects.shop) } == refused)
    // Its owner may put it there after the check.
    let connection = try SQLiteConnection(scratch.file("shop.db"), name: "shop", time: FakeClock())
    _ = failure { try connection.execute("SELECT count(*) FROM item") }
    #expect(scratch.text("victim") == "a key")
  }

  /// Statements, each on a line of its own, and why the schema is refused after them.
  @Test(.needs(.postgresql)) func schemasAreRefusedAsRecorded() throws {
    try RecordedText.holdTexts("foreign-objects.txt") { text in
      let address = try PostgreSQLAddress(#require(PostgreSQLServer.shared).newSchema())
      let store = Store(address, environment: Environment([:]), time: SystemTime())
      let database = try store.open(ForeignObjects.shop)
      for sql in text.split(separator: "\n") { try database.run(String(sql)) }
      let refused = failure { _ = try store.open(ForeignObjects.shop) }
      #expect(refused?.kind == .storage)
      #expect(failure { _ = try store.verify(ForeignObjects.shop) }?.message == refused?.message)
      let reason = refused?.message.split(separator: "' ", maxSplits: 1).last
      return ["! \(reason ?? "accepted")"]
    }
  }

  /// Nothing of it may run: not when it is read, nor when the first version is added.
  @Test(
    .needs(.postgresql),
    arguments: [
      ("TABLE SCHEMA.hw_version (suite TEXT COLLATE \"C\" PRIMARY KEY, version BIGINT NOT NULL, CHECK (SCHEMA.spy()))"),
      ("VIEW SCHEMA.hw_version AS SELECT 'shop' AS suite, 1 AS version WHERE SCHEMA.spy()"),
    ])
  func tableOfVersionsThatOthersMadeIsRefused(sql: String) throws {
    let server = try #require(PostgreSQLServer.shared)
    let address = try server.newSchema()
    let schema = try #require(address.split(separator: "%3D").last)
    for sql in [
      "CREATE TABLE SCHEMA.log (v BIGINT)",
      "CREATE FUNCTION SCHEMA.spy() RETURNS bool LANGUAGE sql AS 'INSERT INTO SCHEMA.log VALUES (1); SELECT true'",
      "CREATE \(sql)",
    ] {
      try server.execute(sql.replacing("SCHEMA", with: schema))
    }
    let store = Store(try PostgreSQLAddress(address), environment: Environment([:]), time: SystemTime())
    let refused = failure { _ = try store.open(ForeignObjects.shop) }
    #expect(refused?.message.contains("has objects that do not belong to it: ") == true, "\(refused as Any)")
    #expect(try server.execute("SELECT count(*) FROM \(schema).log") == "0")
  }

  /// Statements that make code which fits a statement of hw better than PostgreSQL's own, and its name.
  private static let code: [(sql: String, name: String)] = [
    ("FUNCTION SCHEMA.quote_ident(name) RETURNS text BODY", "FUNCTION SCHEMA.quote_ident(name)"),
    (
      "FUNCTION SCHEMA.concat_ws(text, text, numeric, numeric) RETURNS text BODY",
      "FUNCTION SCHEMA.concat_ws(text, text, numeric, numeric)"
    ),
    (
      "OPERATOR SCHEMA.|| (LEFTARG = name, RIGHTARG = name, FUNCTION = SCHEMA.both)",
      "OPERATOR SCHEMA.|| (name, name)"
    ),
  ]

  /// Code in hw's schema, and in another one of the search_path, which is not consulted.
  @Test(.needs(.postgresql), arguments: ForeignObjects.code, [true, false])
  func codeOfAnotherRoleDoesNotRun(code: (sql: String, name: String), isInOwnSchema: Bool) throws {
    let server = try #require(PostgreSQLServer.shared)
    let (address, other) = (try server.newSchema(), try server.newSchema())
    let own = try #require(address.split(separator: "%3D").last)
    let schema = try #require((isInOwnSchema ? address : other).split(separator: "%3D").last)
    let path = try PostgreSQLAddress("\(address),\(other.split(separator: "%3D").last ?? ""),pg_catalog")
    let store = Store(path, environment: Environment([:]), time: SystemTime())
    let database = try store.open(ForeignObjects.shop)
    let role = "other_\(RandomID.make())"
    let body = "LANGUAGE sql AS 'INSERT INTO \(own).item (name) VALUES (''a''); SELECT ''item''::text'"
    for sql in [
      "CREATE FUNCTION SCHEMA.both(name, name) RETURNS text BODY", "CREATE \(code.sql)",
      "CREATE ROLE \(role)", "ALTER FUNCTION SCHEMA.both(name, name) OWNER TO \(role)",
      "ALTER \(code.name) OWNER TO \(role)",
    ] {
      try server.execute(sql.replacing("BODY", with: body).replacing("SCHEMA", with: schema))
    }
    let refused = failure { _ = try store.open(ForeignObjects.shop) }
    let isRefused = refused?.message.contains("a function or operator of another role") == true
    #expect(isInOwnSchema ? isRefused : refused == nil, "\(refused as Any)")
    #expect(failure { _ = try store.verify(ForeignObjects.shop) } == refused)
    #expect(try database.integer("SELECT count(*) FROM item") == 0)
  }

  /// A setting of the database, and what a REINDEX CONCURRENTLY makes or leaves behind.
  @Test(.needs(.postgresql)) func quotesAndInvalidCopiesOfIndexesAreAccepted() throws {
    let address = try #require(PostgreSQLServer.shared).newSchema() + "%20-cquote_all_identifiers%3Don"
    let store = Store(try PostgreSQLAddress(address), environment: Environment([:]), time: SystemTime())
    let migrations = Migrations(
      "part",
      [
        "CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT);",
        "CREATE INDEX part_name ON part (name); CREATE INDEX part_late ON part (name) WHERE id > 5;",
      ])
    let database = try store.open(migrations)
    for index in ["part_name_ccnew ON part (name)", "part_late_ccnew ON part (name) WHERE id > 5"] {
      let name = index.prefix { $0 != " " }
      try database.run("CREATE INDEX \(index)")
      try database.run("UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\(name)'::regclass")
    }
    _ = try store.open(migrations)
    #expect(try store.verify(migrations)?.count == 1)
  }
}
