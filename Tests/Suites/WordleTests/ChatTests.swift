import System
import Testing

@testable import Wordle

private let solved = "🟩🟩🟩🟩🟩"
private let absent = "⬛⬛⬛⬛⬛"

private func read(_ text: String) throws -> ShareTextReader {
  try ShareTextReader(MemorySource(text.utf8, chunk: 11))
}

@Suite struct Chats {
  @Test(
    arguments: [
      ("[12/03/22, 12:03] Ann: Wordle 264 2/6", "Ann"),
      ("[12.03.22, 12:03:11] Ann B.: Wordle 264 2/6", "Ann B."),
      ("\u{200E}[12/03/2022, 12:03:11\u{202F}PM] +49 170 1: Wordle 264 2/6", "+49 170 1"),
      ("[2022-03-12 12:03] Ann: Wordle 264 2/6", "Ann"), ("12/03/22, 12:03 - Ann: Wordle 264 2/6", "Ann"),
      ("12.03.22, 12:03 – Ann: Wordle 264 2/6", "Ann"), ("3/12/22, 9:03 AM - Ann: Wordle 264 2/6", "Ann"),
      ("Ann — 12:03\nWordle 264 2/6", "Ann"), ("Ann — Today at 12:03 PM\nWordle 264 2/6", "Ann"),
      ("Ann — 03/12/2022 12:03\nhello\nWordle 264 2/6", "Ann"), ("Ann\n — \n", nil),
      ("Ann\n — Today at 12:03\nWordle 264 2/6", "Ann"),
      ("[12-Mar-22 12:03 PM] Ann#1234\nWordle 264 2/6", "Ann#1234"), ("From: Ann\n\nWordle 264 2/6", "Ann"),
      ("Ann: Wordle 264 2/6", "Ann"), ("Ann: *Wordle* 264 2/6", "Ann"), ("Wordle 264 2/6", nil),
      ("note to myself: buy milk\nWordle 264 2/6", nil), ("I won — again\nWordle 264 2/6", nil),
      ("Ann — round 7\nWordle 264 2/6", nil), ("Ann — 12:03 or so\nWordle 264 2/6", nil),
      ("Ann — \(String(repeating: "x", count: 40)) 12:03\nWordle 264 2/6", nil),
      ("[1] Ann: x\nWordle 264 2/6", nil), ("> From: Ann\nWordle 264 2/6", "Ann"),
      ("Ann\n\n — Today at 12:03\nWordle 264 2/6", "Ann"), ("A: Wordle 264 2/6", "A"),
      ("12/03/22, 12:03 - Ann: hello\nWordle 264 2/6", "Ann"), ("Ann — 9:05\nWordle 264 2/6", "Ann"),
      // Names of one character at least, with a letter or a digit.
      ("From:\nWordle 264 2/6", nil), ("…: Wordle 264 2/6", nil),
      // What the chat itself tells ends the message before it.
      ("12/03/22, 12:03 - Ann: hi\n12/03/22, 12:04 - Ben joined\nWordle 264 2/6", nil),
      // No time, or not where a chat writes it.
      ("at 12:03] Ann: Wordle 264 2/6", nil), ("see you 12:03 - Ben: Wordle 264 2/6", nil),
      ("12 apples - Ben: Wordle 264 2/6", "12 apples - Ben"), ("Ann — :123\nWordle 264 2/6", nil),
      ("Ann — 12:3\nWordle 264 2/6", nil), ("Ann — 1:x5\nWordle 264 2/6", nil),
      ("Ann — 1:5x5\nWordle 264 2/6", nil), ("Ann — x:05\nWordle 264 2/6", nil),
      // A message whose sender has no name.
      ("Ann — 12:03\n[12/03/22, 12:04] …\nWordle 264 2/6", nil), ("…\n — 12:03\nWordle 264 2/6", nil),
      ("Ann\n🟩 — 12:03\nWordle 264 2/6", nil),
    ])
  func senderOfMessageAsEachProgramWritesIt(text: String, name: String?) throws {
    let shares = try read(text).shares
    #expect(shares.allSatisfy { $0.sender == name })
    #expect(shares.count == (text.contains("Wordle") ? 1 : 0))
  }

