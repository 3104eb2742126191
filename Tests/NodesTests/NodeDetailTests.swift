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
    arguments: [(#""36010516297""#, 36_010_516_297), ("0", 0), ("null", 0), ("12", 12)] as [(String, Int)])
  func capacity(_ text: String, _ amount: Int) throws {
    #expect(try NodeDetailTests.detail(text).capacity.amount == amount)
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
    FoundNode(publicKey: "02abcdef0011", alias: "Zap "), FoundNode(publicKey: "02abcdef0022", alias: "zap"),
    FoundNode(publicKey: "03ff", alias: "03f00d"),
  ]

  @Test(
    arguments: [("02abcdef0011", "02abcdef0011"), ("02ABCDEF0022", "02abcdef0022"), (" 03F00D ", "03ff")]
      as [(String, String)])
  func chosen(_ name: String, _ key: String) throws {
    #expect(try NodeName(name).match(among: NodeNameTests.found).publicKey == key)
  }

  @Test(
    arguments: [
      ("zap", .conflict), ("02abcdef00", .conflict), ("02abcde", .notFound), ("za", .notFound),
      ("02abcdef03", .notFound),
    ] as [(String, Failure.Kind)])
  func refused(_ name: String, _ kind: Failure.Kind) throws {
    let name = try NodeName(name)
    let failure = #expect(throws: Failure.self) { try name.match(among: NodeNameTests.found) }
    #expect(failure?.kind == kind)
    #expect(failure?.details.first?.name == "candidates")
  }

  @Test func aWholeKey() throws {
    let key = String(repeating: "aB", count: 33)
    #expect(try NodeName(key).key == key.lowercased())
    #expect(try NodeName(key + "0").key == nil)
    #expect(try NodeName("alias").key == nil)
  }
}
