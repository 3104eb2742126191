import System

/// First line of a message: its sender and time, and the text behind them.
struct ChatHeader {
  var author: Substring?
  var time: ChatTime?
  var text: Substring = ""
  /// Number of lines above the line of the time that belong to the header, with the name.
  var linesAbove = 0
  /// The sender is that of the previous message.
  var isContinued = false
}

extension ChatFormat {
  /// Marks of programs and thread authors, after or below a name.
  private static let tags: [Substring] = ["VERIFIED APP", "APP", "BOT", "OP"]
  private static let roleIcon = "Role icon, "

  /// Whether a line below a name is a mark, a server tag such as `[ABC]`, or the emoji or icon of a status.
  static func isTag(_ line: Substring) -> Bool {
    let line = ChatText.trimmed(line)
    return tags.contains(line)
      || line.first == "[" && (line.last == "]" || line.hasSuffix("],")) && line.count <= 10
      || line.first == ":" && emojiName(atEndOf: line) == line
      || line.hasPrefix(roleIcon) || line.hasSuffix("new here, say hi!")
  }

  private static func emojiName(atEndOf line: Substring) -> Substring? {
    guard line.last == ":", let colon = line.dropLast().lastIndex(of: ":"),
      ChatText.endOfEmoji(line[colon...].unicodeScalars.dropFirst()) == line.endIndex
    else { return nil }
    return line[colon...]
  }

  func header(_ lines: ChatLines, _ index: Int) -> ChatHeader? {
    let line = lines[index]
    guard !line.isEmpty, line.utf8.count <= 4096 || self == .whatsApp || self == .compact else { return nil }
    return switch self {
    case .whatsApp: ChatFormat.datedHeader(line, inBrackets: { $0.hasDate })
    case .discord: ChatFormat.discordHeader(lines, index)
    case .discordExporter: ChatFormat.exporterHeader(lines, index)
    case .telegram: ChatFormat.telegramHeader(line)
    case .slack: ChatFormat.slackHeader(lines, index)
    case .signal: ChatFormat.signalHeader(line)
    case .compact: ChatFormat.datedHeader(line, inBrackets: { !$0.hasDate })
    case .labeled: ChatFormat.labeledHeader(line)
    }
  }

