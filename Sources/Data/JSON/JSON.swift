import CLibraries
import System

/// Value of a JSON text: a view of its bytes, which costs nothing until it is read.
///
/// A lookup never fails: a missing value is a view of kind `absent` that contains the path, and its readers throw. So
/// `try json["city"]["en"].string` needs one `try`, and its failure names line, column and path. If an object has a
/// name twice, the last one counts, as in `jq`.
public struct JSON {
  let document: Document
  /// Entry of the value or, if it is missing, of its last existing ancestor.
  let index: Int
  /// Missing path below `index`.
  let missing: Trail?

  init(document: Document, index: Int, missing: Trail? = nil) {
    self.document = document
    self.index = index
    self.missing = missing
  }

  /// Kind of a value; `absent` is for a missing one.
  public enum Kind: Sendable {
    case null, bool, number, string, array, object, absent
  }

  public var kind: Kind { missing == nil ? document.kind(index) : .absent }

  public subscript(name: String) -> JSON {
    if missing == nil {
      var name = name
      if let found = name.withUTF8({ unsafe document.member($0, of: index) }) {
        return JSON(document: document, index: found)
      }
    }
    return JSON(document: document, index: index, missing: Trail(missing, .name(Array(name.utf8))))
  }

  /// Element of an array by its number, from 0. Counts the elements: iterate over `array` to visit all.
  public subscript(number: Int) -> JSON {
    if missing == nil, let found = document.element(number, of: index) {
      return JSON(document: document, index: found)
    }
    return JSON(document: document, index: index, missing: Trail(missing, .element(number)))
  }

  public subscript(path: Path) -> JSON {
    if let missing {
      return JSON(document: document, index: index, missing: Trail(missing.steps + path.steps))
    }
    let (found, depth) = document.follow(path, from: index)
    let isThere = depth == path.steps.count
    return JSON(document: document, index: found, missing: isThere ? nil : path.trails[depth])
  }

  public static func parse(_ bytes: [UInt8]) throws(Failure) -> JSON {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(Failure) in try unsafe parse(buffer) }
  }

  public static func parse(_ text: String) throws(Failure) -> JSON { try parse(Array(text.utf8)) }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> JSON {
    guard bytes.count <= IndexEntry.largestDocument else {
      throw Failure(.invalidData, "a JSON text larger than \(IndexEntry.largestDocument) bytes")
    }
    // Unused room costs nothing, and growing may cost a copy: few texts have more entries.
    let document = Document(
      capacity: bytes.count, entries: max(16, bytes.count / 5),
      entryLimit: IndexEntry.limit(forBytes: bytes.count))
    if let source = bytes.baseAddress {
      unsafe document.body.pointee.memory.update(from: source, count: bytes.count)
    }
    let memory = unsafe document.body.pointee.memory
    var indexer = Indexer()
    if document.hasByteOrderMark(at: 0) {
      throw document.failure(.byteOrderMark, at: 0, filled: bytes.count, indexer: indexer)
    }
    let limit = unsafe UTF8Check.firstInvalid(in: memory, 0..<bytes.count)
    let isValid = limit == bytes.count
    let replacedByte = unsafe memory[limit]
    unsafe memory[limit] = 0
    let outcome = indexer.run(document, limit: limit, ended: isValid)
    var at = indexer.position
    if case .complete = outcome { unsafe Indexer.skipBlanks(memory, &at) }
    unsafe memory[limit] = replacedByte

    switch outcome {
    case .invalid(let syntaxError, let offset):
      throw document.failure(syntaxError, at: offset, filled: bytes.count, indexer: indexer)
    case .incomplete(let syntaxError):
      throw document.failure(
        isValid ? syntaxError : .invalidUTF8, at: limit, filled: bytes.count, indexer: indexer)
    case .complete:
      guard at == bytes.count else {
        let syntaxError = at == limit ? SyntaxError.invalidUTF8 : .end
        throw document.failure(syntaxError, at: at, filled: bytes.count, indexer: indexer)
      }
      return JSON(document: document, index: 0)
    }
  }
}

/// Typed readers, which throw `invalidData` with line, column and path for a value of another type.
extension JSON {
  public var string: String {
    get throws(Failure) {
      try require(.string, "a string")
      return document.string(index)
    }
  }

  public var bool: Bool {
    get throws(Failure) {
      try require(.bool, "true or false")
      return document.firstByte(document.entry(index)) == UInt8(ascii: "t")
    }
  }

  /// Integer of 64 bits in any notation: `3.0` and `1e2` are integers, `3.5` is not.
  public var int: Int {
    get throws(Failure) {
      try require(.number, "an integer")
      let text = unsafe document.text(index)
      if let value = unsafe Decimal.plainInteger(text) { return value }
      guard let value = unsafe Decimal(text).int else {
        throw invalid("expected an integer of 64 bits, found \(shownNumber)")
      }
      return value
    }
  }

  /// Nearest double; throws for a number beyond the largest.
  public var double: Double {
    get throws(Failure) {
      try require(.number, "a number")
      let value = unsafe Decimal.double(document.text(index))
      guard value.isFinite else {
        throw invalid("expected a number in a double's range, found \(shownNumber)")
      }
      return value
    }
  }

  public var number: Number {
    get throws(Failure) {
      try require(.number, "a number")
      return unsafe Number(document.text(index), isInteger: !document.entry(index).isComplex)
    }
  }

