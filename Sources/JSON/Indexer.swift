import CLibraries

/// Reads one value after RFC 8259 and writes its index, in one pass and without recursion.
///
/// Where the bytes run out it stops before the unfinished token and goes on from there when there are more. The text
/// must be UTF-8 up to the limit and hold the sentinel there (see `Document`), so no step needs to ask for the end:
/// what cannot go on because of the sentinel is told from a fault by its offset alone.
struct Indexer {
  static let maximumDepth = 1024

  /// What may come next.
  enum State {
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
  mutating func run(_ document: Document, limit: Int, ended: Bool) -> Outcome {
    let bytes = unsafe document.base
    var entries = unsafe document.body.pointee.entries
    var room = unsafe document.body.pointee.entryCapacity
    var count = unsafe document.body.pointee.entryCount
    var at = position
    var state = state
    var open = open
    // Where the current token began: what is read again if it turns out unfinished.
    var token = at
    let outcome: Outcome

    reading: while true {
      token = at
      if count + 2 > room {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: room * 2)
        unsafe larger.moveInitialize(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = larger
        room *= 2
      }
      switch state {
      case .value, .firstElement:
        unsafe Indexer.skipBlanks(bytes, &at)
        let start = at
        switch unsafe bytes[at] {
        case UInt8(ascii: "\""):
          var complex: UInt32 = 0
          if let fault = unsafe Indexer.string(bytes, &at, &complex) {
            outcome = at >= limit ? .starved(.quote) : .refused(fault, at: at)
            break reading
          }
          unsafe entries[count] = Entry(
            start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: at - start) | complex)
          count += 1
          state = .next

        case UInt8(ascii: "{"), UInt8(ascii: "["):
          guard depth < Indexer.maximumDepth else {
            outcome = .refused(.tooDeep, at: at)
            break reading
          }
          depth += 1
          let isObject = unsafe bytes[at] == UInt8(ascii: "{")
          unsafe entries[count] = Entry(start: UInt32(truncatingIfNeeded: start), info: open)
          count += 1
          open = UInt32(truncatingIfNeeded: count) << 1 | (isObject ? 1 : 0)
          state = isObject ? .firstName : .firstElement
          at += 1

        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          var complex: UInt32 = 0
          if let fault = unsafe Indexer.number(bytes, &at, &complex) {
            outcome = at >= limit ? .starved(fault) : .refused(fault, at: at)
            break reading
          }
          // A number has no end of its own: more digits may follow the limit.
          if at >= limit && !ended {
            outcome = .starved(.value)
            break reading
          }
          unsafe entries[count] = Entry(
            start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: at - start) | complex)
          count += 1
          state = .next

        case UInt8(ascii: "]") where state == .firstElement:
          unsafe Indexer.close(entries, &count, &open, at: at)
          depth -= 1
          at += 1
          state = .next

        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
          guard let length = unsafe Indexer.literal(bytes + at) else {
            // It starves only where what is there is the beginning of a literal.
            let begun = unsafe Indexer.begunLiteral(bytes + at)
            outcome = at + begun >= limit ? .starved(.value) : .refused(.value, at: at)
            break reading
          }
          at += length
          unsafe entries[count] = Entry(
            start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: length))
          count += 1
          state = .next

        default:
          outcome = at >= limit ? .starved(.value) : .refused(.value, at: at)
          break reading
        }

      case .firstName, .name:
        unsafe Indexer.skipBlanks(bytes, &at)
        let start = at
        guard unsafe bytes[at] == UInt8(ascii: "\"") else {
          if unsafe state == .firstName && bytes[at] == UInt8(ascii: "}") {
            unsafe Indexer.close(entries, &count, &open, at: at)
            depth -= 1
            at += 1
            state = .next
            continue reading
          }
          let fault = state == .firstName ? Fault.firstName : .name
          outcome = at >= limit ? .starved(fault) : .refused(fault, at: at)
          break reading
        }
        var complex: UInt32 = 0
        if let fault = unsafe Indexer.string(bytes, &at, &complex) {
          outcome = at >= limit ? .starved(.quote) : .refused(fault, at: at)
          break reading
        }
        let length = at - start
        unsafe Indexer.skipBlanks(bytes, &at)
        guard unsafe bytes[at] == UInt8(ascii: ":") else {
          outcome = at >= limit ? .starved(.colon) : .refused(.colon, at: at)
          break reading
        }
        at += 1
        unsafe entries[count] = Entry(
          start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: length) | complex)
        count += 1
        state = .value

