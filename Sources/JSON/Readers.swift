import System

/// What a view is read as. Each reader throws `invalidData` with line, column and path where the value is another.
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

  /// An integer of 64 bits, however it is written: `3.0` and `1e2` are integers, `3.5` is not.
  public var int: Int {
    get throws(Failure) {
      try require(.number, "an integer")
      let text = unsafe document.text(index)
      if let value = unsafe Decimal.plainInteger(text) { return value }
      guard let value = unsafe Decimal(text).int else {
        throw complaint("expected an integer of 64 bits, found \(shownNumber)")
      }
      return value
    }
  }

  /// The nearest double; a number beyond the largest one is refused.
  public var double: Double {
    get throws(Failure) {
      try require(.number, "a number")
      let value = unsafe Decimal.double(document.text(index))
      guard value.isFinite else {
        throw complaint("expected a number in a double's range, found \(shownNumber)")
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

  public var members: Members {
    get throws(Failure) {
      try require(.object, "an object")
      return Members(document: document, container: index)
    }
  }

  /// The value itself, or nil where it is null or absent.
  public var orNull: JSON? {
    missing != nil || document.firstByte(document.entry(index)) == UInt8(ascii: "n") ? nil : self
  }

  /// What a string holds, where it holds JSON text of its own; any other value is itself.
  public var unwrapped: JSON {
    get throws(Failure) {
      guard kind == .string else { return self }
      var text: [UInt8] = []
      document.appendText(index, to: &text)
      do {
        return try JSON.parse(text)
      } catch {
        throw complaint("in the JSON text of this string: \(error.message)")
      }
    }
  }

  /// The way here from the top of the text: `beeList[2].name`.
  public var path: String { Step.text(of: steps) }

  private var steps: [Step] { document.steps(to: index) + (missing?.steps ?? []) }

  /// Appends the text of a string as UTF-8, its escapes resolved.
  public func appendText(to output: inout [UInt8]) throws(Failure) {
    try require(.string, "a string")
    document.appendText(index, to: &output)
  }

  /// Appends the value as it stands in the text; nothing where it is absent.
  public func appendRaw(to output: inout [UInt8]) {
    guard missing == nil else { return }
    unsafe output.append(contentsOf: document.text(index))
  }

  /// Appends what stands at `path` as bare text: a string's own text, nothing where there is null or nothing, and
  /// anything else as compact JSON. False where the text surely has no control character and no backslash.
  @discardableResult public func appendBare(_ path: Path, to output: inout [UInt8]) -> Bool {
    guard missing == nil else { return false }
    let (index, depth) = document.follow(path, from: index)
    guard depth == path.steps.count else { return false }
    switch document.kind(index) {
    case .null, .absent: return false
    case .bool, .number:
      unsafe output.append(contentsOf: document.text(index))
      return false
    case .string:
      document.appendText(index, to: &output)
      return document.entry(index).isComplex
    case .array, .object:
      JSONWriter.append(JSON(document: document, index: index), to: &output)
      return true
    }
  }

  /// The value's bytes as they stand in the text; none where it is absent.
  public func withRawBytes<Result, Problem: Error>(
    _ body: (RawSpan) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    guard missing == nil else { return try body(RawSpan()) }
    return try unsafe body(RawSpan(_unsafeElements: document.text(index)))
  }

  /// A failure that blames this value: for a caller that wants more of it than its kind.
  public func complaint(_ sentence: String) -> Failure {
    document.complain(sentence, offset: Int(document.entry(index).start), path: steps)
  }

  @inline(__always)
  private func require(_ wanted: Kind, _ name: StaticString) throws(Failure) {
    let kind = kind
    guard kind == wanted else { throw mismatch(name, kind) }
  }

  private func mismatch(_ name: StaticString, _ found: Kind) -> Failure {
    complaint("expected \(name), found \(found.named)")
  }

  private var shownNumber: String {
    let text = unsafe document.text(index)
    let digits = unsafe String(decoding: UnsafeBufferPointer(rebasing: text.prefix(40)), as: UTF8.self)
    return text.count > 40 ? digits + "…" : digits
  }
}

extension JSON.Kind {
  /// The kind as a sentence names it.
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
