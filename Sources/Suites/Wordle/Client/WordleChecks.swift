import Command
import HTTP
import JSON
import System

extension Wordle {
  static var checks: [Check] {
    let scores = Check("the scores", "/scores") { json throws(Failure) in
      let list = ScoreList<Score>.elements(json)
      for score in try list.array { _ = try Score(score) }
    }
    return [
      scores,
      Check(
        "a score by its number", after: scores, explained: "/scores/ID of the first score",
        { json throws(Failure) in
          try Array(ScoreList<Score>.elements(json).array).first.map { score throws(Failure) in
            "/scores/\(try score["id"].int)"
          }
        }, read: { json throws(Failure) in _ = try Score(json) }),
      Check("an unknown score", "/scores/999999999", status: 404, type: nil, read: nil),
    ]
  }
}
