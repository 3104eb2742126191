import System

struct Period: Sendable {
  var since: CalendarDay?
  var until: CalendarDay?

  var isEverything: Bool { since == nil && until == nil }

  func contains(_ day: CalendarDay) -> Bool {
    since.map { $0 <= day } ?? true && until.map { day <= $0 } ?? true
  }

  /// For games that are known only by their number.
  func contains(game id: Int) -> Bool {
    since.map { $0.wordle <= id } ?? true && until.map { id <= $0.wordle } ?? true
  }
}

extension CalendarDay {
  init(wordle id: Int) { self.init(daysSinceEpoch: CalendarDay.ofWordle0 + id) }

  var wordle: Int { daysSinceEpoch - CalendarDay.ofWordle0 }

  private static let ofWordle0 = 18_797
}
