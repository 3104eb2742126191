import System

/// The message that Discord's own Wordle app sends each morning: the results of the day before, without rows.
///
///     Here are yesterday's results:
///     👑 3/6: @Ann @Bob
///     X/6: <@1234>
struct DailySummary {
  /// The id of the app, which may have a nickname.
  static let id = "1211781489931452447"

  let message: ChatMessage
  /// Keys of the names of all senders.
  let senders: Set<String>

  var isGenuine: Bool {
    message.isWordleApp
      ?? message.author.map { PlayerName.key(String($0.prefix { $0 != "#" })) == "wordle" } ?? true
  }

  /// The results in a summary, also in a copy of it. The name is nil if the user is unknown or ambiguous.
  var results: [(index: Int, result: GameResult, name: String?)] {
    var results: [(index: Int, result: GameResult, name: String?)] = []
    var isSummary = isGenuine
    for (index, line) in message.lines.enumerated() where line.utf8.contains(UInt8(ascii: ":")) {
      // The results of a day that is not over follow in the next summary.
      if line.contains("today's results:") { return [] }
      let isHeading = line.contains("yesterday's results:")
      isSummary = isSummary || isHeading
      let parts = isSummary ? line.replacing("/6*:", with: "/6:").split(by: "/6:") : []
      // A heading may have all results behind its words. Other words before a result make the line text.
      guard let head = parts.first?.dropLast(),
        isHeading && results.isEmpty || !head.unicodeScalars.contains(where: ChatText.isWord)
      else { continue }
      for (at, mentions) in parts.enumerated().dropFirst() {
        guard let result = parts[at - 1].unicodeScalars.last.flatMap(GameResult.init(letter:)) else { break }
        // The last character is the next result.
        let mentions = at == parts.count - 1 ? mentions : String(mentions.dropLast())
        results += names(in: mentions).map { (index, result, $0) }
      }
    }
    return results
  }

  private func names(in mentions: String) -> [String?] {
    // The app escapes what Markdown would read.
    var parts = mentions.replacing("\\", with: "").replacing("<@", with: " @").split(by: " @")[...]
    var names: [String?] = []
    while !parts.isEmpty {
      // Names may contain " @": the longest known one counts.
      let known = (1...min(8, parts.count)).last { count in
        let name = parts.prefix(count).joined(separator: " @")
        return message.users.contains(name) || senders.contains(PlayerName.key(name))
      }
      let part = parts.prefix(known ?? 1)
      parts = parts.dropFirst(part.count)
      guard let name = ChatMessage.name(part.joined(separator: " @")) else { continue }
      if name.last == ">" {
        names.append(message.users.names["Discord \(name.dropLast().drop { $0 == "!" })"])
      } else {
        // Members who left have these names.
        let hasLeft = known == nil && ["Unknown", "unknown-user"].contains(name)
        names.append(hasLeft ? nil : message.users.name(of: name, mentioned: message.mentioned))
      }
    }
    return names
  }
}
