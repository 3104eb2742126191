import System

/// Reads one value (RFC 8259) and writes its index, in one pass and without recursion.
///
/// At the end of the bytes it stops before the unfinished token, and continues there when there are more. The text
/// must be UTF-8 up to the limit and have the sentinel there (see `Document`), so no step checks for the end: the
/// offset alone distinguishes the end of the input from a syntax error.
struct Indexer {
  static let maximumDepth = 1024

  enum State: UInt8 {
    case value, firstElement, firstName, name, next
  }

  enum Outcome {
    case complete
    /// Well-formed so far; the syntax error is for a text that ends here.
    case incomplete(SyntaxError)
    case invalid(SyntaxError, at: Int)
  }

  /// First unread byte, relative to the element's start.
  private(set) var position = 0
  private(set) var state = State.value
  private var depth: Int
  /// Innermost open container: `2 * (index + 1)`, plus 1 for an object; 0 without one. Until it closes, its entry
  /// contains the enclosing one.
  private var open: UInt32 = 0

  /// `depth` is the number of enclosing containers that the index leaves out.
  init(depth: Int = 0) { self.depth = depth }

  /// Reads up to `limit`, which is the end of the text if `ended`. An iteration reads a value, the closing brackets
  /// after it, and the name before the next value. `state` is where it begins again; the optimizer turns the
  /// transitions into jumps.
  mutating func run(_ document: Document, limit: Int, ended: Bool) -> Outcome {
    let bytes = unsafe document.base
    var entries = unsafe document.body.pointee.entries
    var count = unsafe document.body.pointee.entryCount
    var at = position
    var (position, state, depth, open) = (position, state, depth, open)
    defer { (self.position, self.state, self.depth, self.open) = (position, state, depth, open) }
    var stops = StringStops()
    let syntaxError: SyntaxError

    reading: while true {
      if state == .value || state == .firstElement {
        // Room for the value or its brackets, for a name, and for the brackets of all open containers.
        if unsafe count &+ depth &+ 3 > document.body.pointee.entryCapacity {
          guard let larger = unsafe document.growIndex(toHold: count &+ depth &+ 3) else {
            syntaxError = .tooManyValues
            break reading
          }
          unsafe entries = larger
        }
        position = at
        unsafe Indexer.skipBlanks(bytes, &at)
        let start = at
        var complex: UInt32 = 0
        let byte = unsafe bytes[at]
        if byte == UInt8(ascii: "\"") {
          if let problem = unsafe Indexer.string(bytes, &at, &stops, &complex) {
            syntaxError = problem
            break reading
          }
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          guard depth < Indexer.maximumDepth else {
            syntaxError = .tooDeep
            break reading
          }
          depth &+= 1
          at &+= 1
          unsafe entries[count] = IndexEntry(start: UInt32(truncatingIfNeeded: start), info: open)
          count &+= 1
          open = UInt32(truncatingIfNeeded: count) << 1
          state = .firstElement
          guard byte == UInt8(ascii: "{") else { continue reading }
          open |= 1
          state = .firstName
        } else if byte.isASCIIDigit || byte == UInt8(ascii: "-") {
          if let problem = unsafe Indexer.number(bytes, &at, &complex) {
            syntaxError = problem
            break reading
          }
          // A number has no end of its own: more digits may follow.
          if at >= limit && !ended {
            syntaxError = .value
            break reading
          }
        } else if byte == UInt8(ascii: "]") && state == .firstElement {
          state = .next
        } else {
          guard unsafe Indexer.literal(bytes, &at) else {
            syntaxError = .value
            break reading
          }
        }
        if state == .value || state == .firstElement {
          unsafe entries[count] = IndexEntry(
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
            syntaxError = inObject ? .nextMember : .nextElement
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
            syntaxError = state == .name ? .name : .firstName
            break reading
          }
          state = .next
          continue reading
        }
        var complex: UInt32 = 0
        if let problem = unsafe Indexer.string(bytes, &at, &stops, &complex) {
          syntaxError = problem
          break reading
        }
        let length = at &- start
        unsafe Indexer.skipBlanks(bytes, &at)
        guard unsafe bytes[at] == UInt8(ascii: ":") else {
          syntaxError = .colon
          break reading
        }
        at &+= 1
        unsafe entries[count] = IndexEntry(
          start: UInt32(truncatingIfNeeded: start), info: UInt32(truncatingIfNeeded: length) | complex)
        count &+= 1
        state = .value
      }
    }
    unsafe document.body.pointee.entryCount = count
    return at >= limit ? .incomplete(syntaxError.atTheEnd) : .invalid(syntaxError, at: at)
  }

  /// Entries of the open containers, outermost first.
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
    _ entries: UnsafeMutablePointer<IndexEntry>, _ count: inout Int, _ open: inout UInt32, at offset: Int
  ) {
    let index = Int(open >> 1) &- 1
    unsafe open = entries[index].info
    unsafe entries[index].info = UInt32(truncatingIfNeeded: count &- index) | IndexEntry.container
    unsafe entries[count] = IndexEntry(start: UInt32(truncatingIfNeeded: offset), info: 1)
    count &+= 1
  }
}
