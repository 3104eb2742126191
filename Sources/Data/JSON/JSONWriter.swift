import System

/// Writes JSON text, compact or as `jq .`. The caller alternates names and values, and separates top-level values.
public struct JSONWriter {
  public enum Layout: Sendable {
    case compact
    case indented
  }

  /// Bytes written so far. A caller may take them and leave the array empty.
  public var bytes: [UInt8]
  let layout: Layout
  private var depth = 0
  private var isFirst = true
  private var followsName = false

  public init(_ layout: Layout = .compact, into bytes: consuming [UInt8] = []) {
    self.bytes = bytes
    self.layout = layout
  }

  public static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] { bytes { $0.object(body) } }

  public static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
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

  public mutating func key(utf8 name: some Sequence<UInt8>) {
    separate()
    JSONWriter.appendString(utf8: name, to: &bytes)
    afterName()
  }

  public mutating func string(_ text: some StringProtocol) {
    separate()
    JSONWriter.appendString(text, to: &bytes)
  }

  public mutating func string(utf8 text: some Sequence<UInt8>) {
    separate()
    JSONWriter.appendString(utf8: text, to: &bytes)
  }

  public mutating func integer(_ value: some SignedInteger) {
    separate()
    JSONWriter.append(Int64(value), to: &bytes)
  }

  /// Writes the shortest digits that read back as the same double, without `.0`; null for infinity and NaN.
  public mutating func double(_ value: Double) {
    separate()
    JSONWriter.append(value, to: &bytes)
  }

  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  public mutating func raw(_ text: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Writes a value in this writer's layout: names in their order, numbers digit for digit. An absent one becomes null.
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

// Members of an object. A nil value becomes null.
extension JSONWriter {
  public mutating func member(_ name: String, _ text: String?) {
    member(name, text) { writer, text in
      writer.separate()
      JSONWriter.appendString(text, to: &writer.bytes)
    }
  }

  public mutating func member(_ name: String, _ number: Int?) { member(name, number.map(Int64.init)) }
  public mutating func member(_ name: String, _ number: Int64?) { member(name, number) { $0.integer($1) } }
  public mutating func member(_ name: String, _ number: Double?) { member(name, number) { $0.double($1) } }
  public mutating func member(_ name: String, _ flag: Bool?) { member(name, flag) { $0.bool($1) } }
  public mutating func member(_ name: String, _ json: JSON?) { member(name, json) { $0.value($1) } }

  private mutating func member<Value>(
    _ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
  ) {
    key(name)
    if let value { write(&self, value) } else { null() }
  }

  public mutating func member<Problem: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    key(name)
    try body(&self)
  }

  public mutating func object<Problem: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    key(name)
    try object(body)
  }

  public mutating func array<Problem: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Problem) -> Void
  ) throws(Problem) {
    key(name)
    try array(body)
  }
}

extension Document {
  /// Writes the value at `index` in one loop: the entries are in the order of the text.
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
      isName = isObject.last == true
    }
  }
}

extension JSONWriter {
  /// Appends a value in one line; null for an absent value.
  public static func append(_ json: JSON, to output: inout [UInt8]) {
    var bytes: [UInt8] = []
    swap(&bytes, &output)  // A second reference would make the writer copy the bytes.
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
    unsafe output.append(few: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

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

  /// Appends the shortest digits that read back as the same double; null for infinity and NaN.
  public static func append(_ value: Double, to output: inout [UInt8]) {
    guard value.isFinite else { return appendNull(to: &output) }
    let digits = value.description
    output.append(contentsOf: digits.utf8.dropLast(digits.hasSuffix(".0") ? 2 : 0))
  }
}
