import System

/// The message that Discord's own Wordle app sends each morning: the results of the day before, without rows.
///
///     Here are yesterday's results:
///     👑 3/6: @Ann @Bob
///     X/6: <@1234>
enum DailySummary {
  private static let author = "wordle"

  /// The results in a summary; empty for other messages. The name is nil if the user is unknown or ambiguous.
  static func results(in message: ChatMessage) -> [(index: Int, result: GameResult, name: String?)] {
    guard message.author.map({ PlayerName.key(String($0.prefix { $0 != "#" })) == author }) ?? true else {
      return []
    }
    return message.lines.enumerated().flatMap { index, line in
      results(line, message).map { (index, $0, $1) }
    }
  }

  private static func results(_ line: Substring, _ message: ChatMessage) -> [(GameResult, String?)] {
    let text = line.unicodeScalars.drop { !ChatText.isWord($0) }
    guard text.count > 4, let result = text.first.flatMap(GameResult.init(letter:)),
      String(text.dropFirst()).hasPrefix("/6:")
    else { return [] }
    return String(text.dropFirst(4)).replacing("<@", with: " @").split(by: " @").compactMap { part in
      guard let name = ChatMessage.name(part) else { return nil }
      guard name.last == ">" else {
        return (result, message.users.name(of: name, mentioned: message.mentioned))
      }
      let id = name.dropLast().drop { $0 == "!" }
      return (result, message.users.names[String(id)])
    }
  }
}
