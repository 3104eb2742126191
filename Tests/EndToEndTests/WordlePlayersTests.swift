import Foundation
import JSON
import TestSupport
import Testing

/// What is passed on: share texts to others, theirs to compare with.
@Suite(.ownThread) struct WordlePlayers {
  /// Each player of a comparison with the number of games.
  static func played(_ ending: Ending) throws -> [String] {
    try ending.json()["players"].array.map { try "\($0["name"].string) \($0["played"].int)" }
  }

  @Test func playersAreKeptComparedAndForgotten() throws {
    let home = try Home()
    func hw(_ line: String) throws -> Ending { try shell(line, in: home, environment: ["HW_URL": nil]) }
    let chat = "Ann: Wordle 264 2/6*\\n\\n⬜🟨⬜⬜⬜\\n🟩🟩🟩🟩🟩\\nwow\\nWordle 263 X/6\\n"
    #expect(
      try hw("printf '\(chat)' | hw wordle import --player Ann --tsv --no-header").output
        == "264\t2/6\ttrue\tAnn\n263\tX/6\tfalse\tAnn\n")
    let compared = "hw wordle compare --json"
    #expect(
      try hw(compared).output == #"""
        {"players":[{"name":"you","played":2,"wins":1,"ties":0,"mean":3.5},\#
        {"name":"Ann","played":2,"wins":1,"ties":0,"mean":2}],\#
        "games":[{"id":264,"results":{"you":"3/6","Ann":"2/6"},"best":["Ann"]},\#
        {"id":263,"results":{"you":"4/6","Ann":"X/6"},"best":["you"]}]}

        """#)
    let file =
      "hw wordle scores --json | hw wordle import --player Ben >/dev/null; hw wordle share 262 | hw wordle import --player Cy >/dev/null; hw wordle compare --json"
    #expect(try Self.played(hw(file)) == ["you 3", "Ann 2", "Ben 3", "Cy 1"])
    let games = try hw("hw wordle compare --limit 1 --sort id --json").json()["games"]
    #expect(try games.array.map { try $0["id"].int } == [262])
    for name in ["Ann", "Ben", "Cy"] { #expect(try hw("hw wordle delete --player \(name)").status == 0) }
    #expect(try hw(compared).json()["games"].array.isEmpty)
  }
}
