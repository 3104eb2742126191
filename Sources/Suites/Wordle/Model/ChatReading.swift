/// A game in a chat: a share text, or a result in a daily summary.
struct ChatShare: Equatable, Sendable {
  var game: SharedGame
  var sender: String?
  var account: String?
  var place: ChatPlace
}

/// A game that is not imported: its text has an error, or its sender is unknown.
struct BrokenShare: Equatable, Sendable {
  var place: ChatPlace
  var reason: String

  var text: String { "\(place): \(reason)" }
}

/// The share texts of a chat, and texts that resemble them.
struct ChatReading: Sendable {
  private(set) var shares: [ChatShare] = []
  private(set) var broken: [BrokenShare] = []
  private(set) var skipped = SkippedShares()

  /// `today` is the number of today's game. Time zones to the east already have the next one.
  init(_ messages: [ChatMessage], today: Int) {
    let order = ChatTime.order(of: messages.lazy.compactMap(\.time))
    let senders = Set(Set(messages.compactMap(\.author)).map(PlayerName.key))
    for message in messages {
      if addSummary(DailySummary(message: message, senders: senders), order) { continue }
      for (index, finding) in ShareTextParser(message).findings {
        let place = message.place(index)
        switch finding {
        case .share(let game) where game.id > today + 1: skipped.add(.future, message.lines[index], place)
        case .share(let game):
          add(ChatShare(game: game, sender: message.author, account: message.account, place: place))
        case .broken(let reason): broken.append(BrokenShare(place: place, reason: reason))
        case .skipped(let reason): skipped.add(reason, message.lines[index], place)
        }
      }
    }
  }

  /// Games without senders, from a file of scores.
  init(_ scores: [Score], today: Int) {
    for (index, score) in scores.enumerated() {
      let place = ChatPlace(.score, index + 1)
      let reason: SkipReason? =
        score.isUnfinished ? .unfinished : score.isInitial ? .initial : score.id > today + 1 ? .future : nil
      if let reason {
        skipped.add(reason, "Wordle \(score.id)", place)
      } else {
        shares.append(ChatShare(game: SharedGame(score), sender: nil, place: place))
      }
    }
  }

  private mutating func add(_ share: ChatShare) {
    if let sender = share.sender, sender.count > PlayerName.longest {
      let reason = "the name of the sender has more than \(PlayerName.longest) characters"
      broken.append(BrokenShare(place: share.place, reason: reason))
    } else {
      shares.append(share)
    }
  }

  /// Adds the results of a daily summary. Returns false for a message that can contain share texts.
  private mutating func addSummary(_ summary: DailySummary, _ order: ChatTime.Order?) -> Bool {
    let (message, results) = (summary.message, summary.results)
    let game = message.time?.day(order).map { $0.wordle - 1 }
    for (index, result, name) in results {
      let reason: SkipReason? =
        !summary.isGenuine ? .quoted : (game ?? -1) < 0 ? .undated : name == nil ? .unnamed : nil
      if let reason {
        skipped.add(reason, message.lines[index], message.place(index))
      } else if let game {
        let share = SharedGame(id: game, result: result, rows: [])
        add(ChatShare(game: share, sender: name, place: message.place(index)))
      }
    }
    return !results.isEmpty && summary.isGenuine
  }
}

struct SkippedShares: Equatable, Sendable {
  private(set) var entries: [SkipReason: Entry] = [:]

  struct Entry: Equatable, Sendable {
    var count = 0
    var first: String
    var place: ChatPlace
  }

  var count: Int { entries.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ reason: SkipReason, _ line: Substring, _ place: ChatPlace) {
    let first = String(ChatText.trimmed(line).prefix(80))
    entries[reason, default: Entry(first: first, place: place)].count += 1
  }

  var lines: [String] {
    SkipReason.allCases.compactMap { reason in
      entries[reason].map { "skipped \($0.count): \(reason.rawValue), first in \($0.place): '\($0.first)'" }
    }
  }
}