  public var array: Elements {
    get throws(Failure) {
      try require(.array, "an array")
      return Elements(document: document, container: index)
    }
  }

  /// Whether the text has an array of more than `limit` elements, at any depth.
  public func hasArray(longerThan limit: Int) -> Bool {
    guard document.entryCount > limit else { return false }
    return (0..<document.entryCount).contains { index in
      let entry = document.entry(index)
      guard entry.isContainer, entry.length > limit, document.kind(index) == .array else { return false }
      var further = Elements(document: document, container: index).dropFirst(limit).makeIterator()
      return further.next() != nil
    }
  }

  public var members: Members {
    get throws(Failure) {
      try require(.object, "an object")
      return Members(entries: Elements(document: document, container: index))
    }
  }

  /// Value, or nil if it is null or absent.
  public var orNull: JSON? {
    missing != nil || document.firstByte(document.entry(index)) == UInt8(ascii: "n") ? nil : self
  }

  /// Value in the JSON text that a string contains; any other value is unchanged.
  public var unwrapped: JSON {
    get throws(Failure) {
      guard kind == .string else { return self }
      var text: [UInt8] = []
      document.appendText(index, to: &text)
      do {
        return try JSON.parse(text)
      } catch {
        throw invalid("in the JSON text of this string: \(error.message)")
      }
    }
  }

  /// Path from the root, shortened if it is deep: `beeList[2].name`.
  public var path: String { Step.brief(of: steps) }

  private var steps: [Step] { document.steps(to: index) + (missing?.steps ?? []) }

  /// Appends the JSON text unchanged; nothing for an absent value.
  public func appendRaw(to output: inout [UInt8]) {
    guard missing == nil else { return }
    unsafe output.append(contentsOf: document.text(index))
  }

  /// Appends the JSON text with C1 and bidirectional control characters escaped, because a terminal reacts to them.
  public func appendSafely(to output: inout [UInt8]) {
    guard missing == nil else { return }
    unsafe JSONWriter.appendText(document.text(index), to: &output)
  }

  /// Appends bare text: the text of a string, nothing for null and absent, otherwise compact JSON. Returns
  /// whether the text may have control characters or backslashes.
  @discardableResult public func appendBare(to output: inout [UInt8]) -> Bool {
    missing == nil && document.appendBare(index, to: &output)
  }

  @discardableResult public func appendBare(_ path: Path, to output: inout [UInt8]) -> Bool {
    guard missing == nil else { return false }
    let (index, depth) = document.follow(path, from: index)
    return depth == path.steps.count && document.appendBare(index, to: &output)
  }

  /// Passes the JSON text unchanged; no bytes for an absent value.
  public func withRawBytes<Result, Problem: Error>(
    _ body: (RawSpan) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    guard missing == nil else { return try body(RawSpan()) }
    return try unsafe body(RawSpan(_unsafeElements: document.text(index)))
  }

  public func int(in range: ClosedRange<Int>) throws(Failure) -> Int {
    let value = try int
    guard range.contains(value) else {
      let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
      throw invalid("expected \(range.lowerBound) \(most), found \(value)")
    }
    return value
  }

  /// Text of a string; nil for any other value. `try? string` would make a failure, with its path, for each of those.
  public var text: String? { kind == .string ? try? string : nil }

  /// Whether the JSON text has a line break between tokens.
  public var hasLineBreak: Bool {
    guard missing == nil, case let text = unsafe document.text(index), let start = text.baseAddress
    else { return false }
    return unsafe hw_count_newlines(start, text.count) > 0
  }

  /// Whether the JSON text consists of these bytes; an absent value has none.
  public func hasRawBytes(_ bytes: [UInt8]) -> Bool {
    withRawBytes { raw in
      unsafe raw.withUnsafeBytes { text in
        guard text.count == bytes.count else { return false }
        return unsafe text.baseAddress.map { unsafe memcmp($0, bytes, bytes.count) == 0 } ?? true
      }
    }
  }

  /// Failure `invalidData` with the position and path of this value, for other rules of the caller.
  public func invalid(_ message: String) -> Failure {
    document.failure(message, offset: Int(document.entry(index).start), path: steps)
  }

  @inline(__always)
  private func require(_ wanted: Kind, _ name: StaticString) throws(Failure) {
    let kind = kind
    guard kind == wanted else { throw mismatch(name, kind) }
  }

  private func mismatch(_ name: StaticString, _ found: Kind) -> Failure {
    invalid("expected \(name), found \(found.named)")
  }

  private var shownNumber: String {
    let text = unsafe document.text(index)
    let digits = unsafe String(decoding: UnsafeBufferPointer(rebasing: text.prefix(40)), as: UTF8.self)
    return text.count > 40 ? digits + "…" : digits
  }
}

extension Document {
  func appendBare(_ index: Int, to output: inout [UInt8]) -> Bool {
    switch kind(index) {
    case .null, .absent: return false
    case .bool, .number:
      unsafe output.append(contentsOf: text(index))
      return false
    case .string:
      appendText(index, to: &output)
      return entry(index).isComplex
    case .array, .object:
      JSONWriter.append(JSON(document: self, index: index), to: &output)
      return true
    }
  }
}

extension JSON.Kind {
  public var named: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .absent: "nothing"
    }
  }
}