  @Test func aNameHasAtMost80Characters() throws {
    for length in [80, 81] {
      let name = String(repeating: "A", count: length)
      #expect(try read("\(name): Wordle 264 2/6").shares.first?.sender == (length == 80 ? name : nil))
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
    #expect(reader.broken == [BrokenShare(line: 7, reason: "Wordle 264 4/6 has 1 row")])
    let read = Import(reader.shares, broken: reader.broken, .bySender(me: "ANN", you: "you"))
    #expect(read.games.map(\.player) == ["you", "you"])
    #expect(read.games.map(\.game.id) == [264, 265])
    #expect(read.problems.map(\.line) == [7, 13])
    #expect(read.problems[1].reason.hasPrefix("Wordle 265 stands there as 1/6 and as X/6"))
    let all = Import(reader.shares, broken: [], .to("Zoe"))
    #expect(all.players.map(\.name) == ["Zoe"])
    #expect(all.players[0].games.map(\.id) == [264, 265])
  }

  /// Anybody in a chat can choose the name that means one's own games here.
  @Test(arguments: [(nil, ["Bob"]), ("bob", ["you"]), ("YOU", ["you", "Bob"])] as [(String?, [String])])
  func aSenderWithMyNameIsAskedAbout(me: String?, players: [String]) throws {
    let text = "[13/03/22, 12:03] You: Wordle 283 X/6\n[13/03/22, 12:03] Bob: Wordle 283 2/6\n"
    let imported = Import(try read(text).shares, broken: [], .bySender(me: me, you: "you"))
    #expect(imported.players.map(\.name) == players)
    let reason = "the sender is called 'You', which is your own name here; import it with --me or --player"
    #expect(imported.problems == (players.count == 2 ? [] : [BrokenShare(line: 1, reason: reason)]))
  }

  @Test func gameWithoutSenderIsUnassignedOrMine() throws {
    let shares = try read("Wordle 1 1/6\nWordle 1 2/6").shares
    let nobody = Import(shares, broken: [], .bySender(me: nil, you: "you"))
    #expect(nobody.games.map(\.player) == [nil, nil])
    #expect(nobody.players.isEmpty && nobody.problems.isEmpty)
    #expect(Import(shares, broken: [], .bySender(me: "x", you: "you")).players.map(\.name) == ["you"])
  }

  @Test(
    arguments: [
      ("*Wordle 264 2/6*", false), ("*Wordle 264 2/6**", true), ("**Wordle 264 2/6**", false),
      ("**Wordle 264 2/6***", true), ("Wordle 264 *2/6*", false), ("Wordle 264 **2/6**", false),
      ("_Wordle 264 2/6_", false), ("*Wordle* 264 2/6*", true), ("*Ann:* Wordle 264 2/6*", true),
      ("*Ann: Wordle 264 2/6*", false), ("[12/03/22, 12:03] Ann: *Wordle 264 2/6*", false),
      ("Wordle 264 2/6*", true), ("Wordle *264* 2/6", false),
    ])
  func markersOfBoldTextAreNoHardMode(line: String, isHard: Bool) throws {
    let share = try #require(try read(line).shares.first)
    #expect((share.game.id, share.game.result, share.game.isHard) == (264, .solved(2), isHard))
  }

  /// A time of at most forty bytes, before a message or after the name.
  @Test(arguments: [(35, "Ann"), (36, nil)] as [(Int, String?)])
  func aTimeIsShort(count: Int, sender: String?) throws {
    let padding = String(repeating: "x", count: count)
    for text in ["12:03\(padding) - Ann: Wordle 264 2/6", "Ann — \(padding)12:03\nWordle 264 2/6"] {
      let share = try #require(try read(text).shares.first)
      #expect(share.sender == sender, "\(text)")
    }
  }

  @Test func ofTwoEqualResultsTheOneWithRowsIsKept() {
    func share(_ rows: [[Tile]], _ line: Int, _ result: GameResult = .solved(1), of sender: String = "Ann")
      -> ChatShare
    {
      ChatShare(game: SharedGame(id: 1, result: result, rows: rows), sender: sender, line: line)
    }
    let (title, whole) = (share([], 1), share([[.correct]], 2, of: "ANN"))
    for shares in [[title, whole], [whole, title]] {
      let read = Import(shares, broken: [], .bySender(me: nil, you: "you"))
      #expect(read.games.map(\.game.rows) == [[[.correct]]] && read.problems.isEmpty)
    }
    let broken = [BrokenShare(line: 9, reason: "x")]
    let read = Import(
      [title, share([], 5, .failed), share([], 6, of: "Ben")], broken: broken, .bySender(me: nil, you: "you"))
    #expect(read.problems.map(\.line) == [5, 9])
    #expect(read.players.map(\.name) == ["Ann", "Ben"])
    #expect(read.games.map(\.game.result) == [.solved(1), .solved(1)])
  }
}
