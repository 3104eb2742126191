import System
import TestSupport
import Testing

@testable import Store

/// The steps that lead to a version.
@Suite struct MigrationsTests {
  private static let plain = Migrations("suite", ["a", "b", "c"])
  private static let based = Migrations(
    "suite", ["a", "b", "c"], base: .init(version: 2, "ab"), transactionColumns: ["w"], isLocal: true)

  @Test(
    arguments: [
      (plain, 0, ["a", "b", "c"]), (plain, 1, ["b", "c"]), (plain, 2, ["c"]), (plain, 3, []),
      (based, 0, ["ab", "c"]), (based, 1, ["b", "c"]), (based, 2, ["c"]), (based, 3, []),
      (based.upTo(2), 0, ["ab"]), (based.upTo(1), 0, ["a"]), (plain.upTo(2), 1, ["b"]),
      (based.upTo(3), 0, ["ab", "c"]), (based.upTo(2), 2, []),
    ] as [(Migrations, Int, [String])])
  func scripts(migrations: Migrations, version: Int, scripts: [String]) {
    #expect(migrations.scripts(from: version) == scripts)
  }

  @Test func anEarlierShapeIsThatOfTheSameDatabase() {
    let earlier = MigrationsTests.based.upTo(1)
    #expect(earlier.name == "suite" && earlier.steps == ["a"])
    #expect(earlier.transactionColumns == ["w"] && earlier.isLocal)
    #expect(!MigrationsTests.plain.upTo(1).isLocal)
  }

  @Test(
    arguments: [
      (0, nil), (1, nil), (3, nil),
      (4, "'x' is of a newer hw: version 4, and this one reads up to 3"),
      (-1, "'x' is damaged: its version is -1"),
    ] as [(Int, String?)])
  func versionsThatAreKnown(version: Int, message: String?) {
    let found = failure { try MigrationsTests.plain.check(version, of: "x") }
    #expect(found?.message == message)
    #expect(found == nil || found?.kind == .storage)
  }

  @Test("a file of a step before the base lacks the base and what comes after it", installed)
  func beforeTheBase() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: FakeClock())
    _ = try store.open(Migrations("suite", ["CREATE TABLE a (v INTEGER);"]))
    let migrations = Migrations("suite", ["a", "b", "c", "d"], base: .init(version: 2, "ab"))
    #expect(
      try store.missingSteps(migrations) == [
        MigrationStep(database: "suite", from: 1, to: 2, script: "b"),
        MigrationStep(database: "suite", from: 2, to: 3, script: "c"),
        MigrationStep(database: "suite", from: 3, to: 4, script: "d"),
      ])
  }
}
