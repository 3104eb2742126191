import System
import Testing

@testable import Wordle

private let solved = "🟩🟩🟩🟩🟩"
private let absent = "⬛⬛⬛⬛⬛"

private func read(_ text: String) throws -> ChatReading {
  try ChatFile.read(MemorySource(text.utf8, chunk: 11), today: 1000)
}

@Suite struct Chats {
  @Test func nameHasAtMost256Characters() throws {
    for length in [256, 257] {
      let reading = try read("[12/03/22, 12:03] \(String(repeating: "A", count: length)): Wordle 264 2/6")
      #expect((reading.shares.count, reading.broken.count) == (length == 256 ? (1, 0) : (0, 1)))
    }
  }

  @Test func everyShareIsItsSendersAndTheBrokenAreNamed() throws {
    let chat = """
      [12/03/22, 12:00] Messages are end-to-end encrypted
      [12/03/22, 12:03] Ann: Wordle 264 2/6

      \(absent)
      \(solved)
      [12/03/22, 12:04] Ben: wow
      [12/03/22, 12:05] Ben: Wordle 264 4/6

      \(absent)
      [12/03/22, 12:06] Cy: \(absent)
      [12/03/22, 12:07] Ann: Wordle 265 1/6
      \(solved)
      [12/03/22, 12:08] ann: Wordle 265 X/6
      [12/03/22, 12:09] Ann: Wordle 265 1/6
      """
    let reader = try read(chat)
    #expect(reader.shares.map(\.sender) == ["Ann", "Ann", "ann", "Ann"])
    #expect(reader.broken == [BrokenShare(place: ChatPlace(.line, 7), reason: "Wordle 264 4/6 has 1 row")])
    let read = Import(reader.shares, broken: reader.broken, me: "ANN")
    #expect(read.games.map(\.player) == ["you", "you"])
    #expect(read.games.map(\.game.id) == [264, 265])
    #expect(
      read.problems.map(\.text) == [
        "line 7: Wordle 264 4/6 has 1 row",
        "line 13: Wordle 265 of 'you' is X/6, and 1/6 in line 11, which counts",
      ])
    #expect(read.repeated == 1)
    let all = Import(reader.shares, broken: [], player: "Zoe")
    #expect(all.games.map(\.player) == ["Zoe", "Zoe"] && all.games.map(\.game.id) == [264, 265])
  }

  /// Anybody in a chat can choose the name that means one's own games here.
  @Test(arguments: [(nil, ["Bob"]), ("bob", ["you"]), ("YOU", ["you", "Bob"])] as [(String?, [String])])
  func aSenderWithMyNameIsAskedAbout(me: String?, players: [String]) throws {
    let text = "[13/03/22, 12:03] You: Wordle 283 X/6\n[13/03/22, 12:03] Bob: Wordle 283 2/6\n"
    let imported = Import(try read(text).shares, broken: [], me: me)
    #expect(imported.games.map(\.player) == players)
    let reason = "the sender is called 'You', which is your own name here; import it with --me or --player"
    #expect(
      imported.problems
        == (players.count == 2 ? [] : [BrokenShare(place: ChatPlace(.line, 1), reason: reason)]))
  }

  @Test func gameWithoutSenderIsUnassignedOrMine() throws {
    let shares = try read("Wordle 1 1/6\nWordle 1 2/6").shares
    let nobody = Import(shares, broken: [])
    #expect(nobody.games.map(\.player) == [nil, nil])
    #expect(nobody.problems.isEmpty)
    #expect(Import(shares, broken: [], me: "x").games.map(\.player) == ["you"])
    let chat = try read("Bob, [25.11.2022 21:04]\nWordle 1 1/6\nAnn, [25 (x) 21:04]\nWordle 2 2/6").shares
    let mine = Import(chat, broken: [], me: "bob")
    #expect(mine.games.map(\.player) == ["you"])
    let reason = "the sender is unknown; import it alone, with --me or --player"
    #expect(mine.problems == [BrokenShare(place: ChatPlace(.line, 4), reason: reason)])
  }

  @Test(arguments: [("ΝΙΚΟΣ", "Νικος"), ("A❤\u{FE0F}", "a❤"), ("Straße", "STRASSE")])
  func namesThatDifferInCaseOrPresentationAreOnePlayer(name: String, other: String) {
    #expect(PlayerName.key(name) == PlayerName.key(other))
  }

  @Test func ofTwoEqualResultsTheOneWithRowsIsKept() {
    func share(_ rows: [[Tile]], _ line: Int, _ result: GameResult = .solved(1), of sender: String = "Ann")
      -> ChatShare
    {
      ChatShare(
        game: SharedGame(id: 1, result: result, rows: rows), sender: sender, place: ChatPlace(.line, line))
    }
    let (title, whole) = (share([], 1), share([[.correct]], 2, of: "ANN"))
    for shares in [[title, whole], [whole, title]] {
      let read = Import(shares, broken: [])
      #expect(read.games.map(\.game.rows) == [[[.correct]]] && read.problems.isEmpty)
    }
    let broken = [BrokenShare(place: ChatPlace(.line, 9), reason: "x")]
    let read = Import([title, share([], 5, .failed), share([], 6, of: "Ben")], broken: broken)
    #expect(read.problems.map(\.place.number) == [5, 9])
    #expect(read.games.map(\.player) == ["Ann", "Ben"])
    #expect(read.games.map(\.game.result) == [.solved(1), .solved(1)])
    // Rows count more than being first.
    let later = Import([title, share([[.absent], [.correct]], 2, .solved(2))], broken: [])
    #expect(later.games.map(\.game.result) == [.solved(2)] && later.problems.map(\.place.number) == [1])
  }
}
