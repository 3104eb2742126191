import System

struct ChatMessage: Equatable, Sendable {
  /// The sender; nil in share texts without names, and for system messages.
  var author: String?
  var time: ChatTime?
  var lines: [Substring]
  var place: ChatPlace
  var isForwarded = false
  /// The users of the chat, if the format has ids.
  var users = ChatUsers()
  var mentioned: [String] = []
  var account: String?
  /// Whether the sender is Discord's Wordle app; nil if the name must show it.
  var isWordleApp: Bool?

  init(
    _ author: String?, _ time: ChatTime? = nil, lines: [Substring], at place: ChatPlace,
    isForwarded: Bool = false
  ) {
    self.author = author.flatMap(ChatMessage.name)
    self.time = time
    self.lines = lines
    self.place = place
    self.isForwarded = isForwarded
  }

  init(_ author: String?, _ time: ChatTime? = nil, text: String, at place: ChatPlace) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self.init(author, time, lines: lines.map { Substring($0) }, at: place)
  }

  /// Trims a name, and the mark `~ ` of senders outside of the address book. Returns nil if nothing remains.
  static func name(_ text: some StringProtocol) -> String? {
    // Some programs write telephone numbers with U+00A0.
    var name = ChatText.visible(Substring(String(text).replacing("\u{A0}", with: " ")))
    if name.first == "~", name.dropFirst().first?.isWhitespace == true {
      name = ChatText.visible(name.dropFirst())
    }
    return name.isEmpty ? nil : String(name)
  }

  func place(_ index: Int) -> ChatPlace {
    ChatPlace(place.unit, place.unit == .line ? place.number + index : place.number)
  }
}

/// A line of a text, or a message or score of an export without lines.
struct ChatPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
  var unit: Unit
  var number: Int

  enum Unit: String, Sendable { case line, message, score }

  init(_ unit: Unit, _ number: Int) {
    self.unit = unit
    self.number = number
  }

  var description: String { "\(unit.rawValue) \(number)" }

  static func < (a: ChatPlace, b: ChatPlace) -> Bool { a.number < b.number }
}

enum ChatText {
  static func isBlank(_ character: Character) -> Bool {
    character.isWhitespace || character.unicodeScalars.allSatisfy(isInvisible)
  }

  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isVariationSelector
    }
  }

  /// Trims blank characters. Compares bytes where possible, because comparing characters is slow.
  static func visible(_ text: Substring) -> Substring {
    var text = Substring(text.utf8.drop { $0 <= 0x20 })
    if text.utf8.first.map({ $0 > 0x7E }) ?? false { text = text.drop(while: isBlank) }
    while let byte = text.utf8.last {
      if byte <= 0x20 {
        text = Substring(text.utf8.dropLast())
      } else if byte > 0x7E, let last = text.last, isBlank(last) {
        text.removeLast()
      } else {
        break
      }
    }
    return text
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isAlphabetic }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(UInt8(ascii: scalar) | 0x20)
  }

  static func digit(_ scalar: Unicode.Scalar) -> Int? {
    if scalar.isASCII { return UInt8(ascii: scalar).isASCIIDigit ? Int(scalar.value & 0x0F) : nil }
    return scalar.properties.numericType == .decimal ? scalar.properties.numericValue.map { Int($0) } : nil
  }

  /// The end of the name of an emoji behind its first colon: `tada:`.
  static func endOfEmoji<Scalars: Collection<Unicode.Scalar>>(_ scalars: Scalars) -> Scalars.Index? {
    guard let end = scalars.prefix(40).firstIndex(of: ":"), end > scalars.startIndex,
      scalars[..<end].allSatisfy({ isWord($0) || "_+-".unicodeScalars.contains($0) })
    else { return nil }
    return scalars.index(after: end)
  }

  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? UInt8(ascii: scalar).isASCIIAlphanumeric
      : scalar.properties.isAlphabetic || digit(scalar) != nil
  }
}
