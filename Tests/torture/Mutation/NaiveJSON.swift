/// A second opinion on JSON: RFC 8259 by recursive descent, written for nothing but to be right.
indirect enum NaiveJSON: Equatable {
  case null
  case bool(Bool)
  /// As it is written.
  case number([UInt8])
  case string([UInt8])
  case array([NaiveJSON])
  case object([(name: [UInt8], value: NaiveJSON)])

  static func == (left: NaiveJSON, right: NaiveJSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }

  /// The only value of the text; nil where it is not JSON.
  init?(_ bytes: [UInt8]) {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var reader = NaiveReader(bytes)
    reader.skipBlanks()
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipBlanks()
    guard reader.next == nil else { return nil }
    self = value
  }

  /// The value on that path; of equal names the last counts.
  func member(_ path: [String]) -> NaiveJSON? {
    guard let name = path.first else { return self }
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == Array(name.utf8) }?.value.member(Array(path.dropFirst()))
  }

  /// What a stream hands out of the text, and whether it ends without a failure. Of several `concatenated` texts, arrays
  /// are opened if the first text is one.
  static func stream(_ bytes: [UInt8], concatenated: Bool = false) -> (values: [NaiveJSON], isWhole: Bool) {
    // The stream stops at the first byte that is not UTF-8, after what comes before.
    let end = validPrefix(bytes)
    var reader = NaiveReader(Array(bytes[..<end]), mayGoOn: end < bytes.count)
    var values: [NaiveJSON] = []
    reader.skipBlanks(marks: concatenated)
    let opensArrays = reader.next == 0x5B
    while reader.next != nil {
      if opensArrays, reader.next == 0x5B {
        guard reader.elements(into: &values) else { return (values, false) }
      } else {
        guard let value = reader.value(depth: 0) else { return (values, false) }
        values.append(value)
      }
      if ![0x5D, 0x7D].contains(bytes[reader.at - 1]), let byte = reader.next,
        !NaiveReader.blanks.contains(byte)
      {
        return (values, false)
      }
      reader.skipBlanks(marks: concatenated)
      if opensArrays, !concatenated { return (values, reader.next == nil && end == bytes.count) }
    }
    return (values, end == bytes.count)
  }

  private static func validPrefix(_ bytes: [UInt8]) -> Int {
    if String(validating: bytes, as: UTF8.self) != nil { return bytes.count }
    var at = 0
    while at < bytes.count {
      let length = (1...4).first {
        at + $0 <= bytes.count && String(validating: bytes[at..<(at + $0)], as: UTF8.self) != nil
      }
      guard let length else { return at }
      at += length
    }
    return at
  }
}

private struct NaiveReader {
  static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
  static let deepest = 1024
  let bytes: [UInt8]
  /// Whether something follows that cannot be read: a number that ends where the text does may not be whole.
  let mayGoOn: Bool
  var at = 0

  init(_ bytes: [UInt8], mayGoOn: Bool = false) {
    self.bytes = bytes
    self.mayGoOn = mayGoOn
  }

  var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func skipBlanks() { while let next, Self.blanks.contains(next) { at += 1 } }

  /// With `marks`, byte order marks as well.
  mutating func skipBlanks(marks: Bool) {
    skipBlanks()
    while marks, bytes[at...].starts(with: [0xEF, 0xBB, 0xBF]) {
      at += 3
      skipBlanks()
    }
  }

  /// What commas separate between the bracket here and `end`; false where something is malformed.
  private mutating func list(until end: UInt8, _ read: (inout NaiveReader) -> Bool) -> Bool {
    at += 1
    skipBlanks()
    if next == end {
      at += 1
      return true
    }
    while true {
      skipBlanks()
      guard read(&self) else { return false }
      skipBlanks()
      guard let byte = next, byte == UInt8(ascii: ",") || byte == end else { return false }
      at += 1
      if byte == end { return true }
    }
  }

  /// The elements of the array here.
  mutating func elements(depth: Int = 1, into values: inout [NaiveJSON]) -> Bool {
    list(until: UInt8(ascii: "]")) { reader in
      guard let value = reader.value(depth: depth) else { return false }
      values.append(value)
      return true
    }
  }

  mutating func value(depth: Int) -> NaiveJSON? {
    switch next {
    case UInt8(ascii: "n"): return literal("null") ? .null : nil
    case UInt8(ascii: "t"): return literal("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return literal("false") ? .bool(false) : nil
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "["): return depth < Self.deepest ? array(depth: depth + 1) : nil
    case UInt8(ascii: "{"): return depth < Self.deepest ? object(depth: depth + 1) : nil
    default: return number()
    }
  }

  private mutating func literal(_ text: StaticString) -> Bool {
    for byte in "\(text)".utf8 {
      guard next == byte else { return false }
      at += 1
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = at
    while let next, (0x30...0x39).contains(next) { at += 1 }
    return at > start
  }

  private mutating func number() -> NaiveJSON? {
    let start = at
    if next == UInt8(ascii: "-") { at += 1 }
    if next == UInt8(ascii: "0") { at += 1 } else if !digits() { return nil }
    if let next, (0x30...0x39).contains(next) { return nil }
    if next == UInt8(ascii: ".") {
      at += 1
      guard digits() else { return nil }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      guard digits() else { return nil }
    }
    return mayGoOn && next == nil ? nil : .number(Array(bytes[start..<at]))
  }

  private mutating func array(depth: Int) -> NaiveJSON? {
    var values: [NaiveJSON] = []
    return elements(depth: depth, into: &values) ? .array(values) : nil
  }

  private mutating func object(depth: Int) -> NaiveJSON? {
    var members: [(name: [UInt8], value: NaiveJSON)] = []
    let isWhole = list(until: UInt8(ascii: "}")) { reader in
      guard reader.next == UInt8(ascii: "\""), let name = reader.string() else { return false }
      reader.skipBlanks()
      guard reader.next == UInt8(ascii: ":") else { return false }
      reader.at += 1
      reader.skipBlanks()
      guard let value = reader.value(depth: depth) else { return false }
      members.append((name, value))
      return true
    }
    return isWhole ? .object(members) : nil
  }

  private mutating func unit() -> UInt32? {
    guard at + 4 <= bytes.count, let text = String(validating: bytes[at..<(at + 4)], as: UTF8.self),
      text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }), let unit = UInt32(text, radix: 16)
    else { return nil }
    at += 4
    return unit
  }

  private mutating func string() -> [UInt8]? {
    at += 1
    var text: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case 0..<0x20: return nil
      case UInt8(ascii: "\\"):
        guard let letter = next else { return nil }
        at += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
          guard var code = unit() else { return nil }
          if (0xD800..<0xDC00).contains(code) {
            guard at + 2 <= bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u")
            else { return nil }
            at += 2
            guard let low = unit(), (0xDC00..<0xE000).contains(low) else { return nil }
            code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00)
          }
          guard let scalar = Unicode.Scalar(code) else { return nil }
          text += Array(String(Character(scalar)).utf8)
        default: return nil
        }
      default: text.append(byte)
      }
    }
    return nil
  }
}
