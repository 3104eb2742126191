import CLibraries
import System

extension JSON {
  /// The members of an object for a reader that asks for them in the order they usually have.
  public var inOrder: InOrder {
    get throws(Failure) {
      _ = try members
      return InOrder(object: self)
    }
  }

  /// Each name is looked for behind the one found before it, then in what stands before that. So to read all of an
  /// object costs one pass over it where the order is the usual one, and the same answers where it is another.
  ///
  /// Where an object has a name twice, the last one counts.
  public struct InOrder {
    private let object: JSON
    /// The entry where the next name is expected.
    private var at: Int
    /// Whether a name may come twice, or is written with escapes: then each is looked for in all of the object.
    private let isIrregular: Bool

    init(object: JSON) {
      self.object = object
      at = object.index + 1
      isIrregular = object.document.mayRepeatName(object.index)
    }

    /// The member of that name: an absent value where there is none.
    public subscript(name: StaticString) -> JSON {
      mutating get {
        guard let found = find(name) else { return object[name.description] }
        return JSON(document: object.document, index: found)
      }
    }

    /// The integer of that name, nil where it is null or absent. This and what follows make no view of what is as it
    /// mostly is: they are for the many members of many rows.
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

    // The view reports a required member that is missing.

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

  /// Whether the value is written on more than one line: strings hold no line break, only the space between tokens.
  public var hasLineBreak: Bool {
    guard missing == nil, case let text = unsafe document.text(index), let start = text.baseAddress
    else { return false }
    return unsafe hw_count_newlines(start, text.count) > 0
  }

  /// Whether these are the bytes of the value as it is written in the text.
  public func isWritten(_ bytes: [UInt8]) -> Bool {
    withRawBytes { raw in
      guard raw.byteCount == bytes.count else { return false }
      return unsafe raw.withUnsafeBytes { raw in
        unsafe bytes.withUnsafeBytes { bytes in
          guard let a = raw.baseAddress, let b = bytes.baseAddress else { return true }
          return unsafe Document.isSame(a, b, bytes.count)
        }
      }
    }
  }
}

extension Document {
  /// The value of the first member of that name at `start` or behind it, else of the first before it. `name` is ASCII
  /// and has no escapes.
  fileprivate func member(_ name: StaticString, of index: Int, startingAt start: Int) -> Int? {
    let end = index + entry(index).length
    return member(name, in: start..<end) ?? member(name, in: index + 1..<start)
  }

  /// Whether an object may have a name twice: it has, or it has escapes in a name or too many names to compare them.
  fileprivate func mayRepeatName(_ index: Int) -> Bool {
    let bytes = unsafe UnsafeRawPointer(base)
    let entries = unsafe body.pointee.entries
    let end = index + entry(index).length
    var at = index + 1
    var names: [IndexEntry] = []
    names.reserveCapacity(32)
    while at < end {
      let name = unsafe entries[at]
      let isKnown = names.contains {
        unsafe $0.info == name.info
          && Document.isSame(bytes + Int($0.start), bytes + Int(name.start), name.length)
      }
      guard !isKnown, !name.isComplex, names.count < 64 else { return true }
      names.append(name)
      at += unsafe 1 + entries[at + 1].stride
    }
    return false
  }

  /// Whether the name at that entry is this one, written without escapes.
  func isName(_ index: Int, _ name: StaticString) -> Bool {
    let entry = entry(index)
    let count = name.utf8CodeUnitCount
    guard entry.info == UInt32(truncatingIfNeeded: count + 2) else { return false }
    let text = unsafe UnsafeRawPointer(base) + Int(entry.start) + 1
    return unsafe Document.isSame(text, UnsafeRawPointer(name.utf8Start), count)
  }

  private func member(_ name: StaticString, in range: Range<Int>) -> Int? {
    let bytes = unsafe UnsafeRawPointer(base)
    let entries = unsafe body.pointee.entries
    let count = name.utf8CodeUnitCount
    let wanted = unsafe UnsafeRawPointer(name.utf8Start)
    var at = range.lowerBound
    while at < range.upperBound {
      let entry = unsafe entries[at]
      if entry.info == UInt32(truncatingIfNeeded: count + 2),
        unsafe Document.isSame(bytes + Int(entry.start) + 1, wanted, count)
      {
        return at + 1
      }
      at += unsafe 1 + entries[at + 1].stride
    }
    return nil
  }

  @inline(__always)
  static func isSame(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    var offset = 0
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
  /// The elements of an array, in order.
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

    /// How many are left: it counts them.
    public var count: Int { reduce(0) { count, _ in count + 1 } }

    public var underestimatedCount: Int { 0 }
  }

  /// The members of an object, in order, a repeated name included.
  public struct Members: Sequence, IteratorProtocol {
    let document: Document
    var at: Int
    let end: Int

    init(document: Document, container: Int) {
      self.document = document
      at = container + 1
      end = container + document.entry(container).length
    }

    public mutating func next() -> (key: String, value: JSON)? {
      let name = at
      guard let value = nextValue() else { return nil }
      return (document.string(name), value)
    }

    /// Returns the next value without its name, which costs more than to pass over it.
    public mutating func nextValue() -> JSON? {
      guard at < end else { return nil }
      defer { at += 1 + document.entry(at + 1).stride }
      return JSON(document: document, index: at + 1)
    }

    public var isEmpty: Bool { at >= end }

    /// How many are left: it counts them.
    public var count: Int {
      var count = 0
      var at = at
      while at < end {
        at += 1 + document.entry(at + 1).stride
        count += 1
      }
      return count
    }

    public var underestimatedCount: Int { 0 }
  }
}
