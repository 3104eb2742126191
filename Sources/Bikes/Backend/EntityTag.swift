/// The ETag of a list: two responses with the same tag have the same bytes. It is a hash of the revisions of the bikes,
/// which change with everything about a bike, and not of the bytes, which are many.
struct EntityTag {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// `epoch` names the database: revisions mean nothing in another. Each user sees other PINs, and so has other tags;
  /// `reader` is nil where everybody sees all.
  init(_ epoch: String, _ reader: String?) {
    for byte in epoch.utf8 { mix(UInt64(byte)) }
    mix(reader == nil ? 0 : 1)
    for byte in (reader ?? "").utf8 { mix(UInt64(byte)) }
  }

  mutating func add(_ revision: Int) {
    mix(UInt64(bitPattern: Int64(revision)))
  }

  private mutating func mix(_ value: UInt64) {
    hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }

  var text: String { "\"\(String(hash, radix: 36))\"" }

  /// Whether an `If-None-Match` field contains the tag.
  static func matches(_ field: String, _ tag: String) -> Bool {
    field == tag || field == "*"
      || field.split(separator: ",").contains { part in
        let bare = part.drop { $0 == " " }
        return bare == tag || bare.hasPrefix("W/") && bare.dropFirst(2) == tag
      }
  }
}
