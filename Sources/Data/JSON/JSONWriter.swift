import System

/// Writes JSON text into bytes of its own, in one line or, as `jq .` does, over many.
///
/// The caller must alternate names and values. Between values at the top level nothing is written, so the caller ends
/// each with a `newline` or what its format requires.
public struct JSONWriter {
  public enum Layout: Sendable {
    case compact
    /// Two spaces a level.
    case indented
  }

  /// Bytes written so far. A caller may take them and leave the array empty.
  public var bytes: [UInt8]
  let layout: Layout
  private var depth = 0
  /// The open container is still empty.
  private var isFirst = true
  private var followsName = false

  public init(_ layout: Layout = .compact, into bytes: consuming [UInt8] = []) {
    self.bytes = bytes
    self.layout = layout
  }

  public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  public mutating func endObject() { end(UInt8(ascii: "}")) }
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  public mutating func object<Problem: Error>(
    _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    beginObject()
    try body(&self)
    endObject()
  }

  public mutating func array<Problem: Error>(
    _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    beginArray()
    try body(&self)
    endArray()
  }

  public mutating func key(_ name: String) {
    separate()
    JSONWriter.appendString(name, to: &bytes)
    afterName()
  }

  /// A name that is there as UTF-8 already.
  public mutating func key(utf8 name: some Sequence<UInt8>) {
    separate()
    JSONWriter.appendString(utf8: name, to: &bytes)
    afterName()
  }

  public mutating func string(_ text: some StringProtocol) {
    separate()
    JSONWriter.appendString(text, to: &bytes)
  }

  /// Text that is there as UTF-8 already. It is not checked again.
  public mutating func string(utf8 text: some Sequence<UInt8>) {
    separate()
    JSONWriter.appendString(utf8: text, to: &bytes)
  }

  public mutating func integer(_ value: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// The shortest digits that read back as the same double; an integral one without `.0`. JSON has no infinity and
  /// no NaN: they become null.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    var digits = value.description[...]
    if digits.hasSuffix(".0") { digits = digits.dropLast(2) }
    bytes.append(contentsOf: digits.utf8)
  }

  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// A value that is JSON text already, unchanged.
  public mutating func raw(_ text: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// A value that was read, as it is written in its text, but with C1 and bidirectional control characters escaped; null
  /// if it is absent.
  public mutating func raw(_ json: JSON) {
    guard json.missing == nil else { return null() }
    separate()
    json.appendSafely(to: &bytes)
  }

  /// A value that was read, in this writer's layout: names in their order, numbers digit for digit, strings with the
  /// escapes that this writer uses. Null where it is absent.
  public mutating func value(_ json: JSON) {
    guard json.missing == nil else { return null() }
    json.document.write(json.index, to: &self)
  }

  public mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if !isFirst { breakLine() }
    bytes.append(bracket)
    isFirst = depth == 0
  }

  private mutating func afterName() {
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(UInt8(ascii: " ")) }
    followsName = true
  }

  /// Writes the separator between this value and the one before it.
  private mutating func separate() {
    if followsName {
      followsName = false
      return
    }
    guard depth > 0 else { return }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    breakLine()
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<max(0, depth) { bytes.append(contentsOf: [0x20, 0x20]) }
  }
}

// A member of an object: its name and its value. A value that is nil is written as null.
extension JSONWriter {
  public mutating func member(_ name: String, _ text: String?) {
    key(name)
    guard let text else { return null() }
    separate()
    JSONWriter.appendString(text, to: &bytes)
  }

  public mutating func member(_ name: String, _ text: Substring) {
    key(name)
    string(text)
  }

  public mutating func member(_ name: String, _ number: Int?) { member(name, number.map(Int64.init)) }

  public mutating func member(_ name: String, _ number: Int64?) {
    key(name)
    guard let number else { return null() }
    separate()
    JSONWriter.append(number, to: &bytes)
  }

  public mutating func member(_ name: String, _ number: Double?) {
    key(name)
    guard let number else { return null() }
    double(number)
  }

  public mutating func member(_ name: String, _ flag: Bool?) {
    key(name)
    guard let flag else { return null() }
    bool(flag)
  }

  /// A value that was read, in this writer's layout; null where it is nil or absent.
  public mutating func member(_ name: String, _ json: JSON?) {
    key(name)
    guard let json else { return null() }
    value(json)
  }

  /// The body writes one value.
  public mutating func member<Problem: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    key(name)
    try body(&self)
  }

  /// A member that is an object; the body writes its members.
  public mutating func object<Problem: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    key(name)
    try object(body)
  }

  /// A member that is an array; the body writes its elements.
  public mutating func array<Problem: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    key(name)
    try array(body)
  }
}

extension Document {
  /// Writes the value at `index`: the entries are in the order of the text, so this is one loop.
  func write(_ index: Int, to writer: inout JSONWriter) {
    let end = index + entry(index).stride
    var isObject: [Bool] = []
    var isName = false
    var text: [UInt8] = []
    for at in index..<end {
      let entry = entry(at)
      switch firstByte(entry) {
      case UInt8(ascii: "{"):
        writer.beginObject()
        isObject.append(true)
      case UInt8(ascii: "["):
        writer.beginArray()
        isObject.append(false)
      case UInt8(ascii: "}"):
        writer.endObject()
        isObject.removeLast()
      case UInt8(ascii: "]"):
        writer.endArray()
        isObject.removeLast()
      case UInt8(ascii: "\""):
        text.removeAll(keepingCapacity: true)
        appendText(at, to: &text)
        if isName {
          writer.key(utf8: text)
          isName = false
          continue
        }
        writer.string(utf8: text)
      default:
        unsafe writer.raw(self.text(at))
      }
      // After any value or opening of an object, a name is due.
      isName = isObject.last == true
    }
  }
}

extension JSONWriter {
  /// Appends a value that was read, in one line; null where it is absent.
  public static func append(_ json: JSON, to output: inout [UInt8]) {
    var bytes: [UInt8] = []
    swap(&bytes, &output)
    var writer = JSONWriter(into: bytes)
    bytes = []
    writer.value(json)
    swap(&writer.bytes, &output)
  }

  public static func appendNull(to output: inout [UInt8]) { append(literal: "null", to: &output) }

  public static func append(_ value: Bool, to output: inout [UInt8]) {
    append(literal: value ? "true" : "false", to: &output)
  }

  private static func append(literal: StaticString, to output: inout [UInt8]) {
    unsafe output.append(
      few: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends an integer.
  public static func append(_ value: Int64, to output: inout [UInt8]) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = 20
    var rest = value.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 {
      first -= 1
      digits[first] = UInt8(ascii: "-")
    }
    unsafe digits.span.extracting(droppingFirst: first).withUnsafeBufferPointer {
      unsafe output.append(few: $0)
    }
  }

  /// Appends the shortest digits that read back as the same double; null where it has none.
  public static func append(_ value: Double, to output: inout [UInt8]) {
    var writer = JSONWriter()
    writer.double(value)
    output.append(contentsOf: writer.bytes)
  }
}
