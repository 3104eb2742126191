import Foundation
import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Nodes

/// What `hw nodes diff` finds between two rankings.
@Suite struct NodeChangeTests {
  private static func node(_ key: String, _ members: [String: String] = [:]) throws -> Node {
    var text = NodeTests.row().replacing(NodeTests.key, with: key)
    for (name, value) in members {
      let old = try #require(
        NodeTests.row().firstMatch(of: try Regex("\"\(name)\":(\"[^\"]*\"|[0-9]+|null)")))
      text = text.replacing(NodeTests.row()[old.range], with: "\"\(name)\":\(value)")
    }
    return try Node(JSON.parse(text))
  }

  @Test(
    arguments: [
      ("alias", #""another""#, true), ("channels", "1", true), ("capacity", "1", true),
      ("updatedAt", "1", false), ("city", #"{"en":"Paris"}"#, false), ("iso_code", #""DE""#, false),
    ] as [(String, String, Bool)])
  func whatCountsAsAChange(_ name: String, _ value: String, _ counts: Bool) throws {
    let before = try NodeChangeTests.node("a")
    let after = try NodeChangeTests.node("a", [name: value])
    #expect(NodeChange.between([before], [after]).map(\.kind) == (counts ? [.changed] : []))
  }

  /// The largest change of capacity comes first, whatever its direction. Equal changes are sorted by key.
  @Test func largestChangeFirst() throws {
    let old = try [("a", 100), ("b", 200), ("c", 300), ("d", 50), ("f", 400)].map {
      try NodeChangeTests.node($0.0, ["capacity": "\($0.1)"])
    }
    let new = try [("a", 110), ("b", 150), ("c", 310), ("e", 70), ("f", 30)].map {
      try NodeChangeTests.node($0.0, ["capacity": "\($0.1)"])
    }
    let changes = NodeChange.between(old, new)
    #expect(changes.map { ($0.new ?? $0.old)?.publicKey } == ["f", "e", "b", "d", "a", "c"])
    #expect(changes.map(\.capacity) == [-370, 70, -50, -50, 10, 10])
  }
}

/// Snapshots that are saved, pruned and found again.
@Suite struct SnapshotCommandTests {
  private static let now = ScriptedRankings([.ranking([NodeTests.row()])])

  /// A saved snapshot of one node with so many channels.
  private static func snapshot(_ channels: Int, by ranking: String = "connectivity") -> String {
    let row = NodeTests.row("channels", "\(channels)")
    return #"{"format":"hw-nodes-snapshot","ranking":"\#(ranking)","taken":1,"nodes":[\#(row)]}"#
  }

  private static func home(_ names: [String]) throws -> ScratchDirectory {
    let home = try ScratchDirectory()
    for name in names { try home.saveSnapshot(name) }
    return home
  }

  private static let old = (1...4).flatMap {
    ["age-2025-01-01T00000\($0)Z.json", "connectivity-2025-01-01T00000\($0)Z.json"]
  }

  @Test(arguments: [1, 2, 3, 4, 5, 9])
  func keepsThatMany(_ count: Int) throws {
    let home = try SnapshotCommandTests.home(SnapshotCommandTests.old)
    let ran = Ran(["snapshot", "--keep", "\(count)"], SnapshotCommandTests.now, in: home)
    #expect(ran.status == 0 && ran.errors == "")
    let new = "connectivity-2026-01-01T000000Z.json"
    #expect(ran.output == "\(home.snapshots)/\(new)\n")
    let ages = SnapshotCommandTests.old.filter { $0.hasPrefix("age") }
    let others = SnapshotCommandTests.old.filter { $0.hasPrefix("connectivity") }
    #expect(home.snapshotNames == (ages.suffix(count) + others.suffix(count - 1) + [new]).sorted())
  }

  /// Of several processes at once, one that is slow removes none of the newest that the others have saved.
  @Test func aSlowProcessRemovesNoneOfTheNewest() throws {
    let home = try SnapshotCommandTests.home(SnapshotCommandTests.old)
    let earlier = FakeClock(Timestamp(seconds: 1_735_689_602))
    let ran = Ran(["snapshot", "--keep", "2"], SnapshotCommandTests.now, in: home, time: earlier)
    #expect(ran.status == 0 && ran.output.hasSuffix("/connectivity-2025-01-01T000002Z.json\n"))
    #expect(
      home.snapshotNames.filter { $0.hasPrefix("c") }
        == [2, 3, 4].map { "connectivity-2025-01-01T00000\($0)Z.json" })
  }

  @Test func aDryRunKeepsAll() throws {
    let home = try SnapshotCommandTests.home(SnapshotCommandTests.old)
    let ran = Ran(["snapshot", "--keep", "1", "--dry-run"], SnapshotCommandTests.now, in: home)
    #expect(ran.status == 0 && home.snapshotNames == SnapshotCommandTests.old.sorted())
    let removed = SnapshotCommandTests.old.filter { !$0.hasPrefix("age-2025-01-01T000004") }
    for name in removed { #expect(ran.errors.contains("would remove '\(home.snapshots)/\(name)'")) }
    #expect(ran.errors.split(separator: "\n").count == removed.count)
  }

  /// Nothing is removed before the new snapshot is on the disk.
  @Test func prunesOnlyAfterSaving() throws {
    let home = try SnapshotCommandTests.home(SnapshotCommandTests.old)
    // A directory has the name of the new file, so that it cannot be written.
    let new = "connectivity-2026-01-01T000000Z.json"
    try FileManager.default.createDirectory(
      atPath: "\(home.snapshots)/\(new)", withIntermediateDirectories: true)
    let ran = Ran(["snapshot", "--keep", "1"], SnapshotCommandTests.now, in: home)
    #expect(ran.status == 10)
    #expect(home.snapshotNames == (SnapshotCommandTests.old + [new]).sorted())
    let down = ScriptedRankings([Response(503)])
    #expect(Ran(["snapshot", "--keep", "1"], down, in: home).status == 5)
    #expect(home.snapshotNames == (SnapshotCommandTests.old + [new]).sorted())
  }

  /// A day is a local one: here 23:30 in UTC is past midnight.
  @Test func daysAreLocal() throws {
    let home = try ScratchDirectory()
    try home.saveSnapshot("connectivity-2026-01-01T233000Z.json", SnapshotCommandTests.snapshot(1))
    func status(_ day: String, _ offset: Int64) -> Int32 {
      Ran(
        ["diff", day], SnapshotCommandTests.now, in: home, time: FakeClock(FakeClock.newYear, offset: offset)
      ).status
    }
    #expect(status("2026-01-01", 0) == 1 && status("2026-01-02", 0) == 3)
    #expect(status("2026-01-01", 7200) == 3 && status("2026-01-02", 7200) == 1)
    #expect(status("2026-01-01", -7200) == 1)
  }

  private static func channels(_ words: [String], in home: ScratchDirectory) -> [String] {
    Ran(
      ["diff", "--tsv", "--no-header", "--fields", "channels.old"] + words, now, in: home
    ).lines
  }

  @Test func ofADayTheLast() throws {
    let home = try ScratchDirectory()
    for hour in 1...3 {
      try home.saveSnapshot("connectivity-2026-01-01T0\(hour)0000Z.json", SnapshotCommandTests.snapshot(hour))
    }
    try home.saveSnapshot("connectivity-2026-01-02T010000Z.json", SnapshotCommandTests.snapshot(4))
    #expect(SnapshotCommandTests.channels(["2026-01-01"], in: home) == ["3"])
    #expect(SnapshotCommandTests.channels(["latest"], in: home) == ["4"])
  }

  /// The latest of the ranking that is asked for, though another ranking has a later one.
  @Test func latestOfTheRanking() throws {
    let home = try ScratchDirectory()
    try home.saveSnapshot("connectivity-2026-01-01T010000Z.json", SnapshotCommandTests.snapshot(1))
    try home.saveSnapshot("age-2026-01-03T010000Z.json", SnapshotCommandTests.snapshot(3, by: "age"))
    try home.saveSnapshot(
      "liquidity-2026-01-02T010000Z.json", SnapshotCommandTests.snapshot(2, by: "liquidity"))
    #expect(SnapshotCommandTests.channels(["latest"], in: home) == ["1"])
    #expect(SnapshotCommandTests.channels(["latest", "--by", "liquidity"], in: home) == ["2"])
    #expect(SnapshotCommandTests.channels(["latest", "--by", "age"], in: home) == ["3"])
    #expect(SnapshotCommandTests.channels(["2026-01-03", "--by", "age"], in: home) == ["3"])
  }
}
