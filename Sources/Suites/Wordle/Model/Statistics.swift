import JSON
import System

struct Statistics: Equatable, Sendable {
  var played = 0
  var solved = 0
  /// Consecutive games solved up to the newest one. `asOf` returns the streak of a day.
  var currentStreak = 0
  var longestStreak = 0
  /// Numbers of games solved with 1 to 6 tries.
  var distribution = [Int](repeating: 0, count: Score.mostTries)
  /// The result of the newest game; `newestGame` is its number.
  var newest: GameResult?
  var newestGame: Int?

  /// Accepts games in any order. The last result of a number counts. Games after `latest` are in no streak.
  init(_ games: some Sequence<(id: Int, result: GameResult)>, upTo latest: Int = .max) {
    for (id, result) in Statistics.inOrder(Array(games)) where result != .unfinished {
      played += 1
      if let tries = result.tries {
        solved += 1
        if distribution.indices.contains(tries - 1) { distribution[tries - 1] += 1 }
      }
      guard id <= latest else { continue }
      // A day without a game ends a streak. The sum cannot overflow: it adds to the smaller number.
      if let newestGame, newestGame + 1 != id { currentStreak = 0 }
      newest = result
      newestGame = id
      currentStreak = result.tries == nil ? 0 : currentStreak + 1
      longestStreak = max(longestStreak, currentStreak)
    }
  }

  /// Returns the statistics on the day of game `today`. The current streak is 0 unless the newest game is of yesterday,
  /// today or tomorrow: time zones to the east already have the next day.
  func asOf(_ today: Int) -> Statistics {
    guard let newestGame, newestGame < today - 1 || newestGame > today + 1 else { return self }
    var statistics = self
    statistics.currentStreak = 0
    return statistics
  }

  /// Sorts by number. Most services send the newest first, which needs no sorting.
  private static func inOrder(_ games: [(id: Int, result: GameResult)]) -> [(id: Int, result: GameResult)] {
    if zip(games, games.dropFirst()).allSatisfy({ $0.id > $1.id }) { return games.reversed() }
    return Dictionary(games.map { ($0.id, $0.result) }) { $1 }.sorted { $0.key < $1.key }
      .map { (id: $0.key, result: $0.value) }
  }

  var failed: Int { played - solved }

  /// A whole number, as Wordle shows it; nil without games.
  var solvedPercent: Int? { played == 0 ? nil : Int((100 * Double(solved) / Double(played)).rounded()) }

  /// Mean number of tries, nil without games. A lost game counts seven.
  var mean: Double? {
    guard played > 0 else { return nil }
    // Floating-point: a service's counts may overflow integers.
    let tries = distribution.enumerated().reduce(0.0) { $0 + Double($1.offset + 1) * Double($1.element) }
    return (tries + Double(Score.mostTries + 1) * Double(failed)) / Double(played)
  }

  /// A mean in a table: `3.50`, or a dash for nil.
  static func shown(_ mean: Double?) -> String { mean?.fixed(2) ?? "-" }

  // MARK: JSON of `hw serve`

  /// Fails for negative and contradictory counts.
  init(_ json: JSON) throws(Failure) {
    self.init([])
    played = try json["played"].int(in: 0 ... .max)
    solved = try json["solved"].int(in: 0...played)
    longestStreak = try json["longestStreak"].int(in: 0...solved)
    currentStreak = try json["currentStreak"].int(in: 0...longestStreak)
    var left = solved
    for index in distribution.indices {
      distribution[index] = try json["distribution"][index].int(in: 0...left)
      left -= distribution[index]
    }
    guard left == 0 else {
      throw json["distribution"].invalid("expected \(solved) solved games, found \(solved - left)")
    }
    if played > 0 { newest = try newest(json["newest"]) }
    newestGame = try json["newestGame"].orNull?.int
  }

  private func newest(_ json: JSON) throws(Failure) -> GameResult {
    let tries = try json.orNull?.int(in: 1...Score.mostTries)
    let hasSuchGame =
      tries.map { distribution[$0 - 1] > 0 && currentStreak > 0 } ?? (failed > 0 && currentStreak == 0)
    guard hasSuchGame else { throw json.invalid("expected the result of one of the games") }
    return tries.map(GameResult.solved) ?? .failed
  }

  var json: String {
    let object = JSONWriter.object { writer in
      writer.member("played", played)
      writer.member("solved", solved)
      writer.member("currentStreak", currentStreak)
      writer.member("longestStreak", longestStreak)
      writer.array("distribution") { writer in
        for count in distribution { writer.integer(count) }
      }
      writer.member("newest", newest?.tries)
      if let newestGame { writer.member("newestGame", newestGame) }
    }
    return String(decoding: object, as: UTF8.self)
  }
}
