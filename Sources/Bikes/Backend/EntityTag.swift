import HTTP

/// The ETag of a list: two responses with the same tag have the same bytes. It is a hash of the revisions of the bikes,
/// which change with everything about a bike, and not of the bytes, which are many.
struct EntityTag {
  private var hash: UInt64

  /// The start of the tags of a database: revisions mean nothing in another. The secret epoch cannot be computed from a
  /// tag, although each step of the hash can be undone.
  struct Seed {
    fileprivate let value: UInt64

    init(epoch: String) {
      let digits = SHA256.hex(Array("etag \(epoch)".utf8)).prefix(16)
      value = UInt64(digits, radix: 16) ?? 0
    }
  }

  /// Each user sees other PINs, and so has other tags; `reader` is nil where everybody sees all.
  init(_ seed: Seed, _ reader: String?) {
    hash = seed.value
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
