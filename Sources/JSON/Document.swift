/// The bytes of one element and the index over them: the wall behind which the module's raw memory lives.
///
/// The bytes stand between margins that may be read but mean nothing, so that 64 of them can be looked at from any
/// offset, and three before it. A sentinel, a zero byte, ends every loop at the end of what may be trusted: no
/// token of JSON holds one. Entries come from the indexer alone, which has checked everything they point to.
@safe final class Document {
  /// Behind a pointer, so that access costs no exclusivity check.
  let body: UnsafeMutablePointer<Body>

  @unsafe struct Body {
    var memory: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var entries: UnsafeMutablePointer<Entry>
    var entryCapacity: Int
    var entryCount = 0
    /// Where the element begins in `memory`: the zero of every offset in the index.
    var start = 0
    /// The place of the byte at `markOffset` in `memory`, which is at or before `start`.
    var mark = Place()
    var markOffset = 0
    /// The element's number in the stream's array, if it is one.
    var ordinal: Int?
    /// The name of that array, where it is a member of an object.
    var member: StaticString?
  }

  static let margin = 64

  init(capacity: Int, entries: Int) {
    unsafe body = .allocate(capacity: 1)
    unsafe body.initialize(
      to: Body(
        memory: Document.allocate(capacity), capacity: capacity,
        entries: .allocate(capacity: entries), entryCapacity: entries))
  }

  deinit {
    unsafe (body.pointee.memory - Document.margin).deallocate()
    unsafe body.pointee.entries.deallocate()
    unsafe body.deallocate()
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + 2 * margin)
    unsafe base.initialize(repeating: 0, count: margin)
    // The sentinel of a text that has not begun.
    unsafe base[margin] = 0
    unsafe (base + margin + capacity).initialize(repeating: 0, count: margin)
    return unsafe base + margin
  }

  /// Makes room for `capacity` bytes, keeping the first `count`.
  func grow(to capacity: Int, keeping count: Int) {
    let larger = unsafe Document.allocate(capacity)
    unsafe larger.update(from: body.pointee.memory, count: count)
    unsafe (body.pointee.memory - Document.margin).deallocate()
    unsafe body.pointee.memory = larger
    unsafe body.pointee.capacity = capacity
  }

  /// Makes room for twice as many entries and says where they are.
  @inline(never)
  func growIndex(keeping count: Int) -> UnsafeMutablePointer<Entry> {
    let capacity = unsafe body.pointee.entryCapacity * 2
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    unsafe larger.moveInitialize(from: body.pointee.entries, count: count)
    unsafe body.pointee.entries.deallocate()
    unsafe body.pointee.entries = larger
    unsafe body.pointee.entryCapacity = capacity
    return unsafe larger
  }

  /// The element's first byte.
  var base: UnsafePointer<UInt8> { unsafe UnsafePointer(body.pointee.memory + body.pointee.start) }

  var count: Int { unsafe body.pointee.entryCount }

  func entry(_ index: Int) -> Entry { unsafe body.pointee.entries[index] }

  func firstByte(_ entry: Entry) -> UInt8 { unsafe base[Int(entry.start)] }

  /// Where a value's own text stands.
  func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let entry = entry(index)
    let length =
      entry.isContainer ? Int(self.entry(index + entry.length).start - entry.start) + 1 : entry.length
    return unsafe UnsafeBufferPointer(start: base + Int(entry.start), count: length)
  }

  /// Leaves this document a copy of its element alone, for the views that still hold it, and hands the memory and
  /// all that stands in it to a new one.
  func handOver() -> Document {
    let text = unsafe text(0)
    let heir = Document(capacity: text.count, entries: count)
    unsafe heir.body.pointee.memory.update(from: base + Int(entry(0).start), count: text.count)
    let shift = entry(0).start
    for index in 0..<count {
      var moved = entry(index)
      moved.start -= shift
      unsafe (heir.body.pointee.entries + index).initialize(to: moved)
    }
    unsafe heir.body.pointee.entryCount = count
    unsafe moveMark(to: body.pointee.start + Int(shift))
    unsafe heir.body.pointee.mark = unsafe body.pointee.mark
    unsafe heir.body.pointee.ordinal = unsafe body.pointee.ordinal
    unsafe heir.body.pointee.member = unsafe body.pointee.member
    unsafe swap(&body.pointee, &heir.body.pointee)
    return heir
  }

  /// Counts the lines up to `offset` in `memory`.
  func moveMark(to offset: Int) {
    unsafe body.pointee.mark = place(of: offset)
    unsafe body.pointee.markOffset = offset
  }

  /// The place of the byte at `offset` in `memory`, which must not stand before the mark.
  func place(of offset: Int) -> Place {
    var place = unsafe body.pointee.mark
    let from = unsafe body.pointee.markOffset
    unsafe place.advance(
      over: UnsafeBufferPointer(start: body.pointee.memory + from, count: max(0, offset - from)))
    return place
  }
}
