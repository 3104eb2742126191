import System
import TestSupport
import Testing

@testable import Store

@Suite("Shapes of tables", installed) struct TableShapeTests {
  @Test func tablesInTheirOrderWithTheirColumns() throws {
    let engine = try SQLiteEngine(.memory, time: FakeClock())
    try engine.execute(
      """
      CREATE TABLE z (id INTEGER PRIMARY KEY, b TEXT, a TEXT);
      CREATE TABLE a (x integer PRIMARY KEY AUTOINCREMENT);
      CREATE TABLE "it's" (k TEXT PRIMARY KEY);
      CREATE TABLE sqlitex (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE sequence (name TEXT);
      CREATE TABLE last (v INTEGER);
      CREATE VIEW seen AS SELECT 1;
      """)
    #expect(
      try engine.tableShapes() == [
        TableShape(name: "z", columns: ["id", "b", "a"], identityColumn: "id"),
        TableShape(name: "a", columns: ["x"], identityColumn: "x"),
        TableShape(name: "it's", columns: ["k"], identityColumn: nil),
        TableShape(name: "sqlitex", columns: ["a", "b"], identityColumn: nil),
        TableShape(name: "last", columns: ["v"], identityColumn: nil),
      ])
  }

  @Test func sequencesAreSortedWithoutTransactionSequence() throws {
    let script = "CREATE SEQUENCE b MINVALUE 1;\nCREATE SEQUENCE a MINVALUE 5;\nCREATE TABLE t (w INTEGER);"
    let shapes = try TableShape.all(
      Migrations("suite", [script], transactionColumns: ["w"]), time: FakeClock())
    #expect(shapes.tables == [TableShape(name: "t", columns: ["w"], identityColumn: nil)])
    #expect(shapes.sequences == ["a", "b"])
    let plain = try TableShape.all(Migrations("suite", ["CREATE TABLE t (v TEXT);"]), time: FakeClock())
    #expect(plain.sequences == [])
  }

  @Test func nameThatIsNotTextIsDamage() throws {
    let engine = try SQLiteEngine(.memory, time: FakeClock())
    #expect(try engine.texts("SELECT 'b' UNION ALL SELECT 'a'") == ["b", "a"])
    #expect(try engine.texts("SELECT 'a' WHERE 1 = 0") == [])
    for value in ["1", "NULL"] {
      let found = failure { try engine.texts("SELECT 'a' UNION ALL SELECT \(value)") }
      #expect(found?.kind == .storage)
      #expect(found?.message == "database 'memory' is damaged: a name is no text")
    }
  }
}
