import JSON
import System

/// A file of a General Bikeshare Feed of version 1, 2 or 3.
struct FeedFile {
  let data: JSON
  let updated: Timestamp?
  private let ttl: Int64

  /// Fails (`invalidData`) for a file of another kind.
  init(_ json: JSON) throws(Failure) {
    data = json["data"]
    guard json.kind == .object, data.kind == .object else {
      throw json.invalid("expected a file of a GBFS feed: an object with the member 'data'")
    }
    updated = FeedFile.time(json["last_updated"])
    ttl = max(0, min(Int64(FeedValue.integer(json["ttl"]) ?? 0), FeedFile.longestLifetime))
  }

  private static let longestLifetime: Int64 = 30 * 86_400

  /// Seconds until the next change of the file: 0 if it is due. If it has no time, or is late by more than `ttl`, the
  /// next change is unknown, and `ttl` counts from now.
  func lifetime(_ now: Timestamp) -> Int64 {
    guard let updated, case let left = updated.seconds + ttl - now.seconds, left >= -ttl else { return ttl }
    return max(0, min(ttl, left))
  }

  /// GBFS allows vehicle data an age of 5 minutes, or until the next change.
  func isOutdated(_ now: Timestamp) -> Bool {
    guard let updated else { return false }
    return now.seconds - updated.seconds > max(ttl, 300)
  }

  /// The end of the year 9999. A sum with a later time could overflow.
  private static let lastSecond = 253_402_300_799

  /// Seconds since 1970, or in version 3 RFC 3339 with an offset from UTC.
  private static func time(_ json: JSON) -> Timestamp? {
    if let seconds = FeedValue.integer(json) {
      return (1...lastSecond).contains(seconds) ? Timestamp(seconds: Int64(seconds)) : nil
    }
    return json.text.flatMap { Timestamp(exactly: $0) }
  }
}

/// The list of files. Version 2 has a list per language, version 3 one list.
struct FeedDirectory {
  private var addresses: [String: String] = [:]

  init(_ data: JSON, _ language: String?) throws(Failure) {
    var feeds = data["feeds"]
    if feeds.kind == .absent {
      let languages = try data.members.filter { $0.value["feeds"].kind == .array }
      guard let chosen = FeedValue.nearest(languages, to: language, \.key) else {
        throw data.invalid("expected the files of a GBFS feed, as in gbfs.json")
      }
      feeds = data[chosen.key]["feeds"]
    }
    for feed in try feeds.array { addresses[try feed["name"].string] = try feed["url"].string }
  }

  subscript(_ name: String) -> String? { addresses[name] }

  /// Version 3 has renamed the file.
  var vehicles: String { addresses["vehicle_status"] == nil ? "free_bike_status" : "vehicle_status" }
}

/// Values in feeds. Many feeds write numbers and flags as text. Invalid optional values are nil: a failure reports its
/// position, and finding that takes a search of the whole file.
enum FeedValue {
  static func integer(_ json: JSON) -> Int? { number(json).flatMap { Int(exactly: $0) } }

  /// Version 1 has 0 and 1.
  static func flag(_ json: JSON) -> Bool? {
    json.kind == .bool
      ? try? json.bool
      : ["true": true, "false": false][json.text?.lowercased() ?? ""] ?? integer(json).map { $0 != 0 }
  }

  static func place(_ json: JSON) -> Place? {
    guard let latitude = number(json["lat"]), let longitude = number(json["lon"]) else { return nil }
    return Place(latitude: latitude, longitude: longitude)
  }

  private static func number(_ json: JSON) -> Double? {
    guard json.kind == .number || json.kind == .string else { return nil }
    var digits: [UInt8] = []
    json.appendBare(to: &digits)
    return Place.number(String(decoding: digits, as: UTF8.self))
  }

  /// The text in the language. Version 3 has a list of texts.
  static func text(_ json: JSON, _ language: String?) -> String? {
    guard json.kind == .array, let texts = try? json.array else { return json.text }
    return nearest(Array(texts), to: language) { $0["language"].text ?? "" }.flatMap { $0["text"].text }
  }

  /// The first member that is the address of a page. Links into apps are ignored.
  static func link(_ names: [String], of json: JSON) -> String? {
    guard json.kind == .object else { return nil }
    return names.lazy.compactMap { json[$0].text }.first { link in
      link.hasPrefix("http") && link.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }

  /// The item in the language, else in a variant of it, else the first.
  static func nearest<Item>(_ items: [Item], to language: String?, _ tag: (Item) -> String) -> Item? {
    func primary(_ tag: String) -> Substring { tag.lowercased().prefix { $0 != "-" && $0 != "_" } }
    guard let language else { return items.first }
    return items.first { tag($0).lowercased() == language.lowercased() }
      ?? items.first { primary(tag($0)) == primary(language) } ?? items.first
  }
}
