import CLibraries
import System

/// Bytes of one element and the index over them; encloses the raw memory of the module.
///
/// Margins around the bytes can be read, so that 64 bytes can be loaded from any offset, and three before it. A zero
/// byte ends every loop at the end of the checked bytes, since no token of JSON contains one. Only the indexer, which
/// checks what entries refer to, makes entries.
@safe final class Document {
  /// Pointer, so that access costs no exclusivity check.
  let body: UnsafeMutablePointer<Body>

  @unsafe struct Body {
    var memory: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var entries: UnsafeMutablePointer<IndexEntry>
    var entryCapacity: Int
    var entryCount = 0
    let entryLimit: Int
    /// Start of the element in `memory`; offsets in the index are relative to it.
    var start = 0
    /// Position of the byte at `markOffset` in `memory`, at or before `start`.
    var mark = SourcePosition()
    var markOffset = 0
    /// Number of the element in the stream's array, if there is one.
    var ordinal: Int?
    /// Name of that array, if it is a member of an object.
    var member: StaticString?
  }

  static let margin = 64

  init(capacity: Int, entries: Int, entryLimit: Int) {
    unsafe body = .allocate(capacity: 1)
    unsafe body.initialize(
      to: Body(
        memory: Document.allocate(capacity), capacity: capacity,
        entries: Document.resize(nil, to: entries), entryCapacity: entries, entryLimit: entryLimit))
  }

  deinit {
    unsafe free(body.pointee.memory - Document.margin)
    unsafe free(body.pointee.entries)
    unsafe body.deallocate()
  }

  /// Allocates with the C library, which can grow memory without a copy.
  private static func resize<Element>(
    _ memory: UnsafeMutablePointer<Element>?, to count: Int
  ) -> UnsafeMutablePointer<Element> {
    let bytes = count * MemoryLayout<Element>.stride
    guard let memory = unsafe realloc(memory, bytes) else { preconditionFailure("out of memory") }
    return unsafe memory.assumingMemoryBound(to: Element.self)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let base: UnsafeMutablePointer<UInt8> = unsafe resize(nil, to: capacity + 2 * margin)
    unsafe base.initialize(repeating: 0, count: margin)
    // Sentinel of an empty text.
    unsafe base[margin] = 0
    unsafe (base + margin + capacity).initialize(repeating: 0, count: margin)
    return unsafe base + margin
  }

  func grow(to capacity: Int) {
    let memory = unsafe Document.resize(
      body.pointee.memory - Document.margin, to: capacity + 2 * Document.margin)
    unsafe body.pointee.memory = memory + Document.margin
    unsafe (body.pointee.memory + capacity).initialize(repeating: 0, count: Document.margin)
    unsafe body.pointee.capacity = capacity
  }

  /// Doubles the index, to at least `needed` entries, and returns its address; nil if that exceeds the limit.
  @inline(never)
  func growIndex(toHold needed: Int) -> UnsafeMutablePointer<IndexEntry>? {
    let capacity = unsafe min(body.pointee.entryCapacity * 2, body.pointee.entryLimit)
    guard capacity >= needed else { return nil }
    unsafe body.pointee.entries = Document.resize(body.pointee.entries, to: capacity)
    unsafe body.pointee.entryCapacity = capacity
    return unsafe body.pointee.entries
  }

  var base: UnsafePointer<UInt8> { unsafe UnsafePointer(body.pointee.memory + body.pointee.start) }

  var entryCount: Int { unsafe body.pointee.entryCount }

  func entry(_ index: Int) -> IndexEntry { unsafe body.pointee.entries[index] }

  func firstByte(_ entry: IndexEntry) -> UInt8 { unsafe base[Int(entry.start)] }

