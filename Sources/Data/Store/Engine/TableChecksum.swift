import System

/// Checksum of a table's rows in any order: equal for equal rows on both engines.
struct TableChecksum: Equatable {
  private(set) var rows = 0
  private var sum: UInt64 = 0

  var text: String { String(sum, radix: 16).zeroPadded(to: 16) }

  mutating func add(_ values: [SQLValue]) {
    var hash = RowHash()
    for value in values { hash.add(value) }
    // A sum, since the engines return rows in different orders.
    sum &+= hash.finished
    rows += 1
  }
}

/// FNV-1a with a final mix, against damage and mistakes, not against forgery.
private struct RowHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Tag and length make the boundaries of values part of the hash.
  mutating func add(_ value: SQLValue) {
    switch value {
    case .null: add(UInt8(ascii: "n"))
    case .integer(let number): add(UInt8(ascii: "i"), UInt64(bitPattern: Int64(number)))
    // SQLite may return 0.0 for -0.0.
    case .real(let number): add(UInt8(ascii: "r"), number == 0 ? 0 : number.bitPattern)
    case .text(var text):
      text.withUTF8 { bytes in
        add(UInt8(ascii: "t"), UInt64(bytes.count))
        for index in bytes.indices { add(unsafe bytes[index]) }
      }
    }
  }

  private mutating func add(_ tag: UInt8, _ number: UInt64) {
    add(tag)
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

  var finished: UInt64 { SplitMix64.mix(state) }
}
