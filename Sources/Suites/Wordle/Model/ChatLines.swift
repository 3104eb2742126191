import System

/// Lines of a pasted chat, with the facts about all of them that decide which are headers.
struct ChatLines {
  let all: [Substring]
  /// Position of a time after the name, as in Slack. A time elsewhere continues the sender.
  private var timesOfNames = TimesOfNames.below
  /// Tags of servers that Discord writes without brackets, below the name.
  private(set) var serverTags: Set<Substring> = []
  /// Whether a date alone may follow a name and a dash: an older Discord has a time of day for two days only.
  private(set) var hasDatesOnly = true
  /// Whether a blank line is above a time in brackets and a name, as DiscordChatExporter writes it and Teams does not.
  private(set) var hasBlanksAboveTimes = true

  private enum TimesOfNames { case below, indentedBelow, beside, belowWithMeridiem }

  init(_ all: [Substring]) {
    self.all = all
    readDashes()
    let bracketed = all.indices.prefix(20_000).filter { index in
      ChatFormat.leading(all[index]).map { $0.isBracketed && $0.time.hasDate } ?? false
    }
    // WhatsApp has such lines, too: `[12/03/22, 08:14] Ann: text`.
    let below = bracketed.count { $0 == 0 || isBlank($0 - 1) }
    hasBlanksAboveTimes = 2 * below >= bracketed.count || bracketed.contains { all[$0].contains(": ") }
    var (isBeside, hasMeridiem) = (false, false)
    for line in all.prefix(20_000) where line.utf8.count < 64 {
      let text = ChatText.visible(line)
      if ChatTime(text) != nil {
        if line.first?.isWhitespace == true {
          timesOfNames = .indentedBelow
          return
        }
        hasMeridiem = hasMeridiem || ChatLines.hasMeridiem(text)
      } else if !isBeside {
        isBeside = ChatFormat.nameBesideTime(text).map { !ChatFormat.isTag($0.name) } ?? false
      }
    }
    if isBeside { timesOfNames = .beside } else if hasMeridiem { timesOfNames = .belowWithMeridiem }
  }

  /// A short line above a dash and a time is a tag if the line above it is always a name: one that is known or, for a
  /// tag in capitals, comes again above the same tag. Otherwise it is the name.
  private mutating func readDashes() {
    var names: Set<Substring> = []
    var above: [Substring: [Substring]] = [:]
    for index in all.indices.prefix(20_000) where all[index].utf8.count < 128 {
      guard let (name, time) = ChatFormat.nameBesideDash(all[index]), let time = ChatTime(time) else {
        continue
      }
      if time.hasDate { hasDatesOnly = false }
      guard name.isEmpty else {
        names.insert(name)
        continue
      }
      guard let below = filled(above: index) else { continue }
      let tag = ChatText.visible(all[below])
      let next = filled(above: below).map { ChatText.visible(all[$0]) } ?? ""
      if tag.count > 4 || ShareTextParser.row(next) != nil { names.insert(tag) }
      above[tag, default: []].append(next)
    }
    for (tag, next) in above where !names.contains(tag) {
      // In other letters it is rather a name below the last line of a message, such as `lol`.
      let isCapital = tag.contains(where: \.isLetter) && !tag.contains(where: \.isLowercase)
      let repeated = isCapital && Set(next).count < next.count
      if next.allSatisfy({ names.contains($0) || repeated && (1...32).contains($0.count) }) {
        serverTags.insert(tag)
      }
    }
  }

  /// The nearest line above that is not blank.
  func filled(above index: Int) -> Int? {
    (max(0, index - 8)..<max(0, index)).last { !isBlank($0) }
  }

  private static func hasMeridiem(_ time: Substring) -> Bool {
    ["am", "pm"].contains(time.suffix(2).lowercased())
  }

  /// Whether a line with only a time may follow the name above it.
  func mayFollowName(_ index: Int) -> Bool {
    let text = ChatText.visible(all[index])
    return switch timesOfNames {
    case .below: text.first != "["
    case .indentedBelow: all[index].first?.isWhitespace == true
    case .beside: false
    case .belowWithMeridiem: ChatLines.hasMeridiem(text)
    }
  }

  subscript(index: Int) -> Substring { all[index] }
  func isBlank(_ index: Int) -> Bool { all[index].allSatisfy(ChatText.isBlank) }
}
