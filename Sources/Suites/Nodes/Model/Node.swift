import JSON
import System

struct Node {
  var publicKey: String
  /// Name chosen by the node. Not unique; can contain any character.
  var alias: String
  var channels: Int
  var capacity: Satoshis
  var firstSeen: Timestamp?
  /// The last gossip about the node; nil if there was none after the first.
  var updatedAt: Timestamp?
  var city: LocalizedName?
  var country: LocalizedName?
  var isoCode: String?
  var subdivision: LocalizedName?
}

extension Node {
  init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    publicKey = try members["publicKey"].nodeKey
    alias = try members.string("alias")
    channels = try members["channels"].count
    capacity = Satoshis(try members["capacity"].count)
    firstSeen = try members["firstSeen"].timestampOrNull
    updatedAt = try members["updatedAt"].timestampOrNull
    city = try LocalizedName(orNull: members["city"])
    country = try LocalizedName(orNull: members["country"])
    isoCode = try members.stringOrNull("iso_code")
    subdivision = try LocalizedName(wrapped: members["subdivision"])
  }

  /// Reads a ranking. The error for a row contains its number, counted from 1. Fails (`invalidData`) for two nodes with
  /// one key: the changes to other rankings are then unknown.
  static func list(_ json: JSON) throws(Failure) -> [Node] {
    var nodes: [Node] = []
    for row in try json.array {
      do throws(Failure) {
        nodes.append(try Node(row))
      } catch {
        var failure = error
        failure.message = "row \(nodes.count + 1): \(error.message)"
        throw failure
      }
    }
    var keys: Set<String> = []
    for node in nodes where !keys.insert(node.publicKey.lowercased()).inserted {
      throw Failure(.invalidData, "a ranking has the node '\(node.publicKey)' twice")
    }
    return nodes
  }

  /// Writes the format of the service, except that the subdivision is an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("publicKey", publicKey)
      writer.member("alias", alias)
      writer.member("channels", channels)
      writer.member("capacity", capacity.amount)
      writer.member("firstSeen", firstSeen?.seconds)
      writer.member("updatedAt", updatedAt?.seconds)
      for (name, place) in [("city", city), ("country", country)] { writer.member(name, place?.names) }
      writer.member("iso_code", isoCode)
      writer.member("subdivision", subdivision?.names)
    }
  }
}

enum NodeRanking: String, CaseIterable, Sendable {
  case connectivity
  case liquidity
  case age
}

extension JSON {
  var count: Int {
    get throws(Failure) {
      let value = try int
      guard value >= 0 else { throw invalid("expected a count, found \(value)") }
      return value
    }
  }

  var timestamp: Timestamp { get throws(Failure) { Timestamp(seconds: Int64(try count)) } }

  /// Unix seconds; nil if null or missing.
  var timestampOrNull: Timestamp? { get throws(Failure) { try orNull?.timestamp } }

  var nodeKey: String {
    get throws(Failure) {
      let key = try string
      guard key.utf8.count == 66, key.lowercased().utf8.allSatisfy(\.isLowercaseHexDigit) else {
        throw invalid("expected 66 hexadecimal digits, found '\(key.prefix(80))'")
      }
      return key
    }
  }

  /// A count as a number or as text: the service sends large numbers as text.
  var countOrText: Int {
    get throws(Failure) {
      guard kind == .string else { return try count }
      let text = try string
      guard text.utf8.allSatisfy(\.isASCIIDigit), let value = Int(text) else {
        throw invalid("expected a count of 64 bits, found '\(text.prefix(40))'")
      }
      return value
    }
  }
}

/// A node as its own response describes it, with other member names than in a ranking. Nil is unknown.
struct NodeDetail {
  var publicKey: String
  var alias: String
  var channels: Int?
  var capacity: Satoshis?
  var firstSeen: Timestamp?
  var updatedAt: Timestamp?
  var color: String?
  var sockets: String?
  var organization: String?
  var isoCode: String?
  var city: LocalizedName?
  var country: LocalizedName?
  var subdivision: LocalizedName?
  var opened: Int?
  var closed: Int?
}

extension NodeDetail {
  init(_ json: JSON) throws(Failure) {
    publicKey = try json["public_key"].nodeKey
    alias = try json["alias"].string
    channels = try json["active_channel_count"].orNull?.countOrText
    // A string, or the number 0 for a node without channels.
    capacity = try json["capacity"].orNull.map { value throws(Failure) in Satoshis(try value.countOrText) }
    firstSeen = try json["first_seen"].timestampOrNull
    updatedAt = try json["updated_at"].timestampOrNull
    color = try json["color"].orNull?.string
    sockets = try json["sockets"].orNull?.string
    organization = try json["as_organization"].orNull?.string
    isoCode = try json["iso_code"].orNull?.string
    city = try LocalizedName(wrapped: json["city"])
    country = try LocalizedName(wrapped: json["country"])
    subdivision = try LocalizedName(wrapped: json["subdivision"])
    opened = try json["opened_channel_count"].orNull?.countOrText
    closed = try json["closed_channel_count"].orNull?.countOrText
  }
}
