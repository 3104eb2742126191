import Foundation
import TestSupport
import Testing

/// Many who want the same bikes at once, each on a connection of its own, and what must be so of them.
///
/// All ask, then all are answered: so it is known what every bike was before, and whoever wins, it must have been
/// possible in some order.
final class RentalRace {
  static let bikes = 1000
  /// Where the crowd is: every second request is for one of these.
  static let wanted = 20

  private struct Attempt {
    let bike: Int
    let isRent: Bool
  }

  /// What happened to a bike, as its clients know it.
  struct Account {
    var isRented = false
    var rents = 0
    var returns = 0
    /// Asked for, and never answered.
    var unclearRents = 0
    var unclearReturns = 0
  }

  private(set) var accounts = [Account](repeating: Account(), count: bikes)
  private(set) var attempts = 0
  private(set) var refused = 0
  /// What no order of the requests explains.
  private(set) var impossible: [String] = []
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  private func next(below count: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33) % count
  }

  /// One attempt of each client; `killing` is called when all have asked and nobody has been answered. Answers whether
  /// the server is still there.
  func round(_ clients: [RawConnection], killing: () -> Void = {}) -> Bool {
    let tries = clients.map { client in
      let bike = next(below: next(below: 2) == 0 ? RentalRace.wanted : RentalRace.bikes)
      // Mostly what makes sense.
      let isRent = accounts[bike].isRented == (next(below: 4) == 0)
      client.send(isRent ? "PUT" : "DELETE", "/bikes/\(bike)/rented")
      return Attempt(bike: bike, isRent: isRent)
    }
    killing()
    attempts += tries.count
    let statuses = clients.map { $0.answer()?.status }
    var byBike: [Int: [(isRent: Bool, status: Int?)]] = [:]
    // 503 is given for what was not done, and for what is unknown.
    for (attempt, status) in zip(tries, statuses) {
      byBike[attempt.bike, default: []].append((attempt.isRent, status == 503 ? nil : status))
    }
    for (bike, outcomes) in byBike { settle(bike, outcomes) }
    return !statuses.contains(nil)
  }

  private func settle(_ bike: Int, _ outcomes: [(isRent: Bool, status: Int?)]) {
    func count(_ isRent: Bool, _ status: Int?) -> Int {
      outcomes.count { $0.isRent == isRent && $0.status == status }
    }
    let (rents, returns) = (count(true, 200), count(false, 200))
    let (unclearRents, unclearReturns) = (count(true, nil), count(false, nil))
    let isRented = accounts[bike].isRented
    refused += count(true, 400) + count(false, 400)
    if unclearRents + unclearReturns == 0 {
      // They take turns, beginning with what the bike's state allows, and somebody wins where that was asked for.
      let (first, second) = isRented ? (returns, rents) : (rents, returns)
      let wasAsked = outcomes.contains { $0.isRent != isRented }
      let isPossible =
        rents + returns + count(true, 400) + count(false, 400) == outcomes.count
        && (first == second || first == second + 1) && (first > 0 || !wasAsked)
      if !isPossible { impossible.append("bike \(bike), rented: \(isRented), then \(outcomes)") }
    }
    accounts[bike].rents += rents
    accounts[bike].returns += returns
    accounts[bike].unclearRents += unclearRents
    accounts[bike].unclearReturns += unclearReturns
    accounts[bike].isRented = isRented ? rents == returns : rents > returns
  }

  /// Holds the history that was kept against what was told, and takes it over.
  func compare(with history: [(bike: Int, isOpen: Bool)], free: Set<Int>) -> [String] {
    var faults: [String] = []
    var kept = [Account](repeating: Account(), count: RentalRace.bikes)
    for rental in history {
      kept[rental.bike].rents += 1
      if !rental.isOpen { kept[rental.bike].returns += 1 }
    }
    for bike in accounts.indices {
      let (told, found) = (accounts[bike], kept[bike])
      kept[bike].isRented = found.rents > found.returns
      // All that was acknowledged, of the rest nothing but what never had an answer, and so nothing that was refused.
      let isSound =
        (told.rents...told.rents + told.unclearRents).contains(found.rents)
        && (told.returns...told.returns + told.unclearReturns).contains(found.returns)
        && (0...1).contains(found.rents - found.returns)
        && free.contains(bike) == (found.rents == found.returns)
      if !isSound { faults.append("bike \(bike): told \(told), kept \(found), free: \(free.contains(bike))") }
    }
    accounts = kept
    return faults
  }
}

