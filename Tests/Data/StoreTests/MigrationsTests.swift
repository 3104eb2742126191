import TestSupport
import Testing

@testable import Store

/// The steps that lead to a version.
@Suite struct MigrationsTests {
  private static let migrations = Migrations(
    "suite", base: 4, ["a", "b", "c"], transactionColumns: ["w"], isLocal: true)

  private static let steps = [
    MigrationStep(database: "suite", from: 0, to: 4, script: "a"),
    MigrationStep(database: "suite", from: 4, to: 5, script: "b"),
    MigrationStep(database: "suite", from: 5, to: 6, script: "c"),
  ]

  @Test(arguments: [(0, 3), (4, 2), (5, 1), (6, 0)])
  func missingStepsAreThoseAfterTheVersion(version: Int, count: Int) {
    #expect(MigrationsTests.migrations.missingSteps(from: version) == MigrationsTests.steps.suffix(count))
  }

  @Test(arguments: [(4, ["a"]), (5, ["a", "b"]), (6, ["a", "b", "c"])])
  func anOlderShapeIsThatOfTheSameDatabase(version: Int, steps: [String]) {
    let older = MigrationsTests.migrations.upTo(version)
    #expect(older.name == "suite" && older.steps == steps && older.version == version)
    #expect(older.transactionColumns == ["w"] && older.isLocal)
  }

  @Test(
    arguments: [
      (0, nil), (4, nil), (6, nil), (7, "'x' is of a newer hw: version 7, and this one reads up to 6"),
      (3, "'x' is of an older hw: version 3, and this one reads from 4 on"),
      (-1, "'x' is damaged: its version is -1"),
    ] as [(Int, String?)])
  func unknownVersionsAreRefused(version: Int, message: String?) {
    let found = failure { try MigrationsTests.migrations.check(version, of: "x") }
    #expect(found?.message == message)
    #expect(found == nil || found?.kind == .storage)
  }
}
