import JSON
import System

/// What a row of games adds up to.
struct Statistics: Equatable, Sendable {
  var played = 0
  var solved = 0
  /// Games solved one after the other, by Wordle's numbers, up to the newest game that was played.
  var currentStreak = 0
  var longestStreak = 0
  /// How many games were solved with 1, 2, … 6 tries.
  var distribution = [Int](repeating: 0, count: Score.mostTries)
  /// How the newest game ended.
  var newest: GameResult?

  /// Any order will do; a number that stands twice counts as it is given last.
  init(_ games: some Sequence<(id: Int, result: GameResult)>) {
    var before: Int?
    for (id, result) in Statistics.inOrder(Array(games)) {
      played += 1
      let follows = before.map { id - 1 == $0 } ?? false
      before = id
      switch result {
      case .solved(let tries):
        solved += 1
        if distribution.indices.contains(tries - 1) { distribution[tries - 1] += 1 }
        currentStreak = follows ? currentStreak + 1 : 1
      case .failed: currentStreak = 0
      }
      longestStreak = max(longestStreak, currentStreak)
      newest = result
    }
  }

  /// By number. As a rule they stand in that order already, the newest first, and nothing is to be sorted.
  private static func inOrder(
    _ games: [(id: Int, result: GameResult)]
  ) -> [(id: Int, result: GameResult)] {
    if zip(games, games.dropFirst()).allSatisfy({ $0.id > $1.id }) { return games.reversed() }
    return Dictionary(games.map { ($0.id, $0.result) }) { $1 }.sorted { $0.key < $1.key }
      .map { (id: $0.key, result: $0.value) }
  }

  var failed: Int { played - solved }

  /// Rounded to a whole number, as Wordle shows it; nil without a game.
  var solvedPercent: Int? {
    played == 0 ? nil : Int((100 * Double(solved) / Double(played)).rounded())
  }

  /// Tries for a game that was solved; nil without one.
  var mean: Double? {
    guard solved > 0 else { return nil }
    let tries = distribution.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
    return (100 * Double(tries) / Double(solved)).rounded() / 100
  }

  /// A mean as a person reads it: `3.50`, or a dash where there is none.
  static func shown(_ mean: Double?) -> String {
    guard let mean else { return "-" }
    let hundredths = Int((100 * mean).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}

/// As our own service sends it, which adds up by itself.
extension Statistics {
  init(_ json: JSON) throws(Failure) {
    self.init([])
    played = try json["played"].int
    solved = try json["solved"].int
    currentStreak = try json["currentStreak"].int
    longestStreak = try json["longestStreak"].int
    for place in distribution.indices { distribution[place] = try json["distribution"][place].int }
    if played > 0 {
      newest = try json["newest"].orNull.map { json throws(Failure) in .solved(try json.int) } ?? .failed
    }
  }

  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      for (name, count) in [
        ("played", played), ("solved", solved), ("currentStreak", currentStreak),
        ("longestStreak", longestStreak),
      ] {
        writer.member(name, count)
      }
      writer.array("distribution") { writer in
        for count in distribution { writer.integer(count) }
      }
      writer.member("newest", newest?.tries)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
