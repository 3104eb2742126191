import Foundation
import System
import TestSupport
import Testing

@testable import Store

let bikes = Migrations(
  "bikes",
  [
    "CREATE TABLE bike (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO bike VALUES (1, 'Henry')",
    "ALTER TABLE bike ADD COLUMN color TEXT; UPDATE bike SET color = '00C8E6'",
  ])

@Suite("Store", installed) struct DurableStoreTests {
  let scratch: ScratchDirectory
  let store: Store

  init() throws {
    scratch = try ScratchDirectory()
    store = Store(folder: scratch.path, time: SystemTime())
  }

  @Test func databaseIsCreatedInPrivateFolder() throws {
    let store = Store(folder: scratch.file("a/b"), time: SystemTime())
    #expect(scratch.names == [])
    #expect(try store.open(bikes).text("SELECT name || color FROM bike") == "Henry00C8E6")
    #expect(scratch.mode("a") == 0o700)
    #expect(scratch.mode("a/b") == 0o700)
    #expect(scratch.mode("a/b/bikes.db") == 0o600)
  }

  /// A server that is not root could not open it otherwise.
  @Test(.enabled(if: geteuid() == 0))
  func rootMakesDatabaseForOwnerOfFolder() throws {
    // A container may forbid it.
    guard chown(scratch.path, 65534, 65534) == 0 else { return }
    _ = try store.open(bikes)
    var status = stat()
    let found = lstat(scratch.file("bikes.db"), &status)
    #expect(found == 0 && status.st_uid == 65534)
  }

  @Test func secondOpenTakesNoSteps() throws {
    try store.open(bikes).run("DELETE FROM bike")
    let first = try store.open(bikes)
    let second = try store.open(bikes)
    try first.run("INSERT INTO bike VALUES (7, 'Hans', 'x')")
    #expect(try second.integer("SELECT sum(id) FROM bike") == 7)
  }

  @Test(arguments: [0o600, 0o644])
  func databaseThatIsThereKeepsItsMode(_ mode: Int) throws {
    #expect(try store.open(bikes).integer("SELECT count(*) FROM bike") == 1)
    #expect(scratch.mode("bikes.db") == 0o600)
    chmod(scratch.file("bikes.db"), mode_t(mode))
    #expect(try store.open(bikes).integer("SELECT count(*) FROM bike") == 1)
    #expect(scratch.mode("bikes.db") == mode)
  }

  @Test func olderDatabaseGetsStepsItLacksAndKeepsItsRows() throws {
    let before = Migrations("bikes", Array(bikes.steps.prefix(1)))
    try store.open(before).run("INSERT INTO bike VALUES (2, 'Hans')")
    let database = try store.open(bikes)
    #expect(try database.text("SELECT group_concat(name || color) FROM bike") == "Henry00C8E6,Hans00C8E6")
    #expect(try database.integer("PRAGMA user_version") == 2)
  }

  @Test func stepThatFailsLeavesDatabaseAtItsOldVersionWhole() throws {
    _ = try store.open(bikes)
    let next = Migrations("bikes", bikes.steps + ["DELETE FROM bike", "INSERT INTO nowhere VALUES (1)"])
    #expect(failure { try store.open(next) }?.kind == .storage)
    let database = try store.open(bikes)
    #expect(try database.integer("SELECT count(*) FROM bike") == 1)
    #expect(try database.integer("PRAGMA user_version") == 2)
  }

