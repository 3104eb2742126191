import System

/// Text formats of chats. A chat has the format with most headers: people paste lines of other chats.
enum ChatFormat: CaseIterable, Sendable {
  /// `[12/03/22, 08:14:11] Ann: text` and `12.03.22, 08:14 - Ann: text`. Signal has the first form, too.
  case whatsApp
  /// `Ann — 12/03/2022 08:14`, copied from Discord. The name may be above.
  case discord
  /// `[12/03/2022 08:14] Ann`, from DiscordChatExporter.
  case discordExporter
  /// `Ann, [12.03.22 08:14]`, copied from Telegram.
  case telegram
  /// `Ann  8:14 AM`, copied from Slack. The name may be above.
  case slack
  /// `From: Ann`, from Signal.
  case signal
  /// `[08:14] Ann: text`, from Discord's compact view.
  case compact
  /// `Ann: Wordle 281 4/6`
  case labelled

  struct Lines {
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
      hasBlanksAboveTimes = 2 * below > bracketed.count || bracketed.contains { all[$0].contains(": ") }
      var (isBeside, hasMeridiem) = (false, false)
      for line in all.prefix(20_000) where line.utf8.count < 64 {
        let text = ChatText.visible(line)
        if ChatTime(text) != nil {
          if line.first?.isWhitespace == true {
            timesOfNames = .indentedBelow
            return
          }
          hasMeridiem = hasMeridiem || Lines.hasMeridiem(text)
        } else if !isBeside {
          isBeside = ChatFormat.nameBesideTime(text).map { !ChatFormat.isTag($0.name) } ?? false
        }
      }
      if isBeside { timesOfNames = .beside } else if hasMeridiem { timesOfNames = .belowWithMeridiem }
    }

