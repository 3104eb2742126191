import System

/// Lines of a pasted chat, with the facts about all of them that decide which are headers.
struct ChatLines {
  let all: [Substring]
  /// The position of the time after a name, as in Slack. A time elsewhere begins another message of the same sender.
  private var timePosition = TimePosition.below
  /// Names and times beside the dash of lines that can be headers of Discord.
  private(set) var dashes: [Int: (name: Substring, time: ChatTime)] = [:]
  /// Lines that may be headers of Discord or text.
  private(set) var doubtful: Set<Int> = []
  /// Whether a date without a time may follow a name and a dash, as in older versions of Discord after two days.
  private(set) var allowsDatesOnly = true
  /// Whether a blank line is above a time in brackets and a name, as DiscordChatExporter writes it and Teams does not.
  private(set) var hasBlanksAboveTimes = true

  private enum TimePosition { case below, indentedBelow, beside, belowWithMeridiem, above }

  init(_ all: [Substring]) {
    self.all = all
    readDashes()
    let bracketed = all.indices.prefix(20_000).filter { index in
      ChatFormat.leading(self[index]).map { $0.isBracketed && $0.time.hasDate } ?? false
    }
    let belowBlank = bracketed.count { $0 == 0 || isBlank($0 - 1) }
    // A chat of WhatsApp has such lines, too, with a colon: `[12/03/22, 08:14] Ann: text`.
    hasBlanksAboveTimes = 2 * belowBlank >= bracketed.count || bracketed.contains { all[$0].contains(": ") }
    var (isBeside, hasMeridiem, isFirst) = (false, false, true)
    for index in all.indices.prefix(20_000) where all[index].utf8.count < 64 {
      let line = self[index]
      let text = ChatText.trimmed(line)
      if let time = ChatTime(text) {
        if line.first?.isWhitespace == true {
          timePosition = .indentedBelow
          return
        }
        if isFirst, !time.hasMeridiem, !time.hasDate, isAboveName(index) {
          timePosition = .above
          return
        }
        isFirst = false
        hasMeridiem = hasMeridiem || time.hasMeridiem
      } else if !isBeside {
        isBeside = ChatFormat.nameBesideTime(text).map { !ChatFormat.isTag($0.name) } ?? false
      }
    }
    if isBeside { timePosition = .beside } else if hasMeridiem { timePosition = .belowWithMeridiem }
  }

  /// Whether a time is above a name, as in a page of Telegram: below a date, or below the initial of the name.
  private func isAboveName(_ index: Int) -> Bool {
    guard let above = nonBlank(above: index).map({ ChatText.trimmed(all[$0]) }) else { return false }
    let below = all.dropFirst(index + 1).first.map(ChatText.trimmed) ?? ""
    return ChatTime("\(above) 00:00")?.hasDate == true || above.count <= 2 && below.hasPrefix(above)
  }

  /// Finds headers of Discord. A header of today has a time without a date, like the text `new record — 2:45`. Such a
  /// line is a header if a dated header has its name. If none has it, the line is doubtful in two cases:
  /// - Only the line, or only the dated headers have AM or PM: it may come from a chat that was copied with other
  ///   settings. If it may be a duration, it is text.
  /// - It is between dated headers, as at the end of a newer part above an older one, and no other line has its words.
  private mutating func readDashes() {
    typealias Header = (index: Int, name: Substring, time: ChatTime, words: String)
    let headers = all.indices.compactMap { index -> Header? in
      guard all[index].utf8.count < 512, let (name, text) = ChatFormat.nameBesideDash(self[index]),
        let time = ChatTime(text) ?? ChatTime(doubled: text)
      else { return nil }
      dashes[index] = (name, time)
      return (index, name, time, text.filter(\.isLetter))
    }
    let dated = headers.filter(\.time.hasDate)
    allowsDatesOnly = dated.isEmpty
    let (names, meridiems) = (Set(dated.map(\.name)), Set(dated.map(\.time.hasMeridiem)))
    let counts = Dictionary(headers.map { ($0.words, 1) }, uniquingKeysWith: +)
    for (position, header) in headers.enumerated() where !header.time.hasDate && !names.contains(header.name)
    {
      let isBetween = position > 0 && headers[(position - 1)...].prefix(3).count { $0.time.hasDate } == 2
      let hasUniqueWords = header.words.isEmpty || counts[header.words] == 1
      let hasOtherMeridiem = meridiems.count == 1 && !meridiems.contains(header.time.hasMeridiem)
      guard !header.name.isEmpty else { continue }
      if hasOtherMeridiem, header.time.mayBeDuration {
        dashes[header.index] = nil
      } else if hasOtherMeridiem || isBetween && hasUniqueWords {
        doubtful.insert(header.index)
      }
    }
  }

  /// The index of the nearest line above, of at most eight, that is not blank.
  func nonBlank(above index: Int) -> Int? { (max(0, index - 8)..<max(0, index)).last { !isBlank($0) } }

  /// Whether a line is the source of a text that Discord forwards: `#general • 12/03/2022`, `Group  •  Today at 08:14`.
  func isSource(_ index: Int) -> Bool {
    let line = ChatText.trimmed(all[index])
    guard line.utf8.count <= 512 else { return false }
    let bullet = line.unicodeScalars.lastIndex(of: "•")
    let time = bullet.map { line[$0...].dropFirst() } ?? line
    let isBelow =
      bullet.map { line.first == "#" || line[..<$0].hasSuffix("  ") && time.hasPrefix("  ") }
      ?? (nonBlank(above: index).map { ChatText.trimmed(all[$0]) } == "•")
    return isBelow && (ChatTime(time) != nil || ChatTime("\(time) 00:00")?.hasDate == true)
  }

  /// Whether a line with only a time may follow the name above it.
  func mayFollowName(_ index: Int) -> Bool {
    let text = ChatText.trimmed(all[index])
    return switch timePosition {
    case .below: text.first != "["
    case .indentedBelow: all[index].first?.isWhitespace == true
    case .beside, .above: false
    case .belowWithMeridiem: ChatTime(text)?.hasMeridiem ?? false
    }
  }

  /// A line that may be a header. Returns an empty text for a quote, which contains none.
  subscript(index: Int) -> Substring {
    all[index].utf8.drop { $0 <= 0x20 }.starts(with: "> ".utf8) ? "" : all[index]
  }

  func isBlank(_ index: Int) -> Bool { all[index].allSatisfy(ChatText.isBlank) }
}
