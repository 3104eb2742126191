import Command
import Output
import System

extension Wordle {
  static let rankedBy = Option("rank-by", .choice, default: Ranking.Order.mean, "What the rank depends on")
  static let rankedPeriod = Option("period", .choice, default: RankingPeriod.all, "Which games count")

  static let ranking = Command(
    "ranking", "Rank the players",
    discussion: """
      The account with the share texts that were imported as one's own, and every player whose share texts were imported. \
      The mean counts the tries of the games that were solved; a streak is current if it includes today's or yesterday's \
      game, and counts all games, whatever the period.
      """,
    options: [rankedBy, rankedPeriod, tokenFile],
    output: .list(Ranking.Place.self, order: "by rank"),
    needs: [.network, .store],
    examples: [
      Example("hw wordle ranking --demo", "by the mean of all games"),
      Example("hw wordle ranking --rank-by streak", "who has the longest streak"),
      Example("hw wordle ranking --period week --json", "the last seven days, for a program"),
    ],
    failures: [.storage, .invalidData]
  ) { call, context throws(Failure) in
    let kept = try Players(context.localData(of: service)).all()
    let (own, invalid) = try account(context)
    let players = withAccount(own, kept)
    let today = context.today
    let ranking = Ranking(players, call[rankedBy], in: call[rankedPeriod].period(today), today: today.wordle)
    try context.output.write(ranking.places)
    if let invalid { throw invalid }
  }

  /// The account's player, with what --me kept, before the others.
  static func withAccount(_ own: Player, _ kept: [Player]) -> [Player] {
    let mine = kept.first { PlayerName.key($0.name) == you }
    return [own.adding(mine)] + kept.filter { PlayerName.key($0.name) != you }
  }
}

extension Ranking.Order: ChoiceValue {
  var meaning: String {
    switch self {
    case .mean: "the fewest tries for a solved game"
    case .solved: "the most games solved"
    case .streak: "the longest current streak"
    }
  }
}

extension RankingPeriod: ChoiceValue {
  var meaning: String {
    switch self {
    case .week: "the games of the last seven days, today's included"
    case .month: "those of the last thirty days"
    case .all: "all games"
    }
  }

  func period(_ today: CalendarDay) -> Period {
    switch self {
    case .week: .last(7, upTo: today)
    case .month: .last(30, upTo: today)
    case .all: Period()
    }
  }
}
