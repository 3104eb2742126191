import JSON
import System

/// A node that nobody runs, for demonstrations and tests.
struct InventedNode: Sendable {
  var publicKey: String
  var alias: String
  var channels: Int
  var capacity: Int
  var firstSeen: Int
  var updatedAt: Int?
  var place: Place?

  /// A hundred of them, in every shape that the service sends: the same seed is the same nodes, at every start and on
  /// every machine.
  static func hundred(seed: UInt64) -> [InventedNode] {
    var random = SplitMix64(seed: seed)
    var nodes: [InventedNode] = []
    for number in 0..<100 { nodes.append(InventedNode(number, &random)) }
    return nodes
  }

  private init(_ number: Int, _ random: inout SplitMix64) {
    // A compressed point begins with 02 or 03.
    publicKey = "0\(2 + random.next(below: 2))"
    for _ in 0..<4 { publicKey += InventedNode.hexadecimal(random.next()) }
    alias = InventedNode.alias(number, &random)
    // A few large nodes and many small ones, as it is.
    let size = random.fraction()
    channels = 40 + Int(2900 * size * size * size)
    let perChannel = 1_000_000 + random.next(below: 24_000_000)
    capacity = channels * perChannel + random.next(below: 1_000_000)
    firstSeen = InventedNode.today - 86_400 * (30 + random.next(below: 2800)) - random.next(below: 86_400)
    updatedAt = number % 11 == 7 ? nil : InventedNode.today - random.next(below: 20 * 86_400)
    // Most of those that hide behind Tor are nowhere.
    place = random.next(below: 5) == 0 ? nil : Place.all[random.next(below: Place.all.count)]
  }

  /// 2026-01-01T00:00:00Z: what is invented does not age.
  private static let today = 1_767_225_600

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func alias(_ number: Int, _ random: inout SplitMix64) -> String {
    if number < specialAliases.count { return specialAliases[number] }
    let first = adjectives[random.next(below: adjectives.count)]
    let second = nouns[random.next(below: nouns.count)]
    switch random.next(below: 6) {
    case 0: return "\(first).\(second).com"
    case 1: return "\(second)-\(random.next(below: 90) + 10)"
    case 2: return first.uppercased() + second.uppercased()
    default: return "\(first) \(second)"
    }
  }

  /// Two that are alike, pictures, blanks at the end, other scripts, right to left, none at all.
  private static let specialAliases = [
    "Zap Harbour", "zap harbour", "Zap Harbour", "⚡️Thunder⚡️", "🐝 beeline", "Kraken Cove ", "ノード東京", "узел-21",
    "نقطة", "", "03f00d", "a very long alias, 32 characters",
  ]
  private static let adjectives = [
    "amber", "brave", "civil", "deft", "eager", "fleet", "golden", "humble", "ivory", "jolly", "keen",
    "lunar",
    "mellow", "noble", "opal", "proud",
  ]
  private static let nouns = [
    "anchor", "beacon", "channel", "dock", "engine", "falcon", "gate", "harbor", "island", "junction",
    "kiosk",
    "lantern", "mill", "node", "otter", "pier",
  ]
}

extension Ranking {
  /// Whether the one stands before the other; of equals, the smaller key.
  func precedes(_ a: InventedNode, _ b: InventedNode) -> Bool {
    switch self {
    case .connectivity: (-a.channels, a.publicKey) < (-b.channels, b.publicKey)
    case .liquidity: (-a.capacity, a.publicKey) < (-b.capacity, b.publicKey)
    case .age: (a.firstSeen, a.publicKey) < (b.firstSeen, b.publicKey)
    }
  }
}

extension InventedNode {
  /// As a ranking has it.
  func writeRanked(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("publicKey", publicKey)
      writer.member("alias", alias)
      writer.member("channels", channels)
      writer.member("capacity", capacity)
      writer.member("firstSeen", firstSeen)
      writer.member("updatedAt", updatedAt)
      writer.names("city", place?.city)
      writer.names("country", place?.country)
      // What belongs to no place is left out altogether by some answers.
      guard place != nil || channels % 2 == 0 else { return }
      writer.member("iso_code", place?.code)
      writer.key("subdivision")
      if let region = place?.region {
        var inner = JSONWriter()
        inner.names(region)
        writer.string(utf8: inner.bytes)
      } else {
        writer.null()
      }
    }
  }

  /// As the answer about this node alone has it: other names, and the capacity a string.
  func writeAlone(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("public_key", publicKey)
      writer.member("alias", alias)
      writer.member("first_seen", firstSeen)
      writer.member("updated_at", updatedAt)
      writer.member("color", "#\(publicKey.suffix(6))")
      writer.member(
        "sockets", place == nil ? "\(publicKey.suffix(40)).onion:9735" : "192.0.2.\(channels % 256):9735")
      writer.member("iso_code", place?.code)
      writer.names("city", place?.city)
      writer.names("country", place?.country)
      writer.names("subdivision", place?.region)
      writer.member("active_channel_count", channels)
      writer.member("capacity", String(capacity))
      writer.member("opened_channel_count", channels * 2)
      writer.member("closed_channel_count", channels)
    }
  }

  /// As a search has it.
  func writeFound(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("public_key", publicKey)
      writer.member("alias", alias)
      writer.member("capacity", capacity)
      writer.member("channels", channels)
      writer.member("status", 1)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func names(_ key: String, _ names: Place.Names?) {
    self.key(key)
    if let names { self.names(names) } else { null() }
  }

  fileprivate mutating func names(_ names: Place.Names) {
    object { writer in
      for (locale, name) in names.pairs {
        writer.member(locale, name)
      }
    }
  }
}
