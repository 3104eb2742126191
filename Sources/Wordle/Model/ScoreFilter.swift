import System

/// Which scores are wanted: those of a period, of games that were solved or were not.
struct ScoreFilter: Sendable {
  enum Outcome: Sendable { case any, solved, failed }

  var period = Period()
  var outcome = Outcome.any

  var includesAll: Bool { period.isEverything && outcome == .any }

  func includes(_ score: Score) -> Bool {
    guard period.contains(score.date) else { return false }
    return switch outcome {
    case .any: true
    case .solved: score.isSolved
    case .failed: !score.isSolved
    }
  }
}
