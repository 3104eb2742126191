/// The mark of an answer: two answers with the same mark are the same bytes. It is made of the revisions of what is in
/// it, which say everything about a bike, and not of the bytes, which are many.
struct EntityTag {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// `epoch` is the database's own name: revisions mean nothing in another. What one person sees is not another's.
  init(_ epoch: String, _ reader: String?) {
    for byte in epoch.utf8 { mix(UInt64(byte)) }
    mix(0)
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

  /// Whether an `If-None-Match` names it.
  static func matches(_ field: String, _ mark: String) -> Bool {
    field == mark || field == "*"
      || field.split(separator: ",").contains { part in
        let bare = part.drop { $0 == " " }
        return bare == mark || bare.hasPrefix("W/") && bare.dropFirst(2) == mark
      }
  }
}
