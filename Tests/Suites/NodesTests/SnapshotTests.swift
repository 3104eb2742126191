import Foundation
import HTTP
import JSON
import Server
import System
import Terminal
import TestSupport
import Testing

@testable import Nodes
@testable import Output

/// What `hw nodes diff` finds between two rankings.
@Suite struct NodeChangeTests {
  private static func node(_ key: String, _ members: [String: String] = [:]) throws -> Node {
    var text = NodeTests.row().replacing(NodeTests.key, with: String(repeating: key, count: 66))
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
  func onlyShownMembersCountAsChange(_ name: String, _ value: String, _ counts: Bool) throws {
    let before = try NodeChangeTests.node("a")
    let after = try NodeChangeTests.node("a", [name: value])
    #expect(NodeChange.between([before], [after]).map(\.kind) == (counts ? [.changed] : []))
  }

  /// The largest change of capacity comes first, whatever its direction, and equal changes are sorted by key. Nodes that
  /// crossed the last rank have no difference and come last.
  @Test func largestChangeFirst() throws {
    let old = try [("a", 100), ("b", 200), ("c", 300), ("d", 50), ("f", 400)].map {
      try NodeChangeTests.node($0.0, ["capacity": "\($0.1)"])
    }
    let new = try [("a", 110), ("b", 150), ("c", 310), ("e", 70), ("f", 30)].map {
      try NodeChangeTests.node($0.0, ["capacity": "\($0.1)"])
    }
    let changes = NodeChange.between(old, new)
    #expect(changes.map { ($0.new ?? $0.old)?.publicKey.first } == ["f", "b", "a", "c", "e", "d"])
    #expect(changes.map(\.capacity) == [-370, -50, 10, 10, nil, nil])
    #expect(changes.map(\.kind) == [.changed, .changed, .changed, .changed, .entered, .left])
  }
}

/// A change in a mail and in a table.
@Suite struct NodeChangeTextTests {
  private static func node(_ alias: String, _ channels: Int, _ satoshis: Int) -> Node {
    Node(publicKey: "k", alias: alias, channels: channels, capacity: Satoshis(satoshis))
  }

  @Test func lines() {
    let changes = [
      NodeChange(old: Self.node("A", 10, 500), new: Self.node("B", 17, 400)),
      NodeChange(old: Self.node("A", 10, 500), new: Self.node("A", 10, 150_000_500)),
      NodeChange(old: Self.node("A", 10, 500), new: Self.node("A", 9, 500)),
      NodeChange(old: nil, new: Self.node("A", 1, 2)), NodeChange(left: Self.node("A", 1, 2)),
    ]
    #expect(
      changes.map(\.line) == [
        "changed  B  k  +7 channels  -0.00000100 BTC  was A", "changed  A  k  0 channels  +1.50000000 BTC",
        "changed  A  k  -1 channels  0.00000000 BTC", "entered  A  k", "left  A  k",
      ])
    #expect(changes.map(\.current.alias) == ["B", "A", "A", "A", "A"])
  }

  @Test func cells() throws {
    func texts(_ path: String) throws -> [String?] {
      let field = try #require(NodeChange.fields.first { $0.column.path == path })
      return [(17, 400), (10, 500), (9, 150_000_500)].map {
        field.text(of: NodeChange(old: Self.node("A", 10, 500), new: Self.node("A", $0, $1)))
      } + [field.text(of: NodeChange(old: nil, new: Self.node("A", 1, 2)))]
    }
    #expect(try texts("channels.delta") == ["+7", "0", "-1", nil])
    #expect(try texts("capacity.delta") == ["-0.00000100", "0.00000000", "+1.50000000", nil])
  }

