import JSON
import System

/// A game as statistics and comparisons know it: without its letters.
struct PlayedGame: Equatable, Sendable {
  /// Wordle's own number of the game.
  let id: Int
  let date: CalendarDay
  let result: GameResult
}

extension PlayedGame {
  /// Reads a score, and of its words only what tells how it ended: of many games, this is what takes the time.
  init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    id = try members["id"].int
    date = try CalendarDay(members["date"])
    let word = members["word"]
    if word.kind != .string { _ = try word.string }
    var count = 0
    var last: JSON?
    for one in try members["tries"].array {
      count += 1
      last = one
    }
    guard let last else {
      result = .failed
      return
    }
    let isFound = try last.isWritten(like: word) ? true : GameResult.isSame(last.string, word.string)
    result = GameResult(tries: count, isFound: isFound)
  }
}

extension CalendarDay {
  init(_ json: JSON) throws(Failure) {
    let plain = json.withRawBytes { bytes in
      bytes.byteCount == 12 ? CalendarDay(utf8: bytes.extracting(1..<11)) : nil
    }
    if let plain {
      self = plain
      return
    }
    let text = try json.string
    guard let day = CalendarDay(text) else {
      throw json.invalid("expected a day like 2022-03-08, found '\(text)'")
    }
    self = day
  }
}
