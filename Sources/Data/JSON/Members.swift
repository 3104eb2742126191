import System

extension JSON {
  /// Members of an object for a reader that takes them in their usual order.
  public var inOrder: InOrder {
    get throws(Failure) {
      _ = try members
      return InOrder(object: self)
    }
  }

  /// Searches each name behind the one found before, then before it. So reading an object takes one pass if the order
  /// is the usual one, and gives the same values in any other.
  ///
  /// If an object has a name twice, the last one counts.
  public struct InOrder {
    private let object: JSON
    private var at: Int
    /// The object may have a name twice, so each is searched in the complete object.
    private let isIrregular: Bool

    init(object: JSON) {
      self.object = object
      at = object.index + 1
      isIrregular = object.document.mayRepeatName(object.index)
    }

    /// Member of that name; an absent value if there is none.
    public subscript(name: StaticString) -> JSON {
      mutating get {
        guard let found = find(name) else { return object[name.description] }
        return JSON(document: object.document, index: found)
      }
    }

    /// Integer of that name; nil if it is null or absent. Like the functions below, reads a usual value without making
    /// a `JSON`, since a list has many rows with many members.
    public mutating func intOrNull(_ name: StaticString) throws(Failure) -> Int? {
      guard let found = find(name) else { return nil }
      let document = object.document
      let entry = document.entry(found)
      switch document.firstByte(entry) {
      case UInt8(ascii: "n"): return nil
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        if !entry.isComplex, let value = unsafe Decimal.plainInteger(document.text(found)) { return value }
      default: break
      }
      return try JSON(document: document, index: found).int
    }

    public mutating func stringOrNull(_ name: StaticString) throws(Failure) -> String? {
      guard let found = find(name) else { return nil }
      let document = object.document
      let entry = document.entry(found)
      switch document.firstByte(entry) {
      case UInt8(ascii: "n"): return nil
      case UInt8(ascii: "\"") where !entry.isComplex: return document.plainString(found)
      default: return try JSON(document: document, index: found).string
      }
    }

    public mutating func boolOrNull(_ name: StaticString) throws(Failure) -> Bool? {
      guard let found = find(name) else { return nil }
      let document = object.document
      switch document.firstByte(document.entry(found)) {
      case UInt8(ascii: "n"): return nil
      case UInt8(ascii: "t"): return true
      case UInt8(ascii: "f"): return false
      default: return try JSON(document: document, index: found).bool
      }
    }

    // A missing member or null is read again through its view, which throws the failure.

    public mutating func int(_ name: StaticString) throws(Failure) -> Int {
      if let value = try intOrNull(name) { return value }
      return try self[name].int
    }

    public mutating func string(_ name: StaticString) throws(Failure) -> String {
      if let value = try stringOrNull(name) { return value }
      return try self[name].string
    }

    public mutating func bool(_ name: StaticString) throws(Failure) -> Bool {
      if let value = try boolOrNull(name) { return value }
      return try self[name].bool
    }

    private mutating func find(_ name: StaticString) -> Int? {
      let document = object.document
      if isIrregular {
        let bytes = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe document.member(bytes, of: object.index)
      }
      guard let found = document.member(name, of: object.index, startingAt: at) else { return nil }
      at = found + document.entry(found).stride
      return found
    }
  }
}

extension Document {
  /// Value of the first member of that name at `start` or behind it, else before it. `name` is ASCII without escapes.
  fileprivate func member(_ name: StaticString, of index: Int, startingAt start: Int) -> Int? {
    let end = index + entry(index).length
    return member(name, in: start..<end) ?? member(name, in: index + 1..<start)
  }

  /// Whether an object may have a name twice: names with escapes, and more than 64 names, are not compared.
  fileprivate func mayRepeatName(_ index: Int) -> Bool {
    let bytes = unsafe UnsafeRawPointer(base)
    let entries = unsafe body.pointee.entries
    let end = index + entry(index).length
    var at = index + 1
    var count = 0
    var seen: UInt64 = 0
    while at < end {
      let name = unsafe entries[at]
      guard !name.isComplex, count < 64 else { return true }
      // Most names have a length and a first letter of their own, and need no comparison.
      let letter = unsafe bytes.load(fromByteOffset: Int(name.start) + 1, as: UInt8.self)
      let bit: UInt64 = 1 << ((UInt64(letter) &+ 7 &* UInt64(name.length)) & 63)
      if seen & bit != 0, hasName(name, in: index + 1..<at) { return true }
      seen |= bit
      count += 1
      at += unsafe 1 + entries[at + 1].stride
    }
    return false
  }

  private func hasName(_ name: IndexEntry, in range: Range<Int>) -> Bool {
    let bytes = unsafe UnsafeRawPointer(base)
    let entries = unsafe body.pointee.entries
    var at = range.lowerBound
    while at < range.upperBound {
      let other = unsafe entries[at]
      if other.info == name.info,
        unsafe Document.isSame(bytes + Int(other.start), bytes + Int(name.start), name.length)
      {
        return true
      }
      at += unsafe 1 + entries[at + 1].stride
    }
    return false
  }

  /// Whether the entry is this name, written without escapes.
  @inline(__always)
  func isName(_ index: Int, _ name: StaticString) -> Bool {
    let entry = entry(index)
    let count = name.utf8CodeUnitCount
    guard entry.info == UInt32(truncatingIfNeeded: count + 2) else { return false }
    let text = unsafe UnsafeRawPointer(base) + Int(entry.start) + 1
    return unsafe Document.isSame(text, UnsafeRawPointer(name.utf8Start), count)
  }

  private func member(_ name: StaticString, in range: Range<Int>) -> Int? {
    var at = range.lowerBound
    while at < range.upperBound {
      if isName(at, name) { return at + 1 }
      at += 1 + entry(at + 1).stride
    }
    return nil
  }

  @inline(__always)
  static func isSame(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, from start: Int = 0
  ) -> Bool {
    var offset = start
    while offset + 8 <= count {
      let words = unsafe (
        a.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
        b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
      guard words.0 == words.1 else { return false }
      offset += 8
    }
    while offset < count {
      guard
        unsafe a.load(fromByteOffset: offset, as: UInt8.self)
          == b.load(fromByteOffset: offset, as: UInt8.self)
      else { return false }
      offset += 1
    }
    return true
  }
}

extension JSON {
  public struct Elements: Sequence, IteratorProtocol {
    let document: Document
    var at: Int
    let end: Int

    init(document: Document, container: Int) {
      self.document = document
      at = container + 1
      end = container + document.entry(container).length
    }

    public mutating func next() -> JSON? {
      guard at < end else { return nil }
      defer { at += document.entry(at).stride }
      return JSON(document: document, index: at)
    }

    public var isEmpty: Bool { at >= end }

    public var count: Int { reduce(0) { count, _ in count + 1 } }
  }

  /// Members of an object, in order, with repeated names.
  public struct Members: Sequence, IteratorProtocol {
    /// Names and values in turn.
    var entries: Elements

    public mutating func next() -> (key: String, value: JSON)? {
      let name = entries.at
      guard let value = nextValue() else { return nil }
      return (entries.document.string(name), value)
    }

    /// Returns the next value without decoding its name.
    public mutating func nextValue() -> JSON? {
      guard !entries.isEmpty else { return nil }
      entries.at += 1
      return entries.next()
    }
  }
}
