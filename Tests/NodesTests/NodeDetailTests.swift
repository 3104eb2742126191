import JSON
import System
import Testing

@testable import Nodes

/// The other shape of a node: snake case, and a capacity that is a string.
@Suite struct NodeDetailTests {
  private static func detail(_ capacity: String) throws -> NodeDetail {
    try NodeDetail(
      JSON.parse(
        #"{"public_key":"02","alias":"a","active_channel_count":2,"capacity":\#(capacity),"city":{"en":"Paris"}}"#
      ))
  }

  @Test(
    arguments: [(#""36010516297""#, 36_010_516_297), ("0", 0), ("null", nil), ("12", 12)] as [(String, Int?)])
  func capacity(_ text: String, _ amount: Int?) throws {
    #expect(try NodeDetailTests.detail(text).capacity?.amount == amount)
  }

  /// What the service leaves out is unknown, not 0, and no node was seen in 1970.
  @Test func unknownIsNull() throws {
    let node = try NodeDetail(
      JSON.parse(#"{"public_key":"02","alias":"a","first_seen":0,"updated_at":0}"#))
    #expect(node.capacity == nil && node.channels == nil && node.firstSeen == nil && node.updatedAt == nil)
    let row = try Node(
      JSON.parse(
        NodeTests.row("updatedAt", "0").replacing(#""firstSeen":1522941222"#, with: #""firstSeen":0"#)))
    #expect(row.updatedAt == nil && row.firstSeen == nil)
  }

  @Test(arguments: [#""12 sat""#, #""99999999999999999999""#, #""-1""#, #""""#, "-1", "true"])
  func malformed(_ text: String) throws {
    let failure = #expect(throws: Failure.self) { try NodeDetailTests.detail(text) }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains("at capacity: ") == true)
  }
}

/// What a person calls a node by.
@Suite struct NodeNameTests {
  private static let found = [
    FoundNode(publicKey: "02abcdef0011", alias: "Zap ", channels: 7, capacity: Satoshis(150_000_000)),
    FoundNode(publicKey: "02abcdef0022", alias: "zap"), FoundNode(publicKey: "03ff", alias: "03f00d"),
    FoundNode(publicKey: "03aa", alias: nil), FoundNode(publicKey: "03bb", alias: "twin"),
    FoundNode(publicKey: "03cc", alias: "twin"),
  ]

  @Test(
    arguments: [
      ("02abcdef0011", "02abcdef0011"), ("02ABCDEF0022", "02abcdef0022"), (" 03F00D ", "03ff"),
      // Equal by case takes precedence.
      ("Zap", "02abcdef0011"), ("zap", "02abcdef0022"),
    ]
      as [(String, String)])
  func chosen(_ name: String, _ key: String) throws {
    #expect(try NodeName(name).match(among: NodeNameTests.found).publicKey == key)
  }

  @Test(
    arguments: [
      ("ZAP", .conflict), ("twin", .conflict), ("02abcdef00", .conflict), ("02abcde", .notFound),
      ("za", .notFound), ("zapp", .notFound),
    ] as [(String, Failure.Kind)])
  func refused(_ name: String, _ kind: Failure.Kind) throws {
    let name = try NodeName(name)
    let failure = #expect(throws: Failure.self) { try name.match(among: NodeNameTests.found) }
    #expect(failure?.kind == kind)
    #expect(failure?.details.first?.name == "candidates")
  }

  @Test func candidatesAreListedWithChannelsAndCapacity() throws {
    let name = try NodeName("ZAP")
    let failure = try #require(throws: Failure.self) { try name.match(among: NodeNameTests.found) }
    #expect(
      failure.hint
        == "use a key:\n02abcdef0011  Zap   (7 channels, 1.5 BTC)\n02abcdef0022  zap")
  }

  /// A search finds every alias that contains the text; only similar ones may be meant.
  @Test func whatIsNotSimilarIsNotSuggested() throws {
    let name = try NodeName("a")
    let failure = try #require(throws: Failure.self) { try name.match(among: NodeNameTests.found) }
    #expect(failure.details.isEmpty)
    #expect(failure.hint == "'hw nodes search a' lists the names that contain it")
  }

  @Test func aWholeKey() throws {
    let key = String(repeating: "aB", count: 33)
    #expect(try NodeName(key).key == key.lowercased())
    #expect(try NodeName(key + "0").key == nil)
    #expect(try NodeName("alias").key == nil)
  }
}
