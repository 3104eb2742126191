import System

/// Reads JSON values one after another from a source of any length, in constant memory.
///
/// A first byte `[` means the elements of one array; any other means values separated by white space, as in JSON
/// Lines. Each element is returned as soon as it is complete, even if the source has no more bytes yet. The text
/// around the elements is checked too. After a failure every call fails alike.
///
/// An element stays valid as long as it is referenced: the buffer is reused only if no view of it exists, so a loop
/// that releases each element before the next allocates nothing.
public struct JSONStream: ~Copyable {
  private let source: any ByteSource
  private let largestElement: Int
  private var document: Document
  private var state = State.undecided
  /// Offsets in `document.memory`: the next byte to read, the end of the checked bytes, the end of all bytes.
  private var at = 0
  private var limit = 0
  private var filled = 0
  /// The byte that the sentinel at `limit` replaces.
  private var replacedByte: UInt8 = 0
  /// The byte at `limit` is invalid UTF-8, so nothing behind it is read.
  private var endsInvalid = false
  private var ended = false
  private var ordinal = 0
  private var failure: Failure?
  private let member: StaticString?
  private let isConcatenated: Bool
  /// The first value was an array, so further arrays are read element by element.
  private var opensArrays = false
  /// Number of visited bytes of elements, counted again for each visit: for tests of the growth.
  private(set) var bytesVisited = 0
  /// Whether the elements are those of the array that `elementsOf` names.
  public private(set) var isInMember = false

  /// Position in the structure around the elements. The second line is for the members of an object after the array
  /// with the elements: these members are checked and skipped.
  private enum State {
    case undecided, firstElement, element, afterElement, closed, values, afterScalar
    case afterMember, name, colon, memberValue
  }

  /// With `elementsOf`, the elements of the array of this name in an object at the start are returned instead of the
  /// object, which is never in memory whole. A `concatenated` source may have several texts, each after a byte order
  /// mark: the arrays of several pages count as one array.
  /// `largestElement` is the limit of an element in bytes, and so about the largest memory of the stream.
  public init(
    _ source: any ByteSource, elementsOf member: StaticString? = nil, concatenated: Bool = false,
    bufferSize: Int = 256 << 10, largestElement: Int = 64 << 20
  ) {
    self.source = source
    self.member = member
    isConcatenated = concatenated
    self.largestElement = largestElement
    document = Document(
      capacity: bufferSize, entries: 1024, entryLimit: IndexEntry.limit(forBytes: largestElement))
  }

  public mutating func next() throws(Failure) -> JSON? {
    if let failure { throw failure }
    if !isKnownUniquelyReferenced(&document) { document = document.moveToNewDocument() }
    do throws(Failure) {
      repeat {
        unsafe document.body.pointee.entryCount = 0
        guard try reachElement() else { return nil }
      } while try !readElement()
    } catch {
      failure = error
      throw error
    }
    return JSON(document: document, index: 0)
  }

  /// After a failure in JSON Lines, skips the line on which the invalid value begins and returns its number. Nil in
  /// an array, where lines have no meaning, and if the source failed.
  public mutating func skipLine() throws(Failure) -> Int? {
    let hasLines = state == .values || state == .afterScalar || state == .undecided
    guard failure?.kind == .invalidData, hasLines else { return nil }
    let line = document.position(of: at).line
    failure = nil
    do throws(Failure) {
      while !passLine(), !ended {
        // What was passed stays unchecked: `fill` checks what follows.
        (endsInvalid, limit) = (false, filled)
        unsafe replacedByte = document.body.pointee.memory[limit]
        try fill(keeping: at)
      }
    } catch {
      failure = error
      throw error
    }
    validate(from: at)
    state = .values
    return line
  }

  /// Moves behind the next line break; returns false, at the end of the buffer, if there is none.
  private mutating func passLine() -> Bool {
    let memory = unsafe document.body.pointee.memory
    unsafe memory[limit] = replacedByte
    while at < filled {
      at += 1
      if unsafe memory[at - 1] == UInt8(ascii: "\n") { return true }
    }
    return false
  }

