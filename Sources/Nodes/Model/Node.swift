import JSON
import System

/// A node as a ranking lists it.
struct Node {
  /// 66 hexadecimal digits.
  var publicKey: String
  /// The name the node gives itself: not unique, and anything may stand in it.
  var alias: String
  var channels: Int
  var capacity: Satoshis
  var firstSeen: Timestamp
  /// Nil for a node that has not been heard of again.
  var updatedAt: Timestamp?
  var city: LocatedName?
  var country: LocatedName?
  /// The country's two letters.
  var isoCode: String?
  /// The part of the country.
  var subdivision: LocatedName?
}

extension Node {
  init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    publicKey = try members.string("publicKey")
    alias = try members.string("alias")
    channels = try members["channels"].count
    capacity = Satoshis(try members["capacity"].count)
    firstSeen = try members["firstSeen"].timestamp
    updatedAt = try members["updatedAt"].orNull?.timestamp
    city = try LocatedName(orNull: members["city"])
    country = try LocatedName(orNull: members["country"])
    isoCode = try members.stringOrNull("iso_code")
    subdivision = try LocatedName(wrapped: members["subdivision"])
  }

  /// The rows of a ranking. One that is malformed is named by its number, counted from 1.
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
    return nodes
  }

  /// In the shape that `init` reads, and the service sends but for the subdivision, which is an object here.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("publicKey", publicKey)
      writer.member("alias", alias)
      writer.member("channels", channels)
      writer.member("capacity", capacity.amount)
      writer.member("firstSeen", firstSeen.seconds)
      writer.member("updatedAt", updatedAt?.seconds)
      for (name, place) in [("city", city), ("country", country)] {
        writer.member(name, place?.names)
      }
      writer.member("iso_code", isoCode)
      writer.member("subdivision", subdivision?.names)
    }
  }
}

/// What the service ranks by.
enum Ranking: String, CaseIterable, Sendable {
  case connectivity
  case liquidity
  case age
}

extension JSON {
  /// A number of things: not below 0.
  var count: Int {
    get throws(Failure) {
      let value = try int
      guard value >= 0 else { throw invalid("expected a count, found \(value)") }
      return value
    }
  }

  /// Unix seconds.
  var timestamp: Timestamp {
    get throws(Failure) { Timestamp(seconds: Int64(try count)) }
  }
}
