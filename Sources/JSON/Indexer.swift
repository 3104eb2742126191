import CLibraries

/// Reads one value after RFC 8259 and writes its index, in one pass and without recursion.
///
/// Where the bytes run out it stops before the unfinished token and goes on from there when there are more. The text
/// must be UTF-8 up to the limit and hold the sentinel there (see `Document`), so no step needs to ask for the end:
/// what cannot go on because of the sentinel is told from a fault by its offset alone.
struct Indexer {
  static let maximumDepth = 1024

  /// What may come next.
  enum State: UInt8 {
    case value, firstElement, firstName, name, next
  }

  enum Outcome {
    case complete
    /// Well-formed as far as it goes; the fault is what it comes to if there is no more.
    case starved(Fault)
    case refused(Fault, at: Int)
  }

  /// The first byte not yet read, counted from the element's start.
  private(set) var position = 0
  private(set) var state = State.value
  private var depth: Int
  /// The innermost open container: its index plus one, doubled, plus one if it is an object; or 0. Until it closes,
  /// its own entry remembers the one around it.
  private var open: UInt32 = 0

  /// `depth` is the number of containers around the value that the index leaves out.
  init(depth: Int = 0) {
    self.depth = depth
  }

  /// Reads on, up to `limit`, which is the end of the text when `ended`.
  ///
  /// The loop goes round once a value: the value, what closes after it, and the name before the next. `state` only
  /// says where it begins anew; the optimiser sees what follows what and jumps there.
  mutating func run(_ document: Document, limit: Int, ended: Bool) -> Outcome {
    let bytes = unsafe document.base
    var entries = unsafe document.body.pointee.entries
    var count = unsafe document.body.pointee.entryCount
    var at = position
    var (position, state, depth, open) = (position, state, depth, open)
    defer { (self.position, self.state, self.depth, self.open) = (position, state, depth, open) }
    let fault: Fault

    reading: while true {
      if state == .value || state == .firstElement {
        // Room for the value or the brackets of it, for a name, and for the brackets of all that is open.
        if unsafe count &+ depth &+ 3 > document.body.pointee.entryCapacity {
          unsafe entries = document.growIndex(keeping: count)
        }
        position = at
        unsafe Indexer.skipBlanks(bytes, &at)
        let start = at
        var complex: UInt32 = 0
        let byte = unsafe bytes[at]
        if byte == UInt8(ascii: "\"") {
          if let problem = unsafe Indexer.string(bytes, &at, &complex) {
            fault = problem
            break reading
          }
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          guard depth < Indexer.maximumDepth else {
            fault = .tooDeep
            break reading
          }
          depth &+= 1
          at &+= 1
          unsafe entries[count] = Entry(start: UInt32(truncatingIfNeeded: start), info: open)
          count &+= 1
          open = UInt32(truncatingIfNeeded: count) << 1
          state = .firstElement
          guard byte == UInt8(ascii: "{") else { continue reading }
          open |= 1
          state = .firstName
        } else if byte &- 0x30 < 10 || byte == UInt8(ascii: "-") {
          if let problem = unsafe Indexer.number(bytes, &at, &complex) {
            fault = problem
            break reading
          }
          // A number has no end of its own: more digits may follow the limit.
          if at >= limit && !ended {
            fault = .value
            break reading
          }
        } else if byte == UInt8(ascii: "]") && state == .firstElement {
          state = .next
        } else {
          guard unsafe Indexer.literal(bytes, &at) else {
            fault = .value
            break reading
          }
        }
        if state == .value || state == .firstElement {
          unsafe entries[count] = Entry(
            start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: at &- start) | complex)
          count &+= 1
          state = .next
        }
      }

      while state == .next {
        position = at
        if open == 0 {
          unsafe document.body.pointee.entryCount = count
          return .complete
        }
        unsafe Indexer.skipBlanks(bytes, &at)
        let byte = unsafe bytes[at]
        let inObject = open & 1 != 0
        if byte == UInt8(ascii: ",") {
          at &+= 1
          state = inObject ? .name : .value
        } else {
          guard byte == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            fault = inObject ? .nextMember : .nextElement
            break reading
          }
          unsafe Indexer.close(entries, &count, &open, at: at)
          depth &-= 1
          at &+= 1
        }
      }

