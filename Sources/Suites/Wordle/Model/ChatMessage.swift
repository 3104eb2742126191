import System

struct ChatMessage: Equatable, Sendable {
  /// The sender; nil in share texts without names, and for system messages.
  var author: String?
  var time: ChatTime?
  var lines: [Substring]
  var place: ChatPlace
  var isForwarded = false
  /// If the format has ids: the users of the chat, the accounts that are mentioned, and that of the sender.
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
    var name = ChatText.trimmed(Substring(String(text).replacing("\u{A0}", with: " ")))
    if name.first == "~", name.dropFirst().first?.isWhitespace == true {
      name = ChatText.trimmed(name.dropFirst())
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
