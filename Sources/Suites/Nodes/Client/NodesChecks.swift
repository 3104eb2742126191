import Command
import HTTP
import JSON
import System

/// The contract check of the service: what `hw check nodes` requires of each response.
extension Nodes {
  static var checks: [Check] {
    let rankings = NodeRanking.allCases.map { ranking in
      Check(
        "the ranking by \(ranking.rawValue)", "/api/v1/lightning/nodes/rankings/\(ranking.rawValue)",
        expects: .list(ranked, count: 0...100))
    }
    return rankings + [
      Check(
        "a node by its key", after: rankings[0],
        explained: "/api/v1/lightning/nodes/KEY of the first node",
        { answer throws(Failure) in "/api/v1/lightning/nodes/\(try answer[0]["publicKey"].string)" },
        expects: detail),
      Check(
        "an unknown key", "/api/v1/lightning/nodes/\(String(repeating: "0", count: 66))", status: 500,
        expects: .object(["error": .string])),
      Check(
        "a search", "/api/v1/lightning/search", ["searchText": "a"],
        expects: .object(["nodes": .list(found, count: 0...10), "channels": .list(.any)])),
      Check(
        "the statistics", "/api/v1/lightning/statistics/latest",
        expects: .object(["latest": statistics, "previous": .optional(statistics)])),
    ]
  }

  private static let key = Contract.text("66 hexadecimal digits") { text in
    text.utf8.count == 66 && text.utf8.allSatisfy(\.isLowercaseHexDigit)
  }
  private static let count = Contract.int(0 ... .max)
  /// The service sends some large numbers as text.
  private static let countOrText = Contract.either([
    count, .text("a count") { $0.utf8.allSatisfy(\.isASCIIDigit) && Int($0) != nil },
  ])
  /// Locale → name.
  private static let place = Contract.map(.string)

  private static let ranked = Contract.object([
    "publicKey": key, "alias": .string, "channels": count, "capacity": count, "firstSeen": count,
    "updatedAt": .orNull(count), "city": .orNull(place), "country": .orNull(place),
    "iso_code": .optional(.string), "subdivision": .optional(.wrapped(place)),
  ])

  private static let detail = Contract.object([
    "public_key": key, "alias": .string, "first_seen": .optional(count), "updated_at": .optional(count),
    "color": .optional(.string), "sockets": .optional(.string), "as_number": .optional(.any),
    "city_id": .optional(.any), "country_id": .optional(.any), "subdivision_id": .optional(.any),
    "longitude": .optional(.any), "latitude": .optional(.any), "iso_code": .optional(.string),
    "as_organization": .optional(.string), "city": .optional(.wrapped(place)),
    "country": .optional(.wrapped(place)), "subdivision": .optional(.wrapped(place)),
    "features": .optional(.any), "featuresBits": .optional(.any), "custom_records": .optional(.any),
    "active_channel_count": .optional(countOrText), "opened_channel_count": .optional(countOrText),
    "closed_channel_count": .optional(countOrText), "capacity": .optional(countOrText),
  ])

  private static let statistics = Contract.object([
    "id": .optional(.any), "added": .string, "channel_count": countOrText, "node_count": countOrText,
    "total_capacity": countOrText, "tor_nodes": .optional(countOrText),
    "clearnet_nodes": .optional(countOrText), "clearnet_tor_nodes": .optional(countOrText),
    "unannounced_nodes": .optional(countOrText), "avg_capacity": .optional(countOrText),
    "avg_fee_rate": .optional(countOrText), "avg_base_fee_mtokens": .optional(countOrText),
    "med_capacity": .optional(countOrText), "med_fee_rate": .optional(countOrText),
    "med_base_fee_mtokens": .optional(countOrText),
  ])

  private static let found = Contract.object([
    "public_key": key, "alias": .optional(.string), "capacity": .optional(countOrText),
    "channels": .optional(countOrText), "status": .optional(.any),
  ])
}