      case .next:
        if open == 0 {
          outcome = .complete
          break reading
        }
        unsafe Indexer.skipBlanks(bytes, &at)
        let byte = unsafe bytes[at]
        let inObject = open & 1 != 0
        if byte == UInt8(ascii: ",") {
          at += 1
          state = inObject ? .name : .value
        } else if byte == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          unsafe Indexer.close(entries, &count, &open, at: at)
          depth -= 1
          at += 1
        } else {
          let fault = inObject ? Fault.nextMember : .nextElement
          outcome = at >= limit ? .starved(fault) : .refused(fault, at: at)
          break reading
        }
      }
    }
    self.position = token
    self.state = state
    self.open = open
    unsafe document.body.pointee.entries = entries
    unsafe document.body.pointee.entryCapacity = room
    unsafe document.body.pointee.entryCount = count
    return outcome
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
    let index = Int(open >> 1) - 1
    unsafe open = entries[index].info
    unsafe entries[index].info = UInt32(truncatingIfNeeded: count - index) | Entry.container
    unsafe entries[count] = Entry(start: UInt32(truncatingIfNeeded: offset), info: 1)
    count += 1
  }

  @inline(__always)
  static func skipBlanks(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) {
    guard unsafe bytes[at] <= 0x20 else { return }
    while true {
      let run = unsafe Int(hw_blank_run(bytes + at))
      at += run
      if run < 16 { return }
    }
  }

  /// Passes the string that begins at `at`; stops at what is wrong with it.
  @inline(__always)
  private static func string(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ complex: inout UInt32
  ) -> Fault? {
    at += 1
    while true {
      let run = unsafe Int(hw_plain_run(bytes + at))
      at += run
      if run == 16 { continue }
      let byte = unsafe bytes[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return nil
      }
      guard byte == UInt8(ascii: "\\") else { return .controlCharacter }
      complex = Entry.complex
      if let fault = unsafe escape(bytes, &at) { return fault }
    }
  }

  /// Passes the escape at `at`. Where it is wrong, `at` stays, unless a zero byte ends it: then it points there, so
  /// that the sentinel tells what is unfinished from what is wrong.
  private static func escape(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> Fault? {
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
    if unsafe fault == nil || bytes[end] == 0 { at = end }
    return fault
  }

  private static func passed(
    _ character: Unicode.Scalar, _ bytes: UnsafePointer<UInt8>, _ at: inout Int
  ) -> Bool {
    guard unsafe bytes[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private static func hexadecimal(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Indexer.hexadecimalDigit(unsafe bytes[at]) else { return nil }
      value = value << 4 | digit
      at += 1
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
    if unsafe bytes[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    unsafe skipDigits(bytes, &at)
    if at == first { return .digit }
    if unsafe bytes[first] == UInt8(ascii: "0") && at - first > 1 {
      at = first
      return .leadingZero
    }
    let byte = unsafe bytes[at]
    guard byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") else { return nil }
    complex = Entry.complex
    return unsafe fraction(bytes, &at)
  }

  private static func fraction(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> Fault? {
    if unsafe bytes[at] == UInt8(ascii: ".") {
      at += 1
      let first = at
      unsafe skipDigits(bytes, &at)
      if at == first { return .digit }
    }
    if unsafe bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if unsafe bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
      let first = at
      unsafe skipDigits(bytes, &at)
      if at == first { return .digit }
    }
    return nil
  }

  @inline(__always)
  private static func skipDigits(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) {
    while true {
      let run = unsafe Int(hw_digit_run(bytes + at))
      at += run
      if run < 16 { return }
    }
  }

  @inline(__always)
  private static func literal(_ bytes: UnsafePointer<UInt8>) -> Int? {
    let word = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self).littleEndian
    if word == 0x6C6C_756E || word == 0x6575_7274 { return 4 }  // "null", "true"
    if unsafe word == 0x736C_6166 && bytes[4] == UInt8(ascii: "e") { return 5 }  // "fals", "e"
    return nil
  }

  /// How many bytes are the beginning of a literal.
  private static func begunLiteral(_ bytes: UnsafePointer<UInt8>) -> Int {
    let words: [StaticString] = ["null", "true", "false"]
    var longest = 0
    for word in words {
      var length = 0
      while length < word.utf8CodeUnitCount, unsafe bytes[length] == word.utf8Start[length] { length += 1 }
      longest = max(longest, length)
    }
    return longest
  }
}