  @Test func enteredNodeIsGreenAndLeftNodeRed() throws {
    let field = try #require(NodeChange.fields.first { $0.column.path == "change" })
    let node = Self.node("A", 1, 2)
    let changes = [NodeChange(old: nil, new: node), .init(left: node), .init(old: node, new: node)]
    #expect(
      changes.map { field.shown?($0) } == [
        TableCell("entered", .green), TableCell("left", .red), TableCell("changed"),
      ])
  }

  /// A list may have been edited.
  @Test func ofTwoNodesOfOneKeyTheFirstCounts() {
    let (one, two) = (Self.node("A", 1, 1), Self.node("A", 2, 2))
    #expect(NodeChange.between([one, two], [one]).isEmpty)
    #expect(NodeChange.between([one], [two, one]).map(\.channels) == [1])
  }
}

/// The content of a snapshot.
@Suite struct SnapshotContentTests {
  @Test func isReadAsItWasWritten() throws {
    let node = Node(publicKey: NodeTests.key, alias: "A", channels: 1, capacity: Satoshis(2))
    let other = Node(
      publicKey: String(NodeTests.key.reversed()), alias: "B", channels: 1, capacity: Satoshis(2))
    var full = Snapshot(source: "demo:", ranking: .age, taken: Timestamp(seconds: 5), nodes: [node, other])
    let read = try Snapshot(full.bytes, from: "f")
    #expect(read.source == "demo:" && read.ranking == .age)
    #expect(
      read.taken == Timestamp(seconds: 5) && read.nodes.map(\.publicKey) == [node, other].map(\.publicKey))
    #expect(String(decoding: full.bytes, as: UTF8.self).split(separator: "\n").count == 4)
    for (end, network) in [("", "mainnet"), ("/testnet4", "testnet4"), ("/signet", "signet")] {
      full.source = "https://mempool.space\(end)"
      #expect(try JSON.parse(full.bytes)["network"].string == network)
      #expect(try Snapshot(full.bytes, from: "f").source == full.source)
    }
    let list = try Snapshot(Array("[\(NodeTests.row())]".utf8), from: "f")
    #expect(list.source == nil && list.ranking == nil && list.taken == nil)
    #expect(list.nodes.count == 1)
  }

  @Test(
    arguments: [
      (
        #""source":"a:","network":"mainnet","ranking":"speed","taken":1,"nodes":[]"#,
        "no such ranking: 'speed'"
      ),
      (
        #""source":"a:","network":"testnet","ranking":"age","taken":1,"nodes":[]"#,
        "expected 'mainnet', found 'testnet'"
      ),
      (#""network":"mainnet","ranking":"age","taken":1,"nodes":[]"#, "source"),
      (#""source":"a:","ranking":"age","taken":1,"nodes":[]"#, "network"),
      (#""source":"a:","network":"mainnet","ranking":"age","nodes":[]"#, "taken"),
      (#""source":"a:","network":"mainnet","ranking":"age","taken":1"#, "nodes"), (nil, "format"), ("", ""),
    ] as [(String?, String)])
  func thatIsIncompleteIsRefused(members: String?, part: String) {
    let text = members.map { $0.isEmpty ? "" : #"{"format":"hw-nodes-snapshot","version":2,\#($0)}"# } ?? "{}"
    let failure = failure { try Snapshot(Array(text.utf8), from: "f") }
    #expect(
      failure?.kind == .storage && failure?.hint == "compare another one: 'hw nodes snapshots' lists them")
    #expect(failure?.message.hasPrefix("'f' is not a complete snapshot: ") == true)
    #expect(part.isEmpty || failure?.message.contains(part) == true, "\(failure?.message ?? "")")
  }

  /// Not called incomplete: another hw reads it.
  @Test(arguments: [
    (#""version":3,"#, "'f' is of a newer hw: version 3, and this one reads up to 2"),
    (#""version":1,"#, "'f' is of an older hw: version 1, and this one reads from 2 on"),
    ("", "'f' is of an older hw: version 1, and this one reads from 2 on"),
  ])
  func ofAnotherVersionIsRefusedAsSuch(version: String, message: String) {
    let text = #"{"format":"hw-nodes-snapshot",\#(version)"ranking":"age","taken":1,"nodes":[]}"#
    let failure = failure { try Snapshot(Array(text.utf8), from: "f") }
    #expect(failure?.kind == .storage && failure?.message == message)
  }

  @Test func isComparedWithThatOfAnotherKindOnlyIfThatIsUnknown() throws {
    let node = Node(publicKey: "k", alias: "A", channels: 1, capacity: Satoshis(2))
    let one = Snapshot(source: "a:", ranking: .age, nodes: [])
    let unknown = Snapshot(nodes: [node])
    #expect(try unknown.changes(since: one).map(\.kind) == [.entered])
    #expect(try one.changes(since: unknown).map(\.kind) == [.left])
    #expect(try one.changes(since: one).isEmpty)
    let others = [
      (Snapshot(ranking: .liquidity, nodes: []), "rankings: age and liquidity"),
      (Snapshot(source: "b:", nodes: []), "sources: 'a:' and 'b:'"),
    ]
    for (other, words) in others {
      let failure = failure { try other.changes(since: one) }
      #expect(failure?.kind == .usage && failure?.message == "the snapshots have different \(words)")
    }
  }

  /// Keys compare in upper and lower case, and which of two nodes with one key counts is unknown.
  @Test func nodeThatIsThereTwiceIsRefused() throws {
    let key = String(repeating: "ab", count: 33)
    let node = Node(publicKey: key, alias: "A", channels: 1, capacity: Satoshis(2))
    let upper = Node(publicKey: key.uppercased(), alias: "A", channels: 1, capacity: Satoshis(2))
    #expect(try Snapshot(nodes: [node]).changes(since: Snapshot(nodes: [upper])).isEmpty)
    let twice = Snapshot(source: "demo:", ranking: .age, taken: FakeClock.newYear, nodes: [node, upper]).bytes
    let list = try JSON.parse(twice)["nodes"]
    #expect(failure { try Node.list(list) }?.kind == .invalidData)
    var array: [UInt8] = []
    list.appendRaw(to: &array)
    for bytes in [twice, array] {
      let failure = failure { try Snapshot(bytes, from: "b.json") }
      #expect(
        failure?.message
          == "'b.json' is not a complete snapshot: a ranking has the node '\(upper.publicKey)' twice")
    }
  }
}

/// The folder of the snapshots.
@Suite struct SnapshotFolderTests {
  private static func entry(_ ranking: NodeRanking, _ second: Int64) -> SnapshotFolder.Entry {
    .init(
      series: .init(ranking: ranking, source: "demo:"),
      taken: Timestamp(seconds: FakeClock.newYear.seconds + second))
  }

  private static func folder(_ scratch: ScratchDirectory) throws -> SnapshotFolder {
    for entry in [entry(.connectivity, 5), entry(.age, 5), entry(.age, 9)] {
      try scratch.write("", to: entry.name)
    }
    try scratch.write("", to: "notes.txt")
    return SnapshotFolder(path: scratch.path)
  }

  @Test func isListedNewestFirstThenByName() throws {
    let scratch = try ScratchDirectory()
    let folder = try Self.folder(scratch)
    let (nine, five, other) = (Self.entry(.age, 9), Self.entry(.age, 5), Self.entry(.connectivity, 5))
    #expect(try folder.entries() == [nine, five, other])
    #expect(try folder.entries(nine.series) == [nine, five])
    #expect(try folder.entries(.init(ranking: .liquidity, source: "demo:")) == [])
  }

  /// Its time is that of the clock, also where one that was ahead has saved others.
  @Test(arguments: [4, 9, 11] as [Int64])
  func theNextOneIsNumberedAfterAllOthers(second: Int64) throws {
    let scratch = try ScratchDirectory()
    let folder = try Self.folder(scratch)
    var next = Self.entry(.age, second)
    for sequence in 1...3 {
      next.sequence = sequence
      #expect(try folder.next(next.series, at: next.taken) == next)
      try scratch.write("", to: next.name)
      #expect(try folder.entries(next.series).first == next)
    }
    #expect(try folder.entries().count == 6)
  }

  @Test func aFileOfThatNameIsNotReplaced() throws {
    let scratch = try ScratchDirectory()
    let folder = try Self.folder(scratch)
    let snapshot = Snapshot(source: "demo:", ranking: .age, nodes: [])
    #expect(failure { try folder.save(snapshot, as: Self.entry(.age, 5)) }?.kind == .storage)
    // One that is gone already is no error.
    for _ in 0..<2 { try folder.delete([Self.entry(.age, 9)]) }
    #expect(try folder.entries().count == 2)
    #expect(failure { try SnapshotFolder.load(scratch.file("nothing")) }?.kind == .storage)
  }
}

/// The addresses of one service.
@Suite struct SnapshotOriginTests {
  @Test(arguments: [
    ("https://mempool.space", "https://mempool.space"), ("https://mempool.space/", "https://mempool.space"),
    ("HTTPS://Mempool.space:443//?key=1", "https://mempool.space"), ("http://a/b/", "http://a/b"),
    ("http://a/b?net=signet&api_key=1&x", "http://a/b?net=signet&x"),
    ("demo:", "demo:"), ("demo:/", "demo:"), ("unix:/run/hw.sock:/", "unix:/run/hw.sock"),
  ])
  func spellingsOfAddressHaveOneSeries(_ address: String, _ source: String) throws {
    #expect(SnapshotFolder.Series(.age, of: try HTTP.URL(address)).source == source)
  }
}

/// Snapshots that are saved, pruned and found again.
@Suite struct SnapshotCommandTests {
  private static let now = ScriptedRankings([.ranking([NodeTests.row()])])

  /// A saved snapshot of one node with so many channels.
  static func snapshot(_ channels: Int, by ranking: String = "connectivity") -> String {
    snapshot("[\(NodeTests.row("channels", "\(channels)"))]", by: ranking)
  }

  static func snapshot(
    _ nodes: String, by ranking: String = "connectivity", source: String = "demo:"
  ) -> String {
    """
    {"format":"hw-nodes-snapshot","version":2,"source":"\(source)","network":"mainnet","ranking":"\(ranking)",\
    "taken":1,"nodes":\(nodes)}
    """
  }

  /// The end of the name of a snapshot of the sample data.
  static let origin = "Z-mainnet-demo%3A.json"

  /// A day is a local one: here 23:30 in UTC is past midnight.
  @Test func daysAreLocal() throws {
    let home = try ScratchDirectory()
    try home.saveSnapshot(
      "connectivity-2026-01-01T233000\(SnapshotCommandTests.origin)", SnapshotCommandTests.snapshot(1))
    func status(_ day: String, _ offset: Int64) -> Int32 {
      Ran(
        ["diff", day], SnapshotCommandTests.now, in: home, time: FakeClock(FakeClock.newYear, offset: offset)
      ).status
    }
    #expect(status("2026-01-01", 0) == 1 && status("2026-01-02", 0) == 3)
    #expect(status("2026-01-01", 7200) == 3 && status("2026-01-02", 7200) == 1)
    #expect(status("2026-01-01", -7200) == 1)
    // The clock shows midnight of the first in UTC.
    #expect(status("today", 0) == 1 && status("0d", 0) == 1 && status("yesterday", 0) == 3)
    #expect(status("today", -7200) == 3 && status("1d", -7200) == 3)
  }

  @Test func namesAreReadAsTheyAreWritten() throws {
    for source in ["https://mempool.space", "demo:", "unix:/run/a-b.sock", "http://h:1/x-y/z", "embedded:/ü"]
    {
      let entry = SnapshotFolder.Entry(
        series: .init(ranking: .age, source: source),
        taken: Timestamp(seconds: 1_767_225_601))
      let numbered = SnapshotFolder.Entry(series: entry.series, taken: entry.taken, sequence: 70)
      #expect(SnapshotFolder.Entry(name: entry.name) == entry)
      #expect(SnapshotFolder.Entry(name: numbered.name) == numbered)
      #expect(!entry.name.contains("/"))
    }
    for name in [
      "age-2026-01-01T000001Z.json", "age-2026-01-01T000001Z-mainnet.json",
      "age-2026-01-01T000001Z-testnet-demo%3A.json", "age-2026-01-01T000001Z-mainnet-demo:.json",
      "age-2026-01-01T000001.json", "notes.txt", "age-2026-01-01T000001Z.text", "age.json",
      "age--2026-01-01T000001Z.json", "age-2026-01-01T000001Z--mainnet-demo%3A.json",
      "age-2026-01-01T000001Z.0-mainnet-demo%3A.json", "age-2026-01-01T000001Z.07-mainnet-demo%3A.json",
      "age-2026-01-01T000001Z.-1-mainnet-demo%3A.json", "age-2026-01-01T000001Z.1.2-mainnet-demo%3A.json",
      "age-2026-01-01T000001Z.9999999999999999999-mainnet-demo%3A.json",
    ] {
      #expect(SnapshotFolder.Entry(name: name) == nil, "\(name)")
    }
  }

  /// A cached response may be older than the snapshot.
  @Test(arguments: [("top", 1), ("diff list.json", 2)]) func currentRankingIsRequested(
    line: String, count: Int
  )
    throws
  {
    let home = try ScratchDirectory()
    let body = "[\(NodeTests.row())]"
    try home.write(body, to: "list.json")
    let server = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    defer { server.stop() }
    for line in ["top", line.replacing("list.json", with: home.file("list.json"))] {
      let ran = Ran(
        .only("nodes", Nodes.suite), ["nodes"] + line.split(separator: " ").map(String.init),
        environment: [
          "HOME": home.path, "HW_URL": "http://127.0.0.1:\(server.port)", "HW_MAX_AGE": "600",
        ], time: FakeClock(FakeClock.newYear))
      #expect(ran.status == 0, "\(ran.errors)")
    }
    #expect(server.requests.count == count)
  }

  /// What is longer is refused, whatever it is.
  @Test(arguments: [(0, 10), (1, 2)] as [(Int, Int32)])
  func standardInputHasALimit(surplus: Int, status: Int32) throws {
    let home = try ScratchDirectory()
    try home.saveSnapshot("connectivity-2025-01-01T000000\(Self.origin)", Self.snapshot(1))
    let ran = Ran(
      .only("nodes", Nodes.suite), ["nodes", "diff", "latest", "-", "--demo"],
      environment: ["HOME": home.path], input: String(repeating: "x", count: (64 << 20) + surplus))
    #expect(ran.status == status, "\(ran.errors)")
    #expect(ran.errors.contains("standard input is longer than 64 MiB") == (surplus > 0))
  }

  /// A list as the service sends it does not say what it ranks by.
  @Test func aListIsComparedWithTheRankingThatIsAskedFor() throws {
    let home = try ScratchDirectory()
    let path = "/api/v1/lightning/nodes/rankings/liquidity"
    let router = Router([NodesBackend(.demo(time: FakeClock()))])
    let response = router.respond(to: Request(.get, try HTTP.URL("http://localhost\(path)")))
    try home.write(response.text, to: "list.json")
    let ran = Ran(
      .only("nodes", Nodes.suite),
      ["nodes", "diff", home.file("list.json"), "--jsonl", "--demo", "-v", "--by", "liquidity"],
      environment: ["HOME": home.path], time: FakeClock(FakeClock.newYear))
    #expect(ran.status == 0 && ran.errors.contains(path), "\(ran.errors)")
  }
}
