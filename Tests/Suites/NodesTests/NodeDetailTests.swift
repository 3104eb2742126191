import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Nodes

@Suite struct RequestedNodes {
  private static func key(_ digit: Character) -> String { "02" + String(repeating: digit, count: 64) }

  /// The digits of a key may be capitals in a response.
  @Test(
    arguments: [("a", "a", true), ("a", "A", true), ("A", "a", true), ("a", "b", false)]
      as [(Character, Character, Bool)])
  func aNodeIsTheOneThatWasRequested(requested: Character, digit: Character, isSame: Bool) throws {
    let service = ScriptedTransport(
      Response(200, body: Array(#"{"public_key":"\#(Self.key(digit))","alias":"n"}"#.utf8)))
    let client = NodesClient(endpoint: Endpoint(try HTTP.URL("http://h.test"), service))
    let failure = failure { try client.node(Self.key(requested)) }
    #expect(failure?.kind == (isSame ? nil : .invalidData))
    #expect(
      isSame || failure?.message.hasSuffix("the response is about another node: '\(Self.key(digit))'") == true
    )
  }

  /// The path of the second request has the base of the first.
  @Test(arguments: [("http://h.test", ""), ("http://h.test/v1/", "/v1")])
  func explainPrintsRequestsAfterSearch(url: String, path: String) throws {
    let service = ScriptedTransport(Response(200, body: Array(#"{"nodes":[]}"#.utf8)))
    let client = NodesClient(endpoint: Endpoint(try HTTP.URL(url), service))
    _ = failure { try client.find("n") }
    #expect(service.requests.first?.next == "GET \(path)/api/v1/lightning/nodes/KEY of the node")
  }

  @Test func rankingHasEachNodeOnce() throws {
    let body = "[\(NodeTests.row()),\(NodeTests.row())]"
    let service = ScriptedTransport(Response(200, body: Array(body.utf8)))
    let client = NodesClient(endpoint: Endpoint(try HTTP.URL("http://h"), service))
    let failure = failure { try client.ranking(.connectivity) }
    #expect(failure?.kind == .invalidData && failure?.message.hasSuffix("twice") == true)
  }

  /// The service keeps blanks around an alias, and tables and standard input do not.
  @Test func aliasesThatDifferInBlanksAreToldApartByTypedBlanks() throws {
    let found = [("1", "n"), ("2", "n "), ("3", "N")].map { FoundNode(publicKey: $0.0, alias: $0.1) }
    #expect(try NodeName("n ").match(among: found).publicKey == "2")
    #expect(failure { try NodeName("n").match(among: found) }?.kind == .conflict)
    #expect(try NodeName(" n").match(among: Array(found[1...])).publicKey == "2")
  }
}

/// The other shape of a node: snake case, and a capacity that is a string.
@Suite struct NodeDetailTests {
  private static func detail(_ capacity: String) throws -> NodeDetail {
    try NodeDetail(
      JSON.parse(
        #"{"public_key":"\#(NodeTests.key)","alias":"a","active_channel_count":2,"capacity":\#(capacity),"city":{"en":"Paris"}}"#
      ))
  }

  @Test(
    arguments: [(#""36010516297""#, 36_010_516_297), ("0", 0), ("null", nil), ("12", 12)] as [(String, Int?)])
  func capacity(_ text: String, _ amount: Int?) throws {
    #expect(try NodeDetailTests.detail(text).capacity?.amount == amount)
  }

  /// What the service leaves out is unknown, not 0; a 0 that it sends stays.
  @Test func unknownIsNull() throws {
    let node = try NodeDetail(
      JSON.parse(#"{"public_key":"\#(NodeTests.key)","alias":"a","first_seen":0,"updated_at":0}"#))
    #expect(node.capacity == nil && node.channels == nil && node.color == nil && node.opened == nil)
    #expect(node.firstSeen == Timestamp(seconds: 0) && node.updatedAt == Timestamp(seconds: 0))
    let row = try Node(
      JSON.parse(
        NodeTests.row("updatedAt", "0").replacing(#""firstSeen":1522941222"#, with: #""firstSeen":0"#)))
    #expect(row.updatedAt == Timestamp(seconds: 0) && row.firstSeen == Timestamp(seconds: 0))
    let early = try NodeDetail(JSON.parse(#"{"public_key":"\#(NodeTests.key)","alias":"a","first_seen":1}"#))
    #expect(early.firstSeen == Timestamp(seconds: 1))
  }

  @Test func everythingThatIsSent() throws {
    let node = try NodeDetail(
      JSON.parse(
        #"{"public_key":"\#(NodeTests.key)","alias":"a","active_channel_count":"2","capacity":"3","first_seen":4,"#
          + #""updated_at":5,"color":"teal","sockets":"192.0.2.1:9735","as_organization":"Host","#
          + #""iso_code":"FR","city":"{\"en\":\"Paris\"}","country":{"en":"France"},"#
          + #""subdivision":{"en":"Île-de-France"},"opened_channel_count":6,"closed_channel_count":"7"}"#))
    #expect(node.publicKey == NodeTests.key && node.alias == "a")
    #expect([node.channels, node.capacity?.amount, node.opened, node.closed] == [2, 3, 6, 7])
    #expect([node.firstSeen, node.updatedAt] == [4, 5].map { Timestamp(seconds: $0) })
    #expect(
      [node.color, node.sockets, node.organization, node.isoCode]
        == ["teal", "192.0.2.1:9735", "Host", "FR"])
    #expect(
      [node.city, node.country, node.subdivision].map { $0?[.english] } == [
        "Paris", "France", "Île-de-France",
      ])
  }

  @Test func theBeginningOfALongNumberIsRepeated() throws {
    let failure = failure { try NodeDetailTests.detail("\"\(String(repeating: "9", count: 50))\"") }
    let nines = String(repeating: "9", count: 40)
    #expect(failure?.message.hasSuffix("expected a count of 64 bits, found '\(nines)'") == true)
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

  /// The service lists ten nodes at most.
  @Test func matchOfFullListMayNotBeTheOnlyOne() {
    let others = (4...9).map { FoundNode(publicKey: "04aa\($0)", alias: "x\($0)") }
    let found = NodeNameTests.found.dropLast(2) + others
    let one = failure { try NodeName("Zap").match(among: Array(found)) }
    #expect(one?.kind == .conflict && one?.message == "'Zap' matches 1 of the first 10 results")
    let none = failure { try NodeName("nobody").match(among: Array(found)) }
    #expect(none?.kind == .notFound && none?.message == "there is no node 'nobody' in the first 10 results")
  }

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
  @Test func dissimilarNodeIsNotSuggested() throws {
    let name = try NodeName("a")
    let found = NodeNameTests.found + [FoundNode(publicKey: "04", alias: "")]
    let failure = try #require(throws: Failure.self) { try name.match(among: found) }
    #expect(failure.details.isEmpty)
    #expect(failure.hint == "'hw nodes search a' lists the names that contain it")
  }

  @Test func aWholeKey() throws {
    let key = String(repeating: "aB", count: 33)
    #expect(try NodeName(key).key == key.lowercased())
    #expect(try NodeName(key + "0").key == nil)
    #expect(try NodeName("alias").key == nil)
  }

  @Test func eightDigitsAreTheBeginningOfAKey() throws {
    let found = [
      FoundNode(publicKey: "02abcdef01", alias: "a"), FoundNode(publicKey: "02abcdee01", alias: "b"),
    ]
    #expect(try NodeName("02ABCDEF").match(among: found).publicKey == "02abcdef01")
    // Seven are not, but the node may be meant.
    let seven = failure { try NodeName("02abcde").match(among: found) }
    #expect(seven?.kind == .notFound && seven?.message == "there is no node '02abcde'")
    #expect(seven?.details == [.init("candidates", .list(["02abcdef01", "02abcdee01"]))])
    #expect(seven?.hint == "did you mean:\n02abcdef01  a\n02abcdee01  b")
  }

  @Test func fourDigitsMayBeMeantAsTheBeginningOfAKey() throws {
    let found = [FoundNode(publicKey: "03bbcc", alias: "something else")]
    let four = failure { try NodeName("03bb").match(among: found) }
    #expect(four?.hint == "did you mean:\n03bbcc  something else")
    let three = failure { try NodeName("03b").match(among: found) }
    #expect(three?.hint == "'hw nodes search 03b' lists the names that contain it")
    #expect(three?.details == [])
    let none = failure { try NodeName("03bb").match(among: []) }
    #expect(none?.hint == "give an alias, a key, or the first 8 digits of one or more")
  }

  @Test func onlyKnownFactsAreListed() throws {
    let found = [
      FoundNode(publicKey: "02abcdef01", alias: nil, channels: 7),
      FoundNode(publicKey: "02abcdef02", alias: "B", capacity: Satoshis(150_000_000)),
    ]
    let several = failure { try NodeName("02abcdef").match(among: found) }
    #expect(several?.message == "'02abcdef' matches 2 nodes")
    #expect(several?.hint == "use a key:\n02abcdef01    (7 channels)\n02abcdef02  B  (1.5 BTC)")
  }

  @Test func anEmptyNameIsNone() {
    for text in ["", "  "] {
      let failure = failure { try NodeName(text) }
      #expect(failure?.kind == .usage && failure?.message == "the name of the node is empty")
    }
  }
}

/// What the client asks for.
@Suite struct NodesClientTests {
  private static func client(_ service: ScriptedTransport) throws -> NodesClient {
    NodesClient(endpoint: Endpoint(try HTTP.URL("https://host"), service))
  }

  private static func text(_ text: String, status: Int = 200) -> Response {
    Response(status, body: Array(text.utf8))
  }

  @Test func aWholeKeyIsNotSearched() throws {
    let key = String(repeating: "ab", count: 33)
    let detail = Self.text(#"{"public_key":"\#(key)","alias":"zap"}"#)
    let whole = ScriptedTransport(detail)
    #expect(try Self.client(whole).find(key.uppercased()).alias == "zap")
    #expect(whole.targets == ["/api/v1/lightning/nodes/\(key)"])
    let alias = ScriptedTransport(Self.text(#"{"nodes":[{"public_key":"\#(key)","alias":"zap"}]}"#), detail)
    #expect(try Self.client(alias).find(" zap ").publicKey == key)
    #expect(alias.targets == ["/api/v1/lightning/search?searchText=zap", "/api/v1/lightning/nodes/\(key)"])
  }

  /// A service may list a node in the search that it cannot show.
  @Test(arguments: [404, 500]) func aFailureNamesWhatWasTyped(status: Int) throws {
    let key = String(repeating: "ab", count: 33)
    let service = ScriptedTransport(
      Self.text(#"{"nodes":[{"public_key":"\#(key)","alias":"zap"}]}"#),
      Self.text("Failed to get node", status: status))
    let message = failure { try Self.client(service).find("zap") }?.message
    #expect(message?.hasPrefix("node 'zap': ") == true && message?.contains(key) == true, "\(message ?? "")")
  }

  @Test(
    arguments: [
      (500, "Failed to get node", .notFound), (500, #"{"error":"This node does not exist"}"#, .notFound),
      (500, "out of memory", .connection), (503, "Failed to get node", .connection),
    ] as [(Int, String, Failure.Kind)])
  func anUnknownKeyIsNotFound(status: Int, body: String, kind: Failure.Kind) throws {
    let client = try Self.client(ScriptedTransport(Self.text(body, status: status)))
    let failure = failure { try client.node("02") }
    #expect(failure?.kind == kind)
    #expect((failure?.message == "no node has the key '02'") == (kind == .notFound))
  }
}