    /// A short line above a dash and a time is a tag if the line above it is always a name: one that is known, or comes
    /// again above the same tag. Otherwise it is the name.
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
        let repeated = Set(next).count < next.count
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
      case .belowWithMeridiem: Lines.hasMeridiem(text)
      }
    }

    subscript(index: Int) -> Substring { all[index] }
    func isBlank(_ index: Int) -> Bool { all[index].allSatisfy(ChatText.isBlank) }
  }

  struct Header {
    var author: Substring?
    var time: ChatTime?
    var text: Substring = ""
    var linesAbove = 0
    /// The sender is that of the previous message.
    var isContinued = false
  }

  /// The messages of a text. Without headers the text is one message without a sender.
  static func messages(_ lines: [Substring]) -> [ChatMessage] {
    var counts: [ChatFormat: Int] = [:]
    let chat = Lines(lines)
    for index in lines.indices {
      // The beginning of a long chat determines its format.
      if index > 20_000, !counts.isEmpty { break }
      for format in allCases where format.header(chat, index)?.author != nil {
        counts[format, default: 0] += 1
      }
    }
    let most = counts.filter { $0.key != .labelled }.values.max() ?? 0
    guard let format = allCases.first(where: { (counts[$0] ?? 0) >= max(1, most) }) else {
      return [ChatMessage(nil, lines: lines, at: ChatPlace(.line, 1))]
    }
    return format.messages(chat)
  }

  private func messages(_ chat: Lines) -> [ChatMessage] {
    let lines = chat.all
    var messages: [ChatMessage] = []
    var (header, start) = (Header(), -1)
    var author: Substring?
    func add(until end: Int) {
      // Text before the first header is not a message, unless a header continues it.
      let hasText = start >= 0 && !header.text.isEmpty
      let first = hasText ? start : start + 1
      guard first < end else { return }
      var text = lines[first..<end]
      if hasText { text[first] = header.text }
      while let line = text.first, text.startIndex > start, isAnnotation(line) { text = text.dropFirst() }
      if let end = text.firstIndex(where: isEnd) { text = text[..<end] }
      messages.append(
        ChatMessage(
          author.map(String.init), header.time, lines: Array(text),
          at: ChatPlace(.line, text.startIndex + 1), isForwarded: isForward(lines[first..<end])))
    }
    for index in lines.indices {
      guard let next = self.header(chat, index) else { continue }
      add(until: index - next.linesAbove)
      if !next.isContinued { author = next.author }
      let time = next.isContinued ? header.time : next.time
      (header, start) = (next, index)
      header.time = time
    }
    add(until: lines.count)
    return messages
  }

  private func isAnnotation(_ line: Substring) -> Bool {
    let line = ChatText.visible(line)
    return switch self {
    case .discord, .slack: ChatFormat.isTag(line)
    case .telegram: line.first == "[" && line.last == "]"
    default: false
    }
  }

  private func isEnd(_ line: Substring) -> Bool {
    switch self {
    case .discordExporter:
      ["{Attachments}", "{Embed}", "{Stickers}", "{Reactions}"].contains(line) || line.hasPrefix("==========")
    case .discord, .slack: ChatTime.isDivider(line)
    case .whatsApp: line.contains("년 ") && ChatTime.isDivider(line)
    default: false
    }
  }

  /// Telegram writes the source above a forwarded text; Discord writes a word above it, and channel and time below it.
  private func isForward(_ text: ArraySlice<Substring>) -> Bool {
    switch self {
    case .telegram: return text.first?.hasPrefix("[Forwarded from ") ?? false
    case .slack:
      let last = ChatText.visible(text.last { !$0.allSatisfy(ChatText.isBlank) } ?? "")
      return last.hasPrefix("Posted in ") && last.hasSuffix("View message")
    case .discord:
      if text.first(where: { !$0.allSatisfy(ChatText.isBlank) }).map(ChatText.visible) == "Forwarded" {
        return true
      }
      let end = text.map(ChatText.visible).filter { !$0.isEmpty }.suffix(4)
      guard let channel = end.lastIndex(where: { $0.first == "#" }) else { return false }
      let footer = end[channel...].joined(separator: " ")
      return footer.lastIndex(of: "•").flatMap { ChatTime(footer[$0...].dropFirst()) } != nil
    default: return false
    }
  }

  /// Marks of programs and thread authors, after or below a name.
  private static let tags: Set<Substring> = ["APP", "BOT", "OP"]

  /// Whether a line below a name is a mark, a server tag such as `[ABC]`, or the emoji or icon of a status.
  private static func isTag(_ line: Substring) -> Bool {
    let line = ChatText.visible(line)
    return tags.contains(line) || line.first == "[" && line.last == "]" && line.count <= 10
      || line.first == ":" && emojiName(atEndOf: line) == line
      || line.hasPrefix("Role icon, ") || line.hasSuffix("new here, say hi!")
  }

  private static func emojiName(atEndOf line: Substring) -> Substring? {
    guard line.last == ":", let colon = line.dropLast().lastIndex(of: ":") else { return nil }
    let name = line[colon...].dropFirst().dropLast().utf8
    guard !name.isEmpty, name.allSatisfy({ $0.isASCIIAlphanumeric || "_+-".utf8.contains($0) }) else {
      return nil
    }
    return line[colon...]
  }

  func header(_ lines: Lines, _ index: Int) -> Header? {
    let line = lines[index]
    guard !line.isEmpty, line.utf8.count <= 4096 || self == .whatsApp || self == .compact else { return nil }
    return switch self {
    case .whatsApp: ChatFormat.dated(line, inBrackets: { $0.hasDate })
    case .discord: ChatFormat.dashed(lines, index)
    case .discordExporter: ChatFormat.exported(lines, index)
    case .telegram: ChatFormat.bracketed(line)
    case .slack: ChatFormat.timed(lines, index)
    case .signal: ChatFormat.from(line)
    case .compact: ChatFormat.dated(line, inBrackets: { !$0.hasDate })
    case .labelled: ChatFormat.labelled(line)
    }
  }

  // MARK: Headers

  /// A time at the beginning of the line and the rest: `[12/03/22, 08:14] rest`, `12/03/22, 08:14 - rest`.
  fileprivate static func leading(_ line: Substring) -> (time: ChatTime, rest: Substring, isBracketed: Bool)?
  {
    guard let first = line.unicodeScalars.first(where: { $0 != " " && !ChatText.isInvisible($0) }),
      first == "[" || ChatText.digit(first) != nil
    else { return nil }
    let line = line.drop(while: ChatText.isBlank)
    let head = line.prefix(70)
    if first == "[" {
      guard let end = head.firstIndex(of: "]"), let time = ChatTime(head[..<end].dropFirst()) else {
        return nil
      }
      return (time, line[line.index(after: end)...], true)
    }
    // `2024년 3월 2일 오전 8:14, Bob : text`
    if let comma = head.lastIndex(where: { $0 == "," }), line[comma...].contains(" : "),
      let time = ChatTime(head[..<comma]), time.hasDate
    {
      return (time, line[line.index(after: comma)...], false)
    }
    for dash in ["-", "–", "—"] as [Character] {
      for index in head.indices where head[index] == dash && index > head.startIndex {
        let after = line.index(after: index)
        guard head[head.index(before: index)].isWhitespace, after < line.endIndex, line[after].isWhitespace
        else { continue }
        guard let time = ChatTime(head[..<index]) else { break }
        return (time, line[after...], false)
      }
    }
    return nil
  }

  private static func dated(_ line: Substring, inBrackets isWanted: (ChatTime) -> Bool) -> Header? {
    guard let (time, rest, isBracketed) = leading(line), isWanted(time), isBracketed || time.hasDate else {
      return nil
    }
    var searched = rest.unicodeScalars
    while let colon = searched.firstIndex(of: ":") {
      let after = rest.unicodeScalars.index(after: colon)
      let text = rest[after...]
      if text.isEmpty || text.unicodeScalars.first.map({ $0 == " " || ChatText.isInvisible($0) }) ?? false {
        return Header(author: rest[..<colon], time: time, text: text)
      }
      searched = rest.unicodeScalars[after...]
    }
    // A message of the chat itself.
    return time.hasDate ? Header(time: time, text: rest) : nil
  }

  private static func exported(_ lines: Lines, _ index: Int) -> Header? {
    guard index == 0 || lines.isBlank(index - 1) || !lines.hasBlanksAboveTimes,
      let (time, rest, isBracketed) = leading(lines[index]),
      isBracketed, time.hasDate
    else { return nil }
    var name = ChatText.visible(rest)
    guard !name.isEmpty else { return nil }
    if name.hasSuffix(" (pinned)") { name = name.dropLast(9) }
    return Header(author: name, time: time)
  }

  private static func dashed(_ lines: Lines, _ index: Int) -> Header? {
    let line = lines[index]
    // Grouped messages of one sender have only a time.
    if let (time, rest, isBracketed) = leading(line), isBracketed, !time.hasDate {
      // Screen readers get the time a second time.
      let shown = ChatText.visible(line).dropFirst().prefix { $0 != "]" }
      let text = rest.hasPrefix(shown) ? rest.dropFirst(shown.count) : rest
      return Header(time: time, text: text, isContinued: true)
    }
    // The date may have a line of its own, below the dash.
    if line.utf8.count <= 64, let time = ChatTime(line) ?? (lines.hasDatesOnly ? ChatTime(day: line) : nil),
      let dash = lines.filled(above: index), ["—", "–"].contains(ChatText.visible(lines[dash])),
      let above = nameAbove(lines, dash)
    {
      return Header(author: above.name, time: time, linesAbove: above.count + index - dash)
    }
    guard let (name, text) = nameBesideDash(line),
      let time = ChatTime(text) ?? ChatTime(doubled: text) ?? (lines.hasDatesOnly ? ChatTime(day: text) : nil)
    else { return nil }
    if !name.isEmpty { return Header(author: withoutTag(name), time: time) }
    return nameAbove(lines, index).map { Header(author: $0.name, time: time, linesAbove: $0.count) }
  }

  /// Parts of a line around its last dash, U+2014 or U+2013; nil without one.
  fileprivate static func nameBesideDash(_ line: Substring) -> (name: Substring, time: Substring)? {
    guard let last = line.utf8.lastIndex(where: { $0 == 0x94 || $0 == 0x93 }), line.utf8.contains(0xE2),
      let dash = line.unicodeScalars.lastIndex(where: { $0 == "—" || $0 == "–" }), dash <= last
    else { return nil }
    return (ChatText.visible(line[..<dash]), line[line.unicodeScalars.index(after: dash)...])
  }

  private static func bracketed(_ line: Substring) -> Header? {
    guard line.utf8.contains(UInt8(ascii: "[")), let bracket = line.lastIndex(of: "["),
      let end = line[bracket...].firstIndex(of: "]"), line[..<bracket].hasSuffix(", "),
      let time = ChatTime(line[bracket..<end].dropFirst()), time.hasDate
    else { return nil }
    return Header(author: line[..<bracket].dropLast(2), time: time, text: line[line.index(after: end)...])
  }

  private static func timed(_ lines: Lines, _ index: Int) -> Header? {
    let line = lines[index]
    let text = ChatText.visible(line)
    guard let last = text.utf8.last, last.isASCIIDigit || "Mmr.])".utf8.contains(last) || last > 0x7F,
      text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    if let (name, time) = nameBesideTime(text) {
      if isTag(name), let above = nameAbove(lines, index) {
        return Header(author: above.name, time: time, linesAbove: above.count)
      }
      return Header(author: name, time: time)
    }
    if let time = ChatTime(text.first == "[" ? text.dropFirst().dropLast() : text) {
      // The name is above. Below a row or an empty line the sender is that of the previous message.
      if lines.mayFollowName(index), index > 0, !lines.isBlank(index - 1),
        let above = nameAbove(lines, index), ShareTextParser.row(above.name) == nil
      {
        return Header(author: above.name, time: time, linesAbove: above.count)
      }
      return Header(time: time, isContinued: true)
    }
    return nil
  }

  /// `Ann  8:14 AM`, `Ann [8:14 AM]`
  private static func nameBesideTime(_ text: Substring) -> (name: Substring, time: ChatTime)? {
    // `Mar 12, 2022  8:14:11 AM` has no name.
    guard ChatTime(text)?.hasDate != true else { return nil }
    for separator in ["  ", " ["] {
      guard let range = text.range(ofLast: separator) else { continue }
      var clock = text[range.upperBound...]
      if separator == " [" {
        guard clock.last == "]" else { continue }
        clock = clock.dropLast()
      }
      if let time = ChatTime(clock) { return (withoutTag(text[..<range.lowerBound]), time) }
    }
    return nil
  }

  private static func from(_ line: Substring) -> Header? {
    let text = ChatText.visible(line)
    guard text.prefix(5).lowercased() == "from:" else { return nil }
    return Header(author: text.dropFirst(5))
  }

  private static let labels: Set<String> = [
    "body", "message", "result", "score", "subject", "text", "today", "yesterday",
  ]

  private static func labelled(_ line: Substring) -> Header? {
    guard line.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "w") }), let colon = line.firstIndex(of: ":"),
      line[..<colon].count <= 80, !line.contains(">")
    else { return nil }
    let text = line[line.index(after: colon)...]
    guard ShareTextParser.title(text) != nil else { return nil }
    let name = ChatText.visible(line[..<colon])
    let bare = name.drop { "*_~`".contains($0) }
    guard bare.contains(where: { $0.isLetter || $0.isNumber }), !labels.contains(bare.lowercased()) else {
      return nil
    }
    // Keeps a mark that may be closed after the result.
    return Header(author: bare, text: name[..<bare.startIndex] + " " + text)
  }

  private static func nameAbove(_ lines: Lines, _ index: Int) -> (name: Substring, count: Int)? {
    guard var above = lines.filled(above: index) else { return nil }
    while isTag(lines[above]) || lines.serverTags.contains(ChatText.visible(lines[above])),
      let next = lines.filled(above: above)
    {
      above = next
    }
    let name = withoutTag(lines[above])
    return name.isEmpty || ["—", "–"].contains(name) ? nil : (name, index - above)
  }

  private static func withoutTag(_ name: Substring) -> Substring {
    let name = ChatText.visible(name)
    for tag in tags where name.hasSuffix(" \(tag)") { return name.dropLast(tag.count + 1) }
    // The emoji of a status: `Ann  :palm_tree:`.
    if let emoji = emojiName(atEndOf: name), emoji != name {
      return ChatText.visible(name[..<emoji.startIndex])
    }
    // `Ann [ABC], ` has a server tag; `Ann [ABC]` is a name.
    guard name.hasSuffix("],"), let bracket = name.lastIndex(of: "["), bracket > name.startIndex else {
      return name
    }
    return ChatText.visible(name[..<bracket])
  }
}

extension Substring {
  fileprivate func range(ofLast part: String) -> Range<Index>? {
    for start in indices.reversed() where self[start...].hasPrefix(part) {
      return start..<index(start, offsetBy: part.count)
    }
    return nil
  }
}
