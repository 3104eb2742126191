import Output
import System

/// Which scores are wanted, and in which order.
struct ScoreSelection: Sendable {
  enum Outcome: Sendable { case any, solved, failed }

  var period = Period()
  var outcome = Outcome.any
  /// Nil for the newest first.
  var sort: SortOrder?
  var limit: Int?

  /// How many of the newest scores are enough to choose from; nil for all.
  var enough: Int? { isPicky || sort != nil ? nil : limit }

  private var isPicky: Bool { !period.isEverything || outcome != .any }

  /// `scores` stand with the newest first.
  func choose(from scores: [Score]) -> [Score] {
    var chosen = scores
    if isPicky { chosen.removeAll { !isWanted($0) } }
    if let sort { chosen = sort.sorted(chosen) { ScoreSelection.cell(of: $0, sort.field) } }
    return Array(chosen.prefix(limit ?? .max))
  }

  private func isWanted(_ score: Score) -> Bool {
    guard period.contains(score.date) else { return false }
    return switch outcome {
    case .any: true
    case .solved: score.isSolved
    case .failed: !score.isSolved
    }
  }

  static let sortable = ["id", "date", "word", "result"]

  /// What a score is sorted by; a game that was not solved comes after all that were.
  private static func cell(of score: Score, _ field: String) -> Cell {
    switch field {
    case "id": .integer(Int64(score.id))
    case "date": .text(score.date.description)
    case "word": .text(score.word)
    default: .integer(Int64(score.result.tries ?? Score.mostTries + 1))
    }
  }
}