extension ScratchDirectory {
  /// The file `many.csv` with so many bikes.
  func writeBikes(_ count: Int) throws {
    let lines = (0..<count).map { "B\($0),red,1234,50.\(10_000 + $0),8.64" }
    try write((["name,color,pin,latitude,longitude"] + lines).joined(separator: "\n"), to: "many.csv")
  }
}

extension RentalRace {
  /// A new store with all bikes: three are samples.
  static func makeTown(in store: String, _ home: Home) throws {
    try home.writeBikes(bikes - 3)
    let made = try shell("hw serve --samples --store '\(store)' -- hw bikes import many.csv", in: home)
    #expect(made.status == 0, "\(made)")
  }

  /// The rentals in the history of a store, and its free bikes.
  static func kept(
    _ environment: [String: String?], in home: Home? = nil
  ) throws -> (history: [(bike: Int, isOpen: Bool)], free: Set<Int>) {
    func lines(_ words: String) throws -> [[Substring]] {
      let ending = try shell("hw bikes \(words) --tsv --no-header", in: home, environment: environment)
      #expect(ending.status == 0, "\(ending.errors)")
      return ending.output.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
    }
    let history = try lines("history --limit 10000 --where action=rent --fields bike,returnedAt").map {
      (bike: try #require(Int($0[0])), isOpen: $0[1].isEmpty)
    }
    return (history, Set(try lines("list --anywhere --fields id").compactMap { Int($0[0]) }))
  }
}

@Suite(.ownThread, .needs(.libsqlite3)) struct BikesUnderLoad {
  @Test func importOntoAFullDiskKeepsWhatItReports() throws {
    let home = try Home()
    try home.writeBikes(8000)
    func run(_ line: String) throws -> Ending { try shell(line, in: home, environment: ["HW_URL": nil]) }
    #expect(try run("hw bikes list --anywhere >/dev/null").status == 0)
    let ending = try run("trap '' XFSZ; ulimit -f 800; hw bikes import many.csv")
    #expect(ending.status == 10, "\(ending.errors)")
    let left = try run("hw bikes list --anywhere --jsonl | wc -l")
    let stored = try #require(Int(left.output.trimmingCharacters(in: .whitespacesAndNewlines))) - 3
    #expect(stored > 0 && stored % 250 == 0)
    #expect(ending.errors.contains("; \(stored) of 8000 bikes are stored"), "\(ending.errors)")
    let again = try run("hw bikes import many.csv --jsonl")
    #expect(
      again.output == #"{"read":8000,"added":\#(8000 - stored),"present":\#(stored),"conflicts":0}"# + "\n")
  }

  /// Faults on the way: what is told is what is so.
  @Test func retriedChangesAreAppliedOnce() throws {
    let home = try Home()
    let server = try Serving.Server(["--fault", "bikes=drop:0.4"], in: home)
    // A dropped answer was given all the same; the key makes the second try the first one's answer.
    let ending = try shell(
      """
      for i in 1 2 3 4 5 6; do
        echo 4711 | hw bikes add --retries 10 --name W$i --frame-color red --pin-file - --at 50.$i,8.6 -q --jsonl --fields id
        hw bikes rent $((i + 2)) --retries 10 -q --jsonl --fields id,pin
      done
      """, in: Home(), environment: ["HW_URL": server.url])
    #expect(ending.status == 0, "\(ending.errors)")
    _ = server.stop()
    let kept = try shell(
      "hw bikes list --anywhere --include-rented --tsv --no-header --fields name", in: home,
      environment: ["HW_URL": nil])
    #expect(kept.output == "Henry\nHans\nThomas\nW1\nW2\nW3\nW4\nW5\nW6\n")
    let rentals = try shell(
      "hw bikes history --where action=rent --jsonl | wc -l", in: home, environment: ["HW_URL": nil])
    #expect(rentals.output.trimmingCharacters(in: .whitespacesAndNewlines) == "6")
  }
}
