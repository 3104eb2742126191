import Command
import HTTP
import JSON
import System

/// The contract of the service, for `hw check`.
extension Wordle {
  static var checks: [Check] {
    // The service sends an object with a list; its documentation says a list.
    let scores = Check(
      "the scores", "/scores",
      expects: .either([.object(["scores": .list(promised)]), .list(promised)]))
    return [
      scores,
      Check(
        "a score by its number", after: scores, explained: "/scores/ID of the first score",
        { answer throws(Failure) in
          let list = answer.kind == .array ? answer : answer["scores"]
          return "/scores/\(try list[0]["id"].int)"
        }, expects: promised),
      Check("an unknown score", "/scores/999999999", status: 404, type: nil, expects: nil),
    ]
  }

  private static let promised = Contract.object([
    "id": .int(), "date": .text("a day like 2022-03-08") { CalendarDay($0) != nil }, "word": .string,
    "tries": .list(.string),
  ])
}
