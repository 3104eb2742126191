enum GameResult: Hashable, Sendable {
  case solved(Int)
  case failed
  case unfinished

  init(_ tries: [String], of word: String) {
    let isFound = tries.last.map { Letters.areSame($0, word) } ?? false
    let count = tries.count
    self = isFound && count <= Score.mostTries ? .solved(count) : .failed
    if !isFound, count < Score.mostTries { self = .unfinished }
  }

  /// `4`, `X` for a lost game, or `-` for an unfinished one.
  var mark: String { tries.map { "\($0)" } ?? (self == .failed ? "X" : "-") }

  init?(mark: UInt8) {
    switch mark {
    case UInt8(ascii: "X"): self = .failed
    case UInt8(ascii: "-"): self = .unfinished
    case UInt8(ascii: "1")...UInt8(ascii: "6"): self = .solved(Int(mark - UInt8(ascii: "0")))
    default: return nil
    }
  }

  /// `4`, `X` or `x` in a share text.
  init?(letter: Unicode.Scalar) {
    guard letter != "-", letter.isASCII else { return nil }
    self.init(mark: letter == "x" ? UInt8(ascii: "X") : UInt8(ascii: letter))
  }

  /// `4/6`, `X/6` for a lost game, or `unfinished`.
  var text: String { self == .unfinished ? "unfinished" : "\(mark)/6" }

  var tries: Int? { if case .solved(let tries) = self { tries } else { nil } }

  /// The first line of a share text: `Wordle 1,281 4/6`.
  static func title(of id: Int, _ result: GameResult) -> String { "Wordle \(grouped(id)) \(result.mark)/6" }

  /// Separates thousands with commas, as Wordle does in numbers of games.
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
  /// A better result is smaller. A failed game is the largest.
  static func < (a: GameResult, b: GameResult) -> Bool { (a.tries ?? .max) < (b.tries ?? .max) }
}
