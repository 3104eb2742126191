import HTTP
import JSON
import Store
import System
import TestSupport
import Testing

@testable import Bikes

/// `GET /bikes` of a database in which bikes have any numbers, from memory.
@Suite(installed, .eachEngine) struct SparseNumbers {
  private static let requestsUntilGrid = 4

  private func list(_ server: TestServer, _ query: String = "") throws -> [Int] {
    let answer = try server.ask(.get, "/bikes\(query)")
    #expect(answer.status == 200, "\(answer.text)")
    var numbers: [Int] = []
    for bike in try JSON.parse(Array(answer.text.utf8)).array {
      numbers.append(try #require(Int(try bike["id"].string)))
    }
    return numbers
  }

  private func add(_ number: Int, _ server: TestServer) throws {
    let database = server.backend.database
    try database.transaction { () throws(Failure) in
      try database.run(
        """
        INSERT INTO bike SELECT ?, name, color, pin, latitude, longitude, cell, rented, owner, renter, deleted,
          nextval('bike_revision'), txid_current(), state, 0 FROM bike WHERE id = 1
        """, [.integer(number)])
      try database.raise("bike_id", above: number)
    }
  }

  /// A place for each number below the largest would take the memory of the machine.
  @Test func aHugeNumberIsABikeLikeAnyOther() throws {
    let server = try TestServer()
    let numbers = [1_000_000_000, 70_000_000_000_000, 5000, -3, 1_000_000]
    for number in numbers { try add(number, server) }
    let expected = ([0, 1, 2] + numbers).sorted()
    for _ in 0...SparseNumbers.requestsUntilGrid { #expect(try list(server) == expected) }
    #expect(
      try list(server, "?latitude=50.1192&longitude=8.64&radius=30")
        == expected.filter { ![0, 2].contains($0) })
  }

  /// The grid follows changes of every kind, in the middle too.
  @Test func changesAreFollowed() throws {
    let server = try TestServer()
    var expected = [0, 1, 2]
    for _ in 0...SparseNumbers.requestsUntilGrid { _ = try list(server) }
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      switch random.next(below: 4) {
      case 0:
        #expect(try server.ask(.post, "/bikes", body(longitude: "8.7")).status == 200)
        expected.append((expected.last ?? -1) + 1)
      case 1:
        // Another process writes below the largest number.
        let number = random.next(below: 100_000) * 1000 - 7
        guard !expected.contains(number) else { continue }
        try add(number, server)
        _ = try server.ask(.put, "/bikes/1", body(longitude: "8.64"))
        expected = (expected + [number]).sorted()
      case 2 where expected.count > 3:
        // Bike 1 is the pattern of the others, and the largest number decides the next.
        let index = 2 + random.next(below: expected.count - 3)
        guard expected[index] != 1 else { continue }
        #expect(try server.ask(.delete, "/bikes/\(expected[index])").status == 200)
        expected.remove(at: index)
      default:
        let number = expected[random.next(below: expected.count)]
        guard number != 1 else { continue }
        #expect(try server.ask(.put, "/bikes/\(number)", body(longitude: "8.8")).status == 200)
      }
      #expect(try list(server) == expected)
      let near = try list(server, "?latitude=50.12&longitude=8.8&radius=100")
      let read = try server.client.bikes().filter { $0.place == place(50.12, 8.8) }.compactMap { Int($0.id) }
      #expect(near == read)
    }
  }
}

@Suite(installed) struct DeletedPins {
  private static let pin = "7391"

  @Test(.eachEngine) func areOverwritten() throws {
    let server = try TestServer()
    _ = try server.ask(.post, "/bikes", body(pin: "\"\(DeletedPins.pin)\""))
    for _ in 0..<5 { #expect(try server.ask(.get, "/bikes").text.contains(DeletedPins.pin)) }
    #expect(try server.ask(.delete, "/bikes/3").status == 200)
    #expect(try server.texts("SELECT pin FROM bike ORDER BY id") == ["1234", "5678", "1111", "----"])
    // The list, which reads what has changed, gets along without one.
    let list = try server.ask(.get, "/bikes")
    #expect(list.status == 200)
    #expect(try server.client.bikes().map(\.id) == ["0", "1", "2"])
  }

  /// The bytes themselves, in the file.
  @Test func areNotInTheFile() throws {
    let scratch = try ScratchDirectory()
    do {
      let server = try TestServer(folder: scratch.path)
      _ = try server.ask(.post, "/bikes", body(pin: "\"\(DeletedPins.pin)\""))
      #expect(try server.ask(.delete, "/bikes/3").status == 200)
      try server.backend.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let bytes = try #require(try File.read("\(scratch.path)/bikes.db"))
    #expect(bytes.firstRange(of: Array("Wanda".utf8)) != nil)
    #expect(bytes.firstRange(of: Array(DeletedPins.pin.utf8)) == nil)
  }
}
