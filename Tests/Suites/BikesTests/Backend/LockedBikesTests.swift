import HTTP
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Bikes that are locked and read before the handlers of several requests run.
@Suite(.needs(.postgresql)) struct BikesThatAreReadTogether {
  private let server: TestServer
  private var backend: BikesBackend { server.backend }

  init() throws {
    server = try TestServer(address: #require(PostgreSQLServer.shared).newSchema())
  }

  /// The names of bike 0 as two handlers get it after a preparation, or after the end of its transaction.
  private func names(ended: Bool = false) throws -> [String?] {
    let calls = try (0...1).map { try server.call(.put, "/bikes/\($0)/rented") }
    var names: [String?] = []
    try backend.transaction { () throws(Failure) in
      backend.prepare(calls)
      try backend.database.run("UPDATE bike SET name = 'Anna' WHERE id = 0")
      if ended { backend.transactionEnded(isCommitted: false) }
      for _ in 0..<2 { names.append(try backend.bikes.lock(0)?.bike.name) }
    }
    return names
  }

  @Test func eachIsUsedOnce() throws {
    #expect(try names() == ["Henry", "Anna"], "the first handler may have changed it")
  }

  @Test func areForgottenWithTheirLocks() throws {
    #expect(try names(ended: true) == ["Anna", "Anna"])
  }

  @Test func areForgottenIfOneCannotBeRead() throws {
    try backend.database.run("UPDATE bike SET pin = '----' WHERE id = 1")
    #expect(try names() == ["Anna", "Anna"])
  }
}
