/// How a game ended.
enum GameResult: Hashable, Sendable {
  case solved(Int)
  case failed

  /// `4/6`, or `X/6` for a game that was not solved.
  var text: String {
    switch self {
    case .solved(let tries): "\(tries)/6"
    case .failed: "X/6"
    }
  }

  /// Nil for a game that was not solved.
  var tries: Int? {
    if case .solved(let tries) = self { tries } else { nil }
  }

  /// The first line of a share text: `Wordle 1,281 4/6`.
  static func title(of id: Int, _ result: GameResult) -> String { "Wordle \(grouped(id)) \(result.text)" }

  /// With commas, as Wordle writes its numbers since they have four digits.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}

extension GameResult: Comparable {
  /// The better one first: fewer tries, and any before none.
  static func < (a: GameResult, b: GameResult) -> Bool { (a.tries ?? .max) < (b.tries ?? .max) }
}