  /// JSON text of a value or a name, with the quotes and escapes of a string.
  func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let entry = entry(index)
    let length =
      entry.isContainer ? Int(self.entry(index + entry.length).start - entry.start) + 1 : entry.length
    return unsafe UnsafeBufferPointer(start: base + Int(entry.start), count: length)
  }

  /// Returns a document with this one's memory, to read on. This one, which views use, keeps a copy of its element.
  func moveToNewDocument() -> Document {
    let text = unsafe text(0)
    let other = Document(capacity: text.count, entries: entryCount, entryLimit: entryCount)
    unsafe other.body.pointee.memory.update(from: base + Int(entry(0).start), count: text.count)
    let shift = entry(0).start
    for index in 0..<entryCount {
      var moved = entry(index)
      moved.start -= shift
      unsafe (other.body.pointee.entries + index).initialize(to: moved)
    }
    unsafe other.body.pointee.entryCount = entryCount
    unsafe moveMark(to: body.pointee.start + Int(shift))
    unsafe other.body.pointee.mark = unsafe body.pointee.mark
    unsafe other.body.pointee.ordinal = unsafe body.pointee.ordinal
    unsafe other.body.pointee.member = unsafe body.pointee.member
    unsafe swap(&body.pointee, &other.body.pointee)
    return other
  }

  /// Whether a byte order mark is at `offset` in `memory`.
  func hasByteOrderMark(at offset: Int) -> Bool {
    let bytes = unsafe body.pointee.memory + offset
    return unsafe bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }

  func moveMark(to offset: Int) {
    unsafe body.pointee.mark = position(of: offset)
    unsafe body.pointee.markOffset = offset
  }

  /// Position of the byte at `offset` in `memory`, which must not be before the mark.
  func position(of offset: Int) -> SourcePosition {
    var position = unsafe body.pointee.mark
    let from = unsafe body.pointee.markOffset
    unsafe position.advance(
      over: UnsafeBufferPointer(start: body.pointee.memory + from, count: max(0, offset - from)))
    return position
  }
}

/// Entry of the index: a value, a member's name, or a closing bracket, in the order of the text.
///
/// A scalar or a name: `start` is its first byte, `info` the length of its text (quotes included), with `complex` set
/// for a string with escapes and a number with a fraction or exponent. A container: `info` is the distance to the
/// entry of its closing bracket, with `container` set. The first byte distinguishes the kinds of values.
struct IndexEntry {
  var start: UInt32
  var info: UInt32

  static let complex: UInt32 = 1 << 31
  static let container: UInt32 = 1 << 30
  static let largestDocument = Int(container) - 1

  /// Limit of entries for a text of `count` bytes. The index of `[0,0,…]` would be four times as large as the text;
  /// with this limit it is at most 1.6 times as large, or 16 MB.
  static func limit(forBytes count: Int) -> Int { max(2 << 20, count / 5) }

  var isComplex: Bool { info & IndexEntry.complex != 0 }
  var isContainer: Bool { info & IndexEntry.container != 0 }
  var length: Int { Int(info & (IndexEntry.container - 1)) }
  /// Distance to the entry after the whole value.
  var stride: Int { isContainer ? length + 1 : 1 }
}

/// Line and column, both from 1; a column is a Unicode scalar.
struct SourcePosition: Equatable {
  var line = 1
  var column = 1

  mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    let lines = unsafe hw_count_newlines(first, bytes.count)
    var start = 0
    if lines > 0, let newline = unsafe bytes.lastIndex(of: UInt8(ascii: "\n")) {
      line += lines
      column = 1
      start = newline + 1
    }
    column += unsafe hw_count_characters(first + start, bytes.count - start)
  }
}

extension Document {
  func string(_ index: Int) -> String {
    guard entry(index).isComplex else { return plainString(index) }
    var text: [UInt8] = []
    appendText(index, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  func plainString(_ index: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(rebasing: text(index).dropFirst().dropLast()), as: UTF8.self)
  }

  /// Appends the text that a string or a name means, without quotes and escapes.
  func appendText(_ index: Int, to output: inout [UInt8]) {
    let entry = entry(index)
    let bytes = unsafe UnsafeBufferPointer(start: base + Int(entry.start) + 1, count: entry.length - 2)
    guard entry.isComplex else {
      unsafe output.append(contentsOf: bytes)
      return
    }
    output.reserveCapacity(output.count + bytes.count)
    var (plain, at) = (0, 0)
    while at < bytes.count {
      guard unsafe bytes[at] == UInt8(ascii: "\\") else {
        at += 1
        continue
      }
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<at]))
      at = unsafe Document.appendEscape(bytes, at + 1, to: &output)
      plain = at
    }
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain...]))
  }

  /// Appends the character that an escape means, and returns the end of the escape. `at` is behind its backslash.
  private static func appendEscape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, to output: inout [UInt8]
  ) -> Int {
    switch unsafe bytes[at] {
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"):
      guard let text = bytes.baseAddress else { return at }
      var end = at + 1
      var code = unsafe Indexer.hexadecimal(text, &end) ?? 0
      if code & 0xF800 == 0xD800 {
        end += 2
        code = unsafe 0x10000 + (code & 0x3FF) << 10 + (Indexer.hexadecimal(text, &end) ?? 0) & 0x3FF
      }
      if let scalar = Unicode.Scalar(code) { output.append(contentsOf: scalar.utf8) }
      return end
    case let itself: output.append(itself)
    }
    return at + 1
  }
}