  /// Reads up to the next element; false at the end of the text.
  private mutating func reachElement() throws(Failure) -> Bool {
    while true {
      if at < limit && state == .afterScalar {
        let byte = unsafe document.body.pointee.memory[at]
        guard " \t\n\r".utf8.contains(byte) else { throw syntaxError(.blank) }
        state = .values
      }
      unsafe Indexer.skipBlanks(UnsafePointer(document.body.pointee.memory), &at)
      guard at < limit else {
        if ended && !endsInvalid { return try end() }
        try fill(keeping: at)
        continue
      }
      let byte = unsafe document.body.pointee.memory[at]
      switch state {
      case .undecided:
        if document.hasByteOrderMark(at: at) {
          guard isConcatenated else { throw syntaxError(.byteOrderMark) }
          at += 3
          continue
        }
        state = byte == UInt8(ascii: "[") ? .firstElement : .values
        if state == .firstElement { (at, opensArrays) = (at + 1, isConcatenated) }
      case .firstElement:
        guard byte == UInt8(ascii: "]") else { return true }
        at += 1
        state = isInMember ? .afterMember : .closed
      case .afterElement:
        switch byte {
        case UInt8(ascii: ","): state = .element
        case UInt8(ascii: "]"): state = isInMember ? .afterMember : .closed
        default: throw syntaxError(.nextElement)
        }
        at += 1
      case .afterMember:
        switch byte {
        case UInt8(ascii: ","): state = .name
        case UInt8(ascii: "}"): state = .closed
        default: throw syntaxError(.nextMember)
        }
        at += 1
      case .name:
        guard byte == UInt8(ascii: "\"") else { throw syntaxError(.name) }
        return true
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw syntaxError(.colon) }
        state = .memberValue
        at += 1
      case .closed:
        guard isConcatenated else { throw syntaxError(.end) }
        state = .values
      case .values where isConcatenated && document.hasByteOrderMark(at: at): at += 3
      case .values where opensArrays && byte == UInt8(ascii: "["):
        (at, ordinal, state) = (at + 1, 0, .firstElement)
      case .element, .values, .afterScalar, .memberValue: return true
      }
    }
  }

  /// Returns false at the end of a complete text; throws if an array is still open.
  private mutating func end() throws(Failure) -> Bool {
    switch state {
    case .undecided, .values, .afterScalar, .closed: return false
    case .afterElement: throw syntaxError(.nextElement)
    case .firstElement, .element, .memberValue: throw syntaxError(.value)
    case .afterMember: throw syntaxError(.nextMember)
    case .name: throw syntaxError(.name)
    case .colon: throw syntaxError(.colon)
    }
  }

  /// Reads an element; false if it is not for the caller.
  private mutating func readElement() throws(Failure) -> Bool {
    let isElement = state == .element || state == .firstElement
    let mayHoldElements = member != nil && state == .values && ordinal == 0
    unsafe document.body.pointee.start = at
    setRootPath(isElement)
    var indexer = Indexer(depth: isElement ? 1 : 0)
    var name = 1  // Entry 0 is the object.
    while true {
      let start = unsafe document.body.pointee.start
      let known = indexer.position
      let outcome = indexer.run(document, limit: limit - start, ended: ended && !endsInvalid)
      if mayHoldElements, let offset = startOfElements(indexer, from: &name) {
        (at, state, isInMember) = (start + offset, .firstElement, true)
        return false
      }
      switch outcome {
      case .complete:
        at = start + indexer.position
        bytesVisited += indexer.position - known
        guard indexer.position <= largestElement else { throw tooLarge() }
        if state == .name, let member, document.isName(0, member) {
          throw failure(.secondName, at: 0, indexer)
        }
        if state == .name || state == .memberValue {
          state = state == .name ? .colon : .afterMember
          return false
        }
        ordinal += 1
        state = isElement ? .afterElement : document.entry(0).isContainer ? .values : .afterScalar
        return true
      case .invalid(let problem, let offset):
        throw failure(problem, at: offset, indexer)
      case .incomplete(let problem):
        if ended && !endsInvalid { throw failure(problem, at: limit - start, indexer) }
        bytesVisited += limit - start - known
        try fillToken(indexer, problem)
      }
    }
  }

  /// Reads until the token at which the indexer stopped may be complete, or the input ends.
  private mutating func fillToken(_ indexer: Indexer, _ problem: SyntaxError) throws(Failure) {
    var known = unsafe limit - document.body.pointee.start
    var token = unsafe UnfinishedToken(
      in: document.base, from: indexer.position, limit: known, problem: problem)
    repeat {
      try unsafe fill(keeping: document.body.pointee.start, indexer)
      known = unsafe limit - document.body.pointee.start
    } while unsafe !ended && !endsInvalid && !token.mayEnd(in: document.base, limit: known)
    bytesVisited += token.bytesVisited
  }

  /// Offset of the elements in the object being read, if reached. `name` is the first unexamined name, and is advanced.
  private func startOfElements(_ indexer: Indexer, from name: inout Int) -> Int? {
    guard let member, document.entryCount > 0, document.kind(0) == .object else { return nil }
    let open = indexer.openContainers(document)
    // Open containers have no end yet, and no member of the object follows them.
    let last = open.count > 1 ? open[1] : document.entryCount
    while name + 1 < document.entryCount {
      let value = name + 1
      if document.isName(name, member), document.kind(value) == .array {
        return Int(document.entry(value).start) + 1
      }
      if value == last { return nil }
      name = value + document.entry(value).stride
    }
    return nil
  }

  private func setRootPath(_ isElement: Bool) {
    unsafe document.body.pointee.ordinal = isElement ? ordinal : nil
    unsafe document.body.pointee.member = isElement && isInMember ? member : nil
  }

  /// Reads more bytes, or finds the end, keeping those from `kept` on. `indexer` is nil between elements.
  private mutating func fill(keeping kept: Int, _ indexer: Indexer? = nil) throws(Failure) {
    let offset = unsafe limit - document.body.pointee.start
    if endsInvalid {
      if let indexer { throw failure(.invalidUTF8, at: offset, indexer) }
      throw syntaxError(.invalidUTF8)
    }
    unsafe document.body.pointee.memory[limit] = replacedByte
    try makeRoom(keeping: kept, indexer)
    let memory = unsafe document.body.pointee.memory
    let free = unsafe UnsafeMutableRawBufferPointer(
      start: memory + filled, count: document.body.pointee.capacity - filled)
    var span = unsafe MutableRawSpan(_unsafeBytes: free)
    let count = try source.read(into: &span)
    ended = count == 0
    filled += min(max(0, count), free.count)
    validate(from: limit)
  }

  /// Checks the UTF-8 of the bytes from `offset` on, and sets the sentinel behind the valid ones.
  private mutating func validate(from offset: Int) {
    let memory = unsafe document.body.pointee.memory
    let tail = ended ? 0 : unsafe UTF8Check.openTail(of: UnsafePointer(memory), offset..<filled)
    let valid = unsafe UTF8Check.firstInvalid(in: UnsafePointer(memory), offset..<(filled - tail))
    endsInvalid = valid < filled - tail
    limit = valid
    unsafe replacedByte = memory[limit]
    unsafe memory[limit] = 0
  }

  /// Makes room for reading, by moving the bytes to the front or by more memory.
  private mutating func makeRoom(keeping kept: Int, _ indexer: Indexer?) throws(Failure) {
    let capacity = unsafe document.body.pointee.capacity
    guard capacity - filled < max(1, capacity / 8) else { return }
    document.moveMark(to: kept)
    let memory = unsafe document.body.pointee.memory
    unsafe memory.update(from: memory + kept, count: filled - kept)
    unsafe document.body.pointee.start -= min(kept, document.body.pointee.start)
    unsafe document.body.pointee.markOffset = 0
    at -= kept
    limit -= kept
    filled -= kept
    guard capacity - filled < max(1, capacity / 8) else { return }
    if indexer != nil, filled > largestElement { throw tooLarge() }
    document.grow(to: capacity * 2)
  }

  private func tooLarge() -> Failure {
    document.failure("an element larger than \(largestElement) bytes", offset: 0, path: document.root)
  }

  /// Syntax error at `at`, before or between elements.
  private func syntaxError(_ syntaxError: SyntaxError) -> Failure {
    setRootPath(state == .element || state == .firstElement)
    unsafe document.body.pointee.start = at
    unsafe document.body.pointee.entryCount = 0
    return failure(syntaxError, at: 0, Indexer())
  }

  /// Syntax error at `offset` in the element that is being read.
  private func failure(_ syntaxError: SyntaxError, at offset: Int, _ indexer: Indexer) -> Failure {
    unsafe document.body.pointee.memory[limit] = replacedByte
    return unsafe document.failure(
      syntaxError, at: offset, filled: filled - document.body.pointee.start, indexer: indexer)
  }
}
