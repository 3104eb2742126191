import JSON
import System

/// A node as the service describes it alone. The response has other names than a ranking.
struct NodeDetail {
  var publicKey: String
  var alias: String
  var channels: Int
  var capacity: Satoshis
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
    publicKey = try json["public_key"].string
    alias = try json["alias"].string
    channels = try json["active_channel_count"].orNull?.countOrText ?? 0
    // A string if there is a capacity, the number 0 if there is none.
    capacity = Satoshis(try json["capacity"].orNull?.countOrText ?? 0)
    firstSeen = try json["first_seen"].orNull?.timestamp
    updatedAt = try json["updated_at"].orNull?.timestamp
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

extension JSON {
  /// A count that may be sent as text: the service does so for large numbers.
  fileprivate var countOrText: Int {
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