  @Test("a step may rebuild a table that others refer to; afterwards references hold again")
  func rebuild() throws {
    let first = Migrations(
      "bikes",
      [
        """
        CREATE TABLE bike (id INTEGER PRIMARY KEY); INSERT INTO bike VALUES (1);
        CREATE TABLE rental (bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE);
        INSERT INTO rental VALUES (1)
        """
      ])
    _ = try store.open(first)
    let rebuild = """
      CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO new SELECT id, 'x' FROM bike;
      DROP TABLE bike; ALTER TABLE new RENAME TO bike
      """
    let database = try store.open(Migrations("bikes", first.steps + [rebuild]))
    #expect(try database.integer("SELECT count(*) FROM rental JOIN bike ON bike = id") == 1)
    #expect(
      failure { try database.run("INSERT INTO rental VALUES (2)") }?.message
        .contains("FOREIGN KEY") == true)
    let orphaning = Migrations("bikes", first.steps + [rebuild, "DELETE FROM bike"])
    #expect(failure { try store.open(orphaning) }?.kind == .defect)
    #expect(try database.integer("SELECT count(*) FROM bike") == 1)
  }

  @Test func processesThatStartAtOnceMigrateOnceAndAllTheirRowsAreKept() async throws {
    let (folder, gate) = (scratch.file("shared"), scratch.file("gate"))
    try Folder.make(gate)
    await withTaskGroup { group in
      for n in 2...5 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [folder = folder as String, gate = gate as String, n = n as Int] in
            // None goes on before all are there.
            try File.open("\(gate)/\(n)", .createNew).close()
            try waitUntil("the other processes") { try Folder.names(gate).count == 4 }
            for round in 0..<20 {
              try Store(folder: "\(folder)/\(round)", time: SystemTime()).open(bikes)
                .run("INSERT INTO bike VALUES (?, 'x', 'y')", [.integer(n)])
            }
          }
        }
      }
    }
    for round in 0..<20 {
      let database = try Store(folder: "\(folder)/\(round)", time: SystemTime()).open(bikes)
      #expect(try database.integers("SELECT id FROM bike") == [1, 2, 3, 4, 5])
    }
  }

  @Test func newerDatabaseIsRefusedAndNotByteOfItOrBesideItIsChanged() throws {
    _ = try store.open(Migrations("bikes", bikes.steps + ["CREATE TABLE later (v)"]))
    let before = try scratch.bytes("bikes.db")
    let found = failure { try store.open(bikes) }
    #expect(
      found?.message
        == "'\(scratch.file("bikes.db"))' is of a newer hw: version 3, and this one reads up to 2")
    #expect(found?.hint?.range(of: "update hw") != nil)
    #expect(try scratch.bytes("bikes.db") == before)
    #expect(scratch.names == ["bikes.db"])
  }

  @Test("a newer one that another process has open, or was killed with, is refused as well, untouched")
  func newerInUse() throws {
    _ = try store.open(bikes)
    let newer = try store.open(Migrations("bikes", bikes.steps + ["CREATE TABLE later (v)"]))
    // The new version stands in the -wal file alone: a copy of both is what a kill leaves.
    let copy = try ScratchDirectory()
    for name in ["bikes.db", "bikes.db-wal"] {
      try scratch.bytes(name).write(to: URL(fileURLWithPath: copy.file(name)))
    }
    for scratch in [scratch, copy] {
      let before = try (scratch.bytes("bikes.db"), scratch.bytes("bikes.db-wal"))
      let store = Store(folder: scratch.path, time: SystemTime())
      #expect(failure { try store.open(bikes) }?.message.range(of: "newer hw") != nil)
      #expect(try scratch.bytes("bikes.db") == before.0)
      #expect(try scratch.bytes("bikes.db-wal") == before.1)
    }
    #expect(try newer.integer("SELECT count(*) FROM later") == 0)
  }

  @Test func filesOfKilledCreationAreRemovedByTheNext() throws {
    let left = [
      "bikes.db.2147483646.1.tmp", "bikes.db.2147483646.1.tmp-wal", "bikes.db.2147483646.1.tmp-journal",
    ]
    for name in left { try scratch.write("", to: name) }
    _ = try store.open(bikes)
    #expect(Set(scratch.names).isDisjoint(with: left), "\(scratch.names)")
  }

  @Test func briefStoreLeavesLog() throws {
    let brief = Store(folder: scratch.path, isBrief: true, time: SystemTime())
    _ = try brief.open(bikes)
    #expect(scratch.names == ["bikes.db"])
    try brief.open(bikes).run("INSERT INTO bike VALUES (2, 'Hans', 'x')")
    #expect(scratch.names == ["bikes.db", "bikes.db-shm", "bikes.db-wal"])
    #expect(scratch.mode("bikes.db-wal") == 0o600)
    let before = try scratch.bytes("bikes.db")
    #expect(try brief.open(bikes).integer("SELECT count(*) FROM bike") == 2)
    #expect(try scratch.bytes("bikes.db") == before)
    #expect(try store.open(bikes).integer("SELECT count(*) FROM bike") == 2)
    #expect(scratch.names == ["bikes.db"])
  }

  /// The log has more than a text of its pages: 256 KB are the limit.
  @Test(arguments: [(180_000, true), (300_000, false)])
  func briefStoreFoldsInALogThatHasGrown(count: Int, isKept: Bool) throws {
    let brief = Store(folder: scratch.path, isBrief: true, time: SystemTime())
    _ = try store.open(bikes)
    let text = SQLValue.text(String(repeating: "x", count: count))
    try brief.open(bikes).run("INSERT INTO bike VALUES (2, ?, 'x')", [text])
    #expect((150_000..<256 << 10).contains(File.size(scratch.file("bikes.db-wal")) ?? 0) == isKept)
    #expect(isKept || scratch.names == ["bikes.db"])
    #expect(try brief.open(bikes).integer("SELECT count(*) FROM bike") == 2)
    #expect(isKept || scratch.names == ["bikes.db"])
  }

  @Test func anothersLogIsLeftAsItWasFoundWithDatabaseThatItBelongsTo() throws {
    let names = ["bikes.db", "bikes.db-wal"]
    let theirs = try ScratchDirectory()
    let owner = try Database(theirs.file("bikes.db"))
    try owner.run("CREATE TABLE theirs (v)")
    for name in names { try theirs.bytes(name).write(to: URL(fileURLWithPath: scratch.file(name))) }
    let found = failure { try store.open(bikes) }
    #expect(found?.message.hasSuffix("is not a database of 'hw bikes'") == true)
    for name in names { #expect(try scratch.bytes(name) == theirs.bytes(name)) }
  }

  @Test(arguments: ["PRAGMA user_version = 1", "PRAGMA application_id = 7", "CREATE TABLE theirs (v)"])
  func databaseOfAnotherProgramIsRefused(_ sql: String) throws {
    try Database(scratch.file("bikes.db")).run(sql)
    let before = try scratch.bytes("bikes.db")
    let found = failure { try store.open(bikes) }
    #expect(found?.message == "'\(scratch.file("bikes.db"))' is not a database of 'hw bikes'")
    #expect(try scratch.bytes("bikes.db") == before)
    #expect(scratch.names == ["bikes.db"])
  }

  @Test(arguments: Damage.allCases)
  func damagedDatabaseIsReportedAndKept(_ damage: Damage) throws {
    let database = try store.open(bikes)
    try database.transaction { () throws(Failure) in
      for n in 2...500 { try database.run("INSERT INTO bike VALUES (?, 'name', 'color')", [.integer(n)]) }
    }
    _ = consume database
    let bytes = damage.apply(try scratch.bytes("bikes.db"))
    try bytes.write(to: URL(fileURLWithPath: scratch.file("bikes.db")))
    let found = failure { try store.open(bikes) }
    #expect(found?.kind == .storage)
    #expect(found?.hint?.range(of: "left as it is") != nil)
    #expect(try scratch.bytes("bikes.db") == bytes)
    #expect(scratch.names == ["bikes.db"])
  }

  enum Damage: String, CaseIterable {
    case aLetter, zeros, text, header, halved, cutInPage

    func apply(_ whole: Data) -> Data {
      switch self {
      case .aLetter: Data("x".utf8)
      case .zeros: Data(count: 8192)
      case .text: Data(String(repeating: "{\"bikes\": []}\n", count: 1000).utf8)
      case .header: whole.prefix(100)
      case .halved: whole.prefix(whole.count / 2)
      case .cutInPage: whole.prefix(whole.count - 100)
      }
    }
  }

  @Test func fileInPlaceOfFolderFolderInPlaceOfFile() throws {
    try File.replace(scratch.file("note"), with: [])
    let below = Store(folder: scratch.file("note"), time: SystemTime())
    #expect(failure { try below.open(bikes) }?.kind == .storage)
    try Folder.make(scratch.file("bikes.db"))
    #expect(failure { try store.open(bikes) }?.kind == .storage)
  }

  @Test(arguments: ["a b", "50%25", "what?mode=ro", "#1", "ü/🚲", "it's"])
  func oddFolderNames(_ name: String) throws {
    let store = Store(folder: scratch.file(name), time: SystemTime())
    _ = try store.open(bikes)
    let newer = Migrations("bikes", bikes.steps + ["CREATE TABLE later (v)"])
    _ = try store.open(newer)
    #expect(failure { try store.open(bikes) }?.message.range(of: "newer hw") != nil)
    #expect(try Folder.names(scratch.file(name)) == ["bikes.db"])
  }
}
