import System

/// From one day to another, both of them included.
struct Period: Sendable {
  var since: CalendarDay?
  var until: CalendarDay?

  var isEverything: Bool { since == nil && until == nil }

  func contains(_ day: CalendarDay) -> Bool {
    since.map { $0 <= day } ?? true && until.map { day <= $0 } ?? true
  }
}
