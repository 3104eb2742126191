import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// What can be asked of a store before anything is made in it.
@Suite("What a store has", installed) struct StorePresenceTests {
  private let scratch: ScratchDirectory
  private let store: Store

  init() throws {
    scratch = try ScratchDirectory()
    store = Store(folder: scratch.file("data"), time: SystemTime())
  }

  @Test func readingCreatesNoDatabase() throws {
    #expect(try !store.contains(bikes))
    let empty = try store.forReading(bikes)
    #expect(!empty.isDurable && !empty.isShared)
    #expect(try empty.open(bikes).integer("SELECT count(*) FROM bike") == 1)
    #expect(scratch.names == [])
    try store.open(bikes).run("DELETE FROM bike")
    #expect(try store.contains(bikes))
    let found = try store.forReading(bikes)
    #expect(found.isDurable)
    #expect(try found.open(bikes).integer("SELECT count(*) FROM bike") == 0)
  }

  @Test func memoryStoreContainsNothing() throws {
    let memory = Store.memory(time: FakeClock())
    #expect(try !memory.contains(bikes))
    #expect(try memory.verify(bikes) == nil && memory.missingSteps(bikes) == [])
    #expect(try memory.file(of: bikes, known: nil) == nil)
    // Each that opens a database has its own.
    try memory.open(bikes).run("DELETE FROM bike")
    #expect(try memory.open(bikes).integer("SELECT count(*) FROM bike") == 1)
  }

  @Test func serversThatStartAtOnceAreAllNoted() async throws {
    try FileManager.default.createDirectory(atPath: scratch.file("data"), withIntermediateDirectories: true)
    let names = (0..<16).map { "suite\($0)" }
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in names { group.addTask { try store.noteServed([Migrations(name, ["SELECT 1;"])]) } }
      try await group.waitForAll()
    }
    for name in names {
      let missing = failure { _ = try store.contains(Migrations(name, ["SELECT 1;"])) }
      #expect(missing?.message.hasSuffix("/\(name).db' is missing") == true)
    }
  }

  @Test func missingOrReplacedFileIsReported() throws {
    let missing = Failure(.storage, "'\(scratch.file("data/bikes.db"))' does not exist any more")
    _ = try store.open(bikes)
    let file = try store.file(of: bikes, known: nil)
    #expect(try store.file(of: bikes, known: file) == file)
    try FileManager.default.moveItem(
      atPath: scratch.file("data/bikes.db"), toPath: scratch.file("data/before"))
    #expect(failure { _ = try store.file(of: bikes, known: file) } == missing)
    _ = try store.open(bikes)
    #expect(failure { _ = try store.file(of: bikes, known: file) } == missing)
    #expect(try store.file(of: bikes, known: nil) != file)
  }

  @Test(.needs(.libpq))
  func nothingIsAskedOfServerAboutDataOfThisMachine() throws {
    let address = try PostgreSQLAddress("postgresql://127.0.0.1:1/x")
    let server = Store(address, environment: Environment([:]), time: FakeClock())
    let local = Migrations("local", ["CREATE TABLE mine (v INTEGER);"], isLocal: true)
    #expect(server.isShared && server.isDurable)
    #expect(try !server.contains(local) && !server.forReading(local).isShared)
    #expect(try server.missingSteps(local) == [])
    #expect(try server.file(of: bikes, known: nil) == nil)
  }
}
