import Command
import System

enum ScoreReference: Equatable, Sendable {
  case number(Int)
  case latest

  func score(_ client: WordleClient) throws(Failure) -> Score {
    switch self {
    case .number(let id): try client.score(id)
    case .latest: try client.latestScore()
    }
  }
}

extension ValueKind where Value == ScoreReference {
  static var scoreReference: ValueKind {
    ValueKind(
      "ID", expects: "a whole number, 0 or more, or 'latest'"
    ) { text in
      if text == "latest" { return .latest }
      guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
      return Int(text).map(ScoreReference.number)
    }
  }
}

extension ValueKind where Value == Int {
  /// The number of a score to delete. Invalid scores can have negative numbers.
  static var anyScoreID: ValueKind {
    ValueKind("ID", expects: "a whole number") { text in
      text.utf8.drop { $0 == UInt8(ascii: "-") }.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
  }
}
