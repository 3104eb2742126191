import JSON
import System

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
