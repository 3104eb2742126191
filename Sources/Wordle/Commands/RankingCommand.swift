import Command
import Output
import System

extension Wordle {
  static let rankedBy = Option(
    "rank-by", .choice, default: Ranking.Order.mean, "Rank by mean, solved games or streak")
  static let rankedPeriod = Option(
    "period", .choice, default: RankingPeriod.all, "Count games of this period")

  static let ranking = Command(
    "ranking", "Rank the players",
    discussion: """
      Ranks the account, with the share texts of 'hw wordle import --me', and all imported players. The mean is that \
      of the guesses of solved games. A streak is current if it includes the game of today or yesterday; it counts all \
      games, regardless of --period.
      """,
    options: [rankedBy, rankedPeriod, tokenFile],
    output: .list(Ranking.Place.self, order: "by rank"),
    needs: [.network, .store],
    examples: [
      Example("hw wordle ranking --demo", "by the mean of all games"),
      Example("hw wordle ranking --rank-by streak", "by the longest current streak"),
      Example("hw wordle ranking --period week --json", "the last seven days as JSON"),
    ]
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
    case .mean: "the fewest guesses per solved game first"
    case .solved: "the most solved games first"
    case .streak: "the longest current streak first"
    }
  }
}

extension RankingPeriod: ChoiceValue {
  var meaning: String {
    switch self {
    case .week: "the last seven days, including today"
    case .month: "the last thirty days"
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
