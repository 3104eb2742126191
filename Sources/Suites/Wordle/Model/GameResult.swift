import System

/// How a game ended.
enum GameResult: Hashable, Sendable {
  case solved(Int)
  case failed

  /// The service validates nothing: a last try that is not the word is a lost or unfinished game, and so is one that took
  /// more tries than there are.
  init(tries: Int, isFound: Bool) {
    self = isFound && tries <= Score.mostTries ? .solved(tries) : .failed
  }

  init(_ tries: [String], of word: String) {
    self.init(tries: tries.count, isFound: tries.last.map { GameResult.isSame($0, word) } ?? false)
  }

  static func isSame(_ a: String, _ b: String) -> Bool { a == b || a.lowercased() == b.lowercased() }

  /// `4`, or `X` for a game that was not solved.
  var mark: String { tries.map { "\($0)" } ?? "X" }

  /// Returns nil for a byte that is not a mark.
  init?(mark: UInt8) {
    switch mark {
    case UInt8(ascii: "X"): self = .failed
    case UInt8(ascii: "1")...UInt8(ascii: "6"): self = .solved(Int(mark - UInt8(ascii: "0")))
    default: return nil
    }
  }

  /// `4/6`, or `X/6` for a game that was not solved.
  var text: String { "\(mark)/6" }

  /// The number of tries; nil for a game that was not solved.
  var tries: Int? {
    if case .solved(let tries) = self { tries } else { nil }
  }

  /// The first line of a share text: `Wordle 1,281 4/6`.
  static func title(of id: Int, _ result: GameResult) -> String { "Wordle \(grouped(id)) \(result.text)" }

  /// With a comma between thousands, as Wordle writes the number of a game.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}

extension GameResult: Comparable {
  /// The better result is the smaller one: fewer tries, and a failed game comes last.
  static func < (a: GameResult, b: GameResult) -> Bool { (a.tries ?? .max) < (b.tries ?? .max) }
}

/// A period of days; both ends are included.
struct Period: Sendable {
  var since: CalendarDay?
  var until: CalendarDay?

  var isEverything: Bool { since == nil && until == nil }

  func contains(_ day: CalendarDay) -> Bool {
    since.map { $0 <= day } ?? true && until.map { day <= $0 } ?? true
  }

  /// Whether the day of a game is in the period, for games that are known by their number alone.
  func contains(game id: Int) -> Bool {
    since.map { $0.wordle <= id } ?? true && until.map { id <= $0.wordle } ?? true
  }
}

extension CalendarDay {
  /// The day of a game, by its number.
  init(wordle id: Int) { self.init(daysSinceEpoch: CalendarDay.ofWordle0 + id) }

  /// The number of the game of this day.
  var wordle: Int { daysSinceEpoch - CalendarDay.ofWordle0 }

  /// 2021-06-19.
  private static let ofWordle0 = 18_797
}
