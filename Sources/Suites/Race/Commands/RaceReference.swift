import Command
import System

/// Race of the history, as an operand names it.
enum RaceReference: Equatable, Sendable {
  case number(Int)
  case latest

  init?(_ text: String) {
    if text == "latest" {
      self = .latest
    } else if text.utf8.allSatisfy(\.isASCIIDigit), let id = Int(text), id > 0 {
      self = .number(id)
    } else {
      return nil
    }
  }

  func id(in history: RaceHistory) throws(Failure) -> Int {
    switch self {
    case .number(let id): id
    case .latest: try history.latest()
    }
  }
}

extension ValueKind where Value == RaceReference {
  static var raceReference: ValueKind {
    ValueKind(
      "ID", expects: "a whole number, 1 or more, or 'latest'", completion: .words(Race.raceIDs)
    ) { RaceReference($0) }
  }
}

extension Race {
  static let raceIDs = WordSource {
    context, _ throws(Failure) in
    let races = try context.readableRaceHistory().entries()
    guard !races.isEmpty else { return [] }
    return [Choice("latest", "the latest race")]
      + races.map { race in
        let day = context.time.local(race.started).day
        return Choice("\(race.id)", race.winner.map { "\(day), won by \($0)" } ?? "\(day)")
      }
  }
}