      if state == .name || state == .firstName {
        position = at
        unsafe Indexer.skipBlanks(bytes, &at)
        let start = at
        guard unsafe bytes[at] == UInt8(ascii: "\"") else {
          guard unsafe state == .firstName && bytes[at] == UInt8(ascii: "}") else {
            fault = state == .name ? .name : .firstName
            break reading
          }
          state = .next
          continue reading
        }
        var complex: UInt32 = 0
        if let problem = unsafe Indexer.string(bytes, &at, &complex) {
          fault = problem
          break reading
        }
        let length = at &- start
        unsafe Indexer.skipBlanks(bytes, &at)
        guard unsafe bytes[at] == UInt8(ascii: ":") else {
          fault = .colon
          break reading
        }
        at &+= 1
        unsafe entries[count] = Entry(
          start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: length) | complex)
        count &+= 1
        state = .value
      }
    }
    unsafe document.body.pointee.entryCount = count
    return at >= limit ? .starved(fault.atTheEnd) : .refused(fault, at: at)
  }

  /// The open containers' entries, outermost first.
  func openContainers(_ document: Document) -> [Int] {
    var indexes: [Int] = []
    var open = open
    while open != 0 {
      let index = Int(open >> 1) - 1
      indexes.append(index)
      open = document.entry(index).info
    }
    return indexes.reversed()
  }

  @inline(__always)
  private static func close(
    _ entries: UnsafeMutablePointer<Entry>, _ count: inout Int, _ open: inout UInt32, at offset: Int
  ) {
    let index = Int(open >> 1) &- 1
    unsafe open = entries[index].info
    unsafe entries[index].info = UInt32(truncatingIfNeeded: count &- index) | Entry.container
    unsafe entries[count] = Entry(start: UInt32(truncatingIfNeeded: offset), info: 1)
    count &+= 1
  }

  @inline(__always)
  static func skipBlanks(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) {
    guard unsafe bytes[at] <= 0x20 else { return }
    while true {
      let run = unsafe Int(hw_blank_run(bytes + at))
      at &+= run
      if run < 16 { return }
    }
  }

  /// Passes the string that begins at `at`; stops at what is wrong with it.
  @inline(__always)
  private static func string(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ complex: inout UInt32
  ) -> Fault? {
    at &+= 1
    while true {
      let run = unsafe Int(hw_plain_run(bytes + at))
      at &+= run
      if run == 16 { continue }
      let byte = unsafe bytes[at]
      if byte == UInt8(ascii: "\"") {
        at &+= 1
        return nil
      }
      guard byte == UInt8(ascii: "\\") else { return .controlCharacter }
      complex = Entry.complex
      let (end, fault) = unsafe escape(bytes, at)
      at = end
      if let fault { return fault }
    }
  }

  /// Where the escape at `at` ends. Where it is wrong, that is where it began, unless a zero byte ends it: then it
  /// is that byte, so that the sentinel tells what is unfinished from what is wrong.
  ///
  /// Here and below, what is called rather than inlined takes its offset by value: one whose address is taken lives
  /// in memory, and the whole loop waits for it.
  @inline(never)
  private static func escape(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> (end: Int, Fault?) {
    var end = at + 1
    var fault: Fault?
    switch unsafe bytes[end] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      end += 1
    case UInt8(ascii: "u"):
      end += 1
      switch unsafe hexadecimal(bytes, &end) {
      case nil: fault = .escape
      case .some(0xDC00...0xDFFF): fault = .loneSurrogate
      case .some(0xD800...0xDBFF):
        // The second half is due at once.
        let isSecond = unsafe passed("\\", bytes, &end) && passed("u", bytes, &end)
        let isPair = unsafe isSecond && (0xDC00...0xDFFF).contains(hexadecimal(bytes, &end) ?? 0)
        fault = isPair ? nil : .loneSurrogate
      default: break
      }
    default: fault = .escape
    }
    return unsafe fault == nil || bytes[end] == 0 ? (end, fault) : (at, fault)
  }

  private static func passed(
    _ character: Unicode.Scalar, _ bytes: UnsafePointer<UInt8>, _ at: inout Int
  ) -> Bool {
    guard unsafe bytes[at] == UInt8(ascii: character) else { return false }
    at &+= 1
    return true
  }

  private static func hexadecimal(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Indexer.hexadecimalDigit(unsafe bytes[at]) else { return nil }
      value = value << 4 | digit
      at &+= 1
    }
    return value
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 55
    default: nil
    }
  }

  /// Passes the number that begins at `at`; stops at what is wrong with it.
  @inline(__always)
  private static func number(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ complex: inout UInt32
  ) -> Fault? {
    if unsafe bytes[at] == UInt8(ascii: "-") { at &+= 1 }
    let first = at
    unsafe skipDigits(bytes, &at)
    if at == first { return .digit }
    if unsafe bytes[first] == UInt8(ascii: "0") && at &- first > 1 {
      at = first
      return .leadingZero
    }
    let byte = unsafe bytes[at]
    guard byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") else { return nil }
    complex = Entry.complex
    let (end, fault) = unsafe fraction(bytes, at)
    at = end
    return fault
  }

  /// Where the fraction and the exponent at `at` end, or what is wrong with them stands.
  @inline(never)
  private static func fraction(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> (end: Int, Fault?) {
    var end = at
    if unsafe bytes[end] == UInt8(ascii: ".") {
      end += 1
      let first = end
      unsafe skipDigits(bytes, &end)
      if end == first { return (end, .digit) }
    }
    if unsafe bytes[end] | 0x20 == UInt8(ascii: "e") {
      end += 1
      if unsafe bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
      let first = end
      unsafe skipDigits(bytes, &end)
      if end == first { return (end, .digit) }
    }
    return (end, nil)
  }

  @inline(__always)
  private static func skipDigits(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) {
    while true {
      let run = unsafe Int(hw_digit_run(bytes + at))
      at &+= run
      if run < 16 { return }
    }
  }

  /// Passes `null`, `true` or `false`. Where the text ends in the middle of one, `at` goes there.
  @inline(__always)
  private static func literal(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> Bool {
    let word = unsafe UInt32(littleEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt32.self))
    if word == 0x6C6C_756E || word == 0x6575_7274 {  // "null", "true"
      at &+= 4
      return true
    }
    if unsafe word == 0x736C_6166 && bytes[at + 4] == UInt8(ascii: "e") {  // "fals", "e"
      at &+= 5
      return true
    }
    at = unsafe begunLiteral(bytes, at)
    return false
  }

  @inline(never)
  private static func begunLiteral(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> Int {
    for literal: StaticString in ["null", "true", "false"] {
      var end = at
      while end - at < literal.utf8CodeUnitCount, unsafe bytes[end] == literal.utf8Start[end - at] {
        end += 1
      }
      if unsafe bytes[end] == 0 { return end }
    }
    return at
  }
}
