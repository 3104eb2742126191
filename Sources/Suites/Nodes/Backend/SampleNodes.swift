import JSON
import System

struct SampleNode: Sendable {
  var publicKey: String
  var alias: String
  var channels: Int
  var capacity: Int
  var firstSeen: Int
  var updatedAt: Int?
  var location: SampleLocation?

  /// A hundred nodes with every variation that the service sends. Equal seeds give equal nodes on every machine.
  static func samples(seed: UInt64) -> [SampleNode] {
    var random = SplitMix64(seed: seed)
    return (0..<100).map { SampleNode($0, &random) }
  }

  private init(_ number: Int, _ random: inout SplitMix64) {
    // A compressed point begins with 02 or 03.
    publicKey = "0\(2 + random.next(below: 2))"
    for _ in 0..<4 { publicKey += String(random.next(), radix: 16).zeroPadded(to: 16) }
    alias = SampleNode.alias(number, &random)
    // A few large nodes and many small ones, as in the real network.
    let size = random.fraction()
    channels = 40 + Int(2900 * size * size * size)
    let perChannel = 1_000_000 + random.next(below: 24_000_000)
    capacity = channels * perChannel + random.next(below: 1_000_000)
    firstSeen = SampleNode.today - 86_400 * (30 + random.next(below: 2800)) - random.next(below: 86_400)
    updatedAt = number % 11 == 7 ? nil : SampleNode.today - random.next(below: 20 * 86_400)
    // Nodes behind Tor mostly have no location.
    location =
      random.next(below: 5) == 0 ? nil : SampleLocation.all[random.next(below: SampleLocation.all.count)]
  }

  /// 2026-01-01T00:00:00Z: sample data does not depend on the date.
  static let today = 1_767_225_600

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

  /// Equal aliases, emoji, trailing spaces, other scripts, right to left, and an empty one.
  private static let specialAliases = [
    "Zap Harbour", "zap harbour", "Zap Harbour", "⚡️Thunder⚡️", "🐝 beeline", "Kraken Cove ", "ノード東京", "узел-21",
    "نقطة", "", "03f00d", "a very long alias, 32 characters",
  ]
  private static let adjectives = [
    "amber", "brave", "civil", "deft", "eager", "fleet", "golden", "humble", "ivory", "jolly", "keen",
    "lunar", "mellow", "noble", "opal", "proud",
  ]
  private static let nouns = [
    "anchor", "beacon", "channel", "dock", "engine", "falcon", "gate", "harbor", "island", "junction",
    "kiosk", "lantern", "mill", "node", "otter", "pier",
  ]
}

extension NodeRanking {
  /// Whether `a` is ranked before `b`. Equal nodes are ordered by key.
  func precedes(_ a: SampleNode, _ b: SampleNode) -> Bool {
    switch self {
    case .connectivity: (-a.channels, a.publicKey) < (-b.channels, b.publicKey)
    case .liquidity: (-a.capacity, a.publicKey) < (-b.capacity, b.publicKey)
    case .age: (a.firstSeen, a.publicKey) < (b.firstSeen, b.publicKey)
    }
  }
}

extension SampleNode {
  func writeRanked(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("publicKey", publicKey)
      writer.member("alias", alias)
      writer.member("channels", channels)
      writer.member("capacity", capacity)
      writer.member("firstSeen", firstSeen)
      writer.member("updatedAt", updatedAt)
      writer.names("city", location?.city)
      writer.names("country", location?.country)
      // Some rows without a location omit these members, others have null.
      guard location != nil || channels % 2 == 0 else { return }
      writer.member("iso_code", location?.code)
      writer.key("subdivision")
      if let region = location?.region {
        var inner = JSONWriter()
        inner.names(region)
        writer.string(utf8: inner.bytes)
      } else {
        writer.null()
      }
    }
  }

  /// Writes the response about this node alone, which has other member names and the capacity as a string.
  func writeDetail(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("public_key", publicKey)
      writer.member("alias", alias)
      writer.member("first_seen", firstSeen)
      writer.member("updated_at", updatedAt)
      writer.member("color", "#\(publicKey.suffix(6))")
      writer.member(
        "sockets", location == nil ? "\(publicKey.suffix(40)).onion:9735" : "192.0.2.\(channels % 256):9735")
      writer.member("iso_code", location?.code)
      writer.names("city", location?.city)
      writer.names("country", location?.country)
      writer.names("subdivision", location?.region)
      writer.member("active_channel_count", channels)
      writer.member("capacity", String(capacity))
      writer.member("opened_channel_count", channels * 2)
      writer.member("closed_channel_count", channels)
    }
  }

  func writeSearchResult(to writer: inout JSONWriter) {
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
  fileprivate mutating func names(_ key: String, _ names: String?) {
    self.key(key)
    if let names { self.names(names) } else { null() }
  }

  fileprivate mutating func names(_ names: String) {
    let names = names.split(separator: "|", omittingEmptySubsequences: false)
    object { writer in
      for (locale, name) in zip(Language.supported, names) where !name.isEmpty {
        writer.member(locale, String(name))
      }
    }
  }
}
