import System

/// Text formats of chats. The format with the most headers counts, because people paste lines of other chats.
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
  case labeled

  /// The messages of a text. Without headers the text is one message without a sender.
  static func messages(_ lines: [Substring]) -> [ChatMessage] {
    var counts: [ChatFormat: Int] = [:]
    let chat = ChatLines(lines)
    for index in lines.indices {
      // The beginning of a long chat determines its format.
      if index > 20_000, !counts.isEmpty { break }
      for format in allCases where format.header(chat, index)?.author != nil {
        counts[format, default: 0] += 1
      }
    }
    // `labeled` counts only if no other format has headers.
    let most = counts.filter { $0.key != .labeled }.values.max() ?? 0
    guard let format = allCases.first(where: { (counts[$0] ?? 0) >= max(1, most) }) else {
      return [ChatMessage(nil, lines: lines, at: ChatPlace(.line, 1))]
    }
    return format.messages(chat)
  }

  private func messages(_ chat: ChatLines) -> [ChatMessage] {
    let lines = chat.all
    var messages: [ChatMessage] = []
    var (header, start) = (ChatHeader(), -1)
    var author: Substring?
    func add(until end: Int) {
      // The lines before the first header are a message without a sender.
      let hasText = start >= 0 && !header.text.isEmpty
      let first = hasText ? start : start + 1
      guard first < end else { return }
      var text = lines[first..<end]
      if hasText { text[first] = header.text }
      let isForwarded = isForward(text, chat)
      for index in text.indices where isAnnotation(text[index]) { text[index] = "" }
      if let end = text.firstIndex(where: isEnd) { text = text[..<end] }
      messages.append(
        ChatMessage(
          author.map(String.init), header.time, lines: Array(text),
          at: ChatPlace(.line, text.startIndex + 1), isForwarded: isForwarded))
    }
    for index in lines.indices {
      guard let next = self.header(chat, index) ?? otherHeader(chat, index) else { continue }
      add(until: index - next.linesAbove)
      if !next.isContinued { author = next.author }
      let time = next.isContinued ? header.time : next.time
      (header, start) = (next, index)
      header.time = time
    }
    add(until: lines.count)
    return messages
  }

  /// A header of another format: of another chat in the file, or quoted in a message. The sender is unknown, since the
  /// two cannot be distinguished.
  private func otherHeader(_ chat: ChatLines, _ index: Int) -> ChatHeader? {
    // A time has a separator or a digit or word of another script. Most emoji begin with other bytes than these.
    let mayHaveTime = chat[index].utf8.contains {
      ":.[".utf8.contains($0) || 0xD8...0xE1 ~= $0 || $0 >= 0xE3 && $0 < 0xF0
    }
    guard mayHaveTime else { return nil }
    for format in ChatFormat.allCases where format != self && format != .labeled {
      guard let header = format.header(chat, index), header.author != nil, header.time?.mayBeDuration != true
      else { continue }
      return chat.isSource(index) ? nil : ChatHeader(text: header.text, linesAbove: header.linesAbove)
    }
    return nil
  }

  /// Whether a program added the line: a tag of the sender or of the member who is answered, or an attached file.
  private func isAnnotation(_ line: Substring) -> Bool {
    let line = ChatText.trimmed(line)
    return switch self {
    case .discord, .slack: ChatFormat.isTag(line) || line == "Image"
    case .telegram: line.first == "[" && line.last == "]"
    // `IMG-20240302.jpg (file attached)` is above a caption.
    case .whatsApp:
      line.prefix { $0 != " " }.suffix(5).dropLast(2).contains(".")
        && line.drop { $0 != " " }.hasPrefix(" (") && line.last == ")"
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

  /// Whether a message ends with the source of a forwarded text, or begins with a word that is above such a text.
  private func isForward(_ text: ArraySlice<Substring>, _ chat: ChatLines) -> Bool {
    let lines = text.lazy.map(ChatText.trimmed).filter { !$0.isEmpty }
    guard let first = lines.first else { return false }
    return switch self {
    case .discordExporter: first == "{Forwarded Message}"
    case .slack: lines.contains { $0.hasSuffix("| View message") }
    case .discord: first == "Forwarded" || chat.nonBlank(above: text.endIndex).map(chat.isSource) ?? false
    // `[ Photo ]` is above a caption, and other words than these are above a forwarded text.
    case .telegram:
      first.first == "[" && first.last == "]" && first.contains(" ") && !first.hasPrefix("[ ")
        && !ChatFormat.replies.contains { first.lowercased().hasPrefix("[\($0)") }
    default: false
    }
  }

  private static let replies = [
    "in reply", "svar till", "antwort", "als antw", "in antw", "en respuesta", "en réponse", "in risposta",
    "em resposta", "в ответ", "у відповідь", "w odpowiedzi", "yanıt", "در پاسخ", "رد", "답장", "返信", "回",
  ]
}