  /// A time at the beginning of the line and the rest: `[12/03/22, 08:14] rest`, `12/03/22, 08:14 - rest`.
  static func leading(_ line: Substring) -> (time: ChatTime, rest: Substring, isBracketed: Bool)? {
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

  private static func datedHeader(_ line: Substring, inBrackets isWanted: (ChatTime) -> Bool) -> ChatHeader? {
    guard let (time, rest, isBracketed) = leading(line), isWanted(time), isBracketed || time.hasDate else {
      return nil
    }
    var searched = rest.unicodeScalars
    while let colon = searched.firstIndex(of: ":") {
      let after = rest.unicodeScalars.index(after: colon)
      let text = rest[after...]
      if text.isEmpty || text.unicodeScalars.first.map({ $0 == " " || ChatText.isInvisible($0) }) ?? false {
        return ChatHeader(author: rest[..<colon], time: time, text: text)
      }
      searched = rest.unicodeScalars[after...]
    }
    // A system message, such as `Ann joined`.
    return time.hasDate ? ChatHeader(time: time, text: rest) : nil
  }

  private static func exporterHeader(_ lines: ChatLines, _ index: Int) -> ChatHeader? {
    guard index == 0 || lines.isBlank(index - 1) || !lines.hasBlanksAboveTimes,
      let (time, rest, isBracketed) = leading(lines[index]),
      isBracketed, time.hasDate
    else { return nil }
    var name = ChatText.trimmed(rest)
    // `[12/03/2022 08:14] Ann: Wordle 281 4/6` is a header of WhatsApp.
    guard !name.isEmpty, labeledHeader(name) == nil else { return nil }
    if name.hasSuffix(" (pinned)") { name = name.dropLast(9) }
    return ChatHeader(author: name, time: time)
  }

  private static func discordHeader(_ lines: ChatLines, _ index: Int) -> ChatHeader? {
    let line = lines[index]
    // Grouped messages of one sender have only a time.
    if let (time, rest, isBracketed) = leading(line), isBracketed, !time.hasDate {
      // Screen readers get the time a second time.
      let shown = ChatText.trimmed(line).dropFirst().prefix { $0 != "]" }
      let text = rest.hasPrefix(shown) ? rest.dropFirst(shown.count) : rest
      return ChatHeader(time: time, text: text, isContinued: true)
    }
    // The date may have a line of its own, below the dash.
    if line.utf8.count <= 64, let dash = lines.nonBlank(above: index),
      ["—", "–"].contains(ChatText.trimmed(lines[dash])),
      let time = ChatTime(line) ?? (lines.allowsDatesOnly ? ChatTime(day: line) : nil),
      let above = nameAbove(lines, dash)
    {
      return ChatHeader(author: above.name, time: time, linesAbove: above.count + index - dash)
    }
    // The line may also be text of the previous message, so the sender is unknown.
    if lines.doubtful.contains(index) { return ChatHeader(text: line) }
    guard let (name, time) = lines.dashes[index] ?? (lines.allowsDatesOnly ? nameBesideDay(line) : nil) else {
      // A forwarded text is read as a message of its own, and so is the sender's text that continues below it.
      let isEdge = line == "Forwarded" || lines.nonBlank(above: index).map(lines.isSource) ?? false
      return isEdge ? ChatHeader(text: line, isContinued: true) : nil
    }
    if !name.isEmpty, !name.hasPrefix(roleIcon) { return ChatHeader(author: withoutTag(name), time: time) }
    return nameAbove(lines, index).map { ChatHeader(author: $0.name, time: time, linesAbove: $0.count) }
  }

  /// Parts of a line around its last dash, U+2014 or U+2013; nil without one. First tests bytes, which is faster.
  static func nameBesideDash(_ line: Substring) -> (name: Substring, time: Substring)? {
    guard line.utf8.contains(where: { $0 == 0x94 || $0 == 0x93 }), line.utf8.contains(0xE2),
      let dash = line.unicodeScalars.lastIndex(where: { $0 == "—" || $0 == "–" })
    else { return nil }
    return (ChatText.trimmed(line[..<dash]), line[line.unicodeScalars.index(after: dash)...])
  }

  private static func nameBesideDay(_ line: Substring) -> (name: Substring, time: ChatTime)? {
    nameBesideDash(line).flatMap { name, text in ChatTime(day: text).map { (name, $0) } }
  }

  private static func telegramHeader(_ line: Substring) -> ChatHeader? {
    guard line.utf8.contains(UInt8(ascii: "[")), let bracket = line.lastIndex(of: "["),
      let end = line[bracket...].firstIndex(of: "]"), line[..<bracket].hasSuffix(", ")
    else { return nil }
    let (date, rest) = (line[bracket..<end].dropFirst(), line[end...].dropFirst())
    // Telegram for macOS ends the header with a colon.
    let text = rest.first == ":" ? rest.dropFirst() : rest
    if let time = ChatTime(date) {
      return ChatHeader(author: line[..<bracket].dropLast(2), time: time, text: text)
    }
    // A date in words that cannot be read: the sender is unknown.
    return text.isEmpty && date.contains(":") && date.contains(where: \.isNumber) ? ChatHeader() : nil
  }

  private static func slackHeader(_ lines: ChatLines, _ index: Int) -> ChatHeader? {
    let line = lines[index]
    let text = ChatText.trimmed(line)
    if isAge(text), let above = nameAbove(lines, index) {
      return ChatHeader(author: above.name, linesAbove: above.count)
    }
    if let gap = text.range(ofLast: "  "), isAge(text[gap.upperBound...]) {
      return ChatHeader(author: withoutTag(text[..<gap.lowerBound]))
    }
    guard text.utf8.suffix(12).contains(where: { $0.isASCIIDigit || $0 > 0x7F }),
      text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    if let (name, time) = nameBesideTime(text) {
      let above = isTag(name) ? nameAbove(lines, index) : nil
      return ChatHeader(author: above?.name ?? name, time: time, linesAbove: above?.count ?? 0)
    }
    if let time = ChatTime(text.first == "[" ? text.dropFirst().dropLast() : text) {
      // The name is above. Below a row or an empty line the sender is that of the previous message.
      if lines.mayFollowName(index), index > 0, !lines.isBlank(index - 1),
        let above = nameAbove(lines, index), ShareTextParser.row(above.name) == nil
      {
        return ChatHeader(author: above.name, time: time, linesAbove: above.count)
      }
      return ChatHeader(time: time, isContinued: true)
    }
    return nil
  }

  /// `5 minutes ago`, `< 1 minute ago`
  private static func isAge(_ text: Substring) -> Bool {
    text == "just now"
      || text.hasSuffix(" ago") && text.utf8.count <= 20 && text.contains(where: \.isNumber)
  }

  /// `Ann  8:14 AM`, `Ann [8:14 AM]`
  static func nameBesideTime(_ text: Substring) -> (name: Substring, time: ChatTime)? {
    let hasDate = ChatTime(text)?.hasDate == true
    for separator in ["  ", " ["] {
      // `Ann, [8:14]` is a header of Telegram.
      guard let range = text.range(ofLast: separator), !text[..<range.lowerBound].hasSuffix(",") else {
        continue
      }
      var clock = text[range.upperBound...]
      if separator == " [" {
        guard clock.last == "]" else { continue }
        clock = clock.dropLast()
      }
      // `Mar 12, 2022  8:14:11 AM` has no name.
      if let time = ChatTime(clock), time.hasDate || !hasDate {
        return (withoutTag(text[..<range.lowerBound]), time)
      }
    }
    return nil
  }

  private static func signalHeader(_ line: Substring) -> ChatHeader? {
    let text = ChatText.trimmed(line)
    guard text.prefix(5).lowercased() == "from:" else { return nil }
    return ChatHeader(author: text.dropFirst(5))
  }

  private static let labels: Set<String> = [
    "body", "message", "result", "score", "subject", "text", "today", "yesterday",
  ]

  private static func labeledHeader(_ line: Substring) -> ChatHeader? {
    guard line.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "w") }), let colon = line.firstIndex(of: ":"),
      line[..<colon].count <= 80, !line.contains(">")
    else { return nil }
    let text = line[line.index(after: colon)...]
    guard ShareTextParser.title(text) != nil else { return nil }
    let name = ChatText.trimmed(line[..<colon])
    let bare = name.drop { "*_~`".contains($0) }
    guard bare.contains(where: \.isLetter), !labels.contains(bare.lowercased()),
      ChatTime("\(bare) 00:00")?.hasDate != true
    else { return nil }
    // Keeps the opening star of bold text, which may be closed after the result.
    return ChatHeader(author: bare, text: name[..<bare.startIndex] + " " + text)
  }

  private static func nameAbove(_ lines: ChatLines, _ index: Int) -> (name: Substring, count: Int)? {
    guard var above = lines.nonBlank(above: index) else { return nil }
    while isTag(lines[above]), let next = lines.nonBlank(above: above) { above = next }
    let name = withoutTag(lines[above])
    return name.isEmpty || ["—", "–"].contains(name) ? nil : (name, index - above)
  }

  private static func withoutTag(_ name: Substring) -> Substring {
    let name = ChatText.trimmed(name)
    if let role = name.range(ofLast: roleIcon), role.lowerBound > name.startIndex {
      return withoutTag(name[..<role.lowerBound])
    }
    for tag in tags where name.hasSuffix(" \(tag)") { return name.dropLast(tag.count + 1) }
    // The emoji of a status: `Ann  :palm_tree:`.
    if let emoji = emojiName(atEndOf: name), emoji != name {
      return ChatText.trimmed(name[..<emoji.startIndex])
    }
    // `Ann [ABC], ` has a server tag, which some copies repeat: `Ann [ABC], Server Tag: ABCABC`. `Ann [ABC]` is a name.
    guard let bracket = name.lastIndex(of: "["), bracket > name.startIndex,
      let end = name[bracket...].range(ofLast: "],")
    else { return name }
    let (server, rest) = (name[bracket..<end.lowerBound].dropFirst(), name[end.upperBound...])
    return rest.isEmpty || rest.hasSuffix(server) ? ChatText.trimmed(name[..<bracket]) : name
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
