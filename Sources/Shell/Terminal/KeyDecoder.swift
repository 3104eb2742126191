/// Decodes the bytes of a terminal into keys. Reads may end anywhere, also within a character or a mouse report. Skips
/// unknown sequences and keys that no screen uses, such as those with Ctrl and Alt. Escape also begins every sequence,
/// so after a lone one the decoder `isUndecided`: if nothing follows within `escapeTimeout`, call `finish`.
public struct KeyDecoder: Sendable {
  /// Long enough for the rest of a sequence on a slow connection, too short to notice.
  static let escapeTimeout = Duration.milliseconds(50)

  private enum State: Equatable {
    case ground
    case scalar([UInt8], length: Int)
    case escape
    case singleShift
    case sequence([UInt8])
    /// Number of bytes to skip of an old mouse report or a function key of the Linux console.
    case skipping(Int)
  }

  private var state = State.ground

  public init() {}

  public var isUndecided: Bool {
    switch state {
    case .ground, .scalar: false
    // The rest of a mouse report may come late, and must not be decoded as keys.
    case .sequence(let parameters) where KeyDecoder.beginsMouseReport(parameters): false
    case .escape, .singleShift, .sequence, .skipping: true
    }
  }

  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  /// Keys of the bytes so far, after `escapeTimeout`.
  public mutating func finish() -> [Key] {
    guard isUndecided else { return [] }
    defer { state = .ground }
    return state == .escape ? [.escape] : []
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
    switch state {
    case .ground: begin(byte, &keys)
    case .scalar(let bytes, let length): continueScalar(bytes, byte, length, &keys)
    case .escape: afterEscape(byte, &keys)
    case .singleShift:
      state = .ground
      if let key = KeyTable.byFinalByte[byte] { keys.append(key) } else if byte < 0x20 { begin(byte, &keys) }
    case .sequence(let parameters): continueSequence(parameters, byte, &keys)
    case .skipping(let count): state = count > 1 ? .skipping(count - 1) : .ground
    }
  }

  private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0x0D, 0x0A: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x7F, 0x08: keys.append(.backspace)
    case 0x00..<0x20: break
    case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xDF: state = .scalar([byte], length: 2)
    case 0xE0...0xEF: state = .scalar([byte], length: 3)
    case 0xF0...0xF4: state = .scalar([byte], length: 4)
    default: keys.append(.character("\u{FFFD}"))
    }
  }

  private mutating func continueScalar(
    _ begun: [UInt8], _ byte: UInt8, _ length: Int, _ keys: inout [Key]
  ) {
    guard (0x80...0xBF).contains(byte) else {
      keys.append(.character("\u{FFFD}"))
      begin(byte, &keys)
      return
    }
    let bytes = begun + [byte]
    guard bytes.count == length else {
      state = .scalar(bytes, length: length)
      return
    }
    state = .ground
    let text = String(validating: bytes, as: UTF8.self) ?? "\u{FFFD}"
    // C1 control characters are no keys.
    for character in text where !("\u{80}"..."\u{9F}").contains(character) {
      keys.append(.character(character))
    }
  }

  private mutating func afterEscape(_ byte: UInt8, _ keys: inout [Key]) {
    state = .ground
    switch byte {
    case UInt8(ascii: "["): state = .sequence([])
    case UInt8(ascii: "O"): state = .singleShift
    case 0x1B:
      keys.append(.escape)
      state = .escape
    case 0x20...0x7E: break
    case 0x00...0x1F, 0x7F:
      keys.append(.escape)
      begin(byte, &keys)
    default:
      // Alt with a letter outside ASCII is the letter.
      begin(byte, &keys)
    }
  }

  private mutating func continueSequence(_ parameters: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case _ where KeyDecoder.beginsMouseReport(parameters) && !KeyDecoder.mouseReport.contains(byte):
      // The rest of the report was lost: this byte begins something else.
      begin(byte, &keys)
    case 0x20...0x3F:
      // An endless sequence is skipped, but not stored.
      state = .sequence(parameters.count < 64 ? parameters + [byte] : parameters)
    case UInt8(ascii: "[") where parameters.isEmpty: state = .skipping(1)
    case UInt8(ascii: "M") where parameters.isEmpty: state = .skipping(3)
    case 0x40...0x7E:
      state = .ground
      if let key = KeyTable.key(parameters, final: byte) { keys.append(key) }
    default: begin(byte, &keys)
    }
  }

  private static func beginsMouseReport(_ parameters: [UInt8]) -> Bool { parameters.first == mouseReport[0] }

  /// Bytes of an SGR mouse report; the first begins it.
  private static let mouseReport = Array("<0123456789;Mm".utf8)
}
