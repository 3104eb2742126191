import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Bikes that are locked and read before the handlers of several requests run.
@Suite(installed, .eachEngine) struct BikesThatAreReadTogether {
  private let server: TestServer
  private let bikes: BikeTable
  private let changes: IdempotentChanges

  init() throws {
    server = try TestServer()
    bikes = BikeTable(database: server.backend.database)
    changes = IdempotentChanges(
      bikes, BikeReadCache(bikes, epoch: "e"), GrowthLimit(bikes, BikeLimits()), epoch: "e", time: server.time
    )
  }

  /// The name of bike 0 as a handler gets it.
  private func name() throws -> String? {
    try bikes.database.transaction { () throws(Failure) in try bikes.lock(0)?.bike.name }
  }

  private func rename(_ name: String) throws {
    try bikes.database.run("UPDATE bike SET name = ? WHERE id = 0", [.text(name)])
  }

  @Test func eachIsUsedOnce() throws {
    changes.prepare([0, 1])
    try rename("Anna")
    #expect(try name() == "Henry")
    #expect(try name() == "Anna", "the first handler may have changed it")
    changes.rollback()
  }

  @Test(arguments: [true, false]) func areForgottenWithTheirLocks(isCommitted: Bool) throws {
    changes.prepare([0, 1])
    if isCommitted { try changes.commit() } else { changes.rollback() }
    try rename("Anna")
    #expect(try name() == "Anna")
  }

  @Test func areForgottenIfOneCannotBeRead() throws {
    try bikes.database.run("UPDATE bike SET pin = '----' WHERE id = 1")
    changes.prepare([0, 1])
    try rename("Anna")
    #expect(try name() == "Anna")
  }
}
