import System
import Testing

@testable import Wordle

private let solved = "🟩🟩🟩🟩🟩"
private let absent = "⬛⬛⬛⬛⬛"

private func read(_ text: String) throws -> ChatReading {
  try ChatFile.read(MemorySource(text.utf8, chunk: 11), today: 1000)
}

@Suite struct Chats {
  /// The sender of `Wordle 264 2/6`, which `W` stands for.
  @Test(
    arguments: [
      ("[12/03/22, 12:03] Ann: W", "Ann"), ("[12.03.22, 12:03:11] Ann B.: W", "Ann B."),
      ("\u{200E}[12/03/2022, 12:03:11\u{202F}PM] +49 170 1: W", "+49 170 1"),
      ("[2022-03-12 12:03] Ann: W", "Ann"), ("12/03/22, 12:03 - Ann: W", "Ann"),
      ("12.03.22, 12:03 – Ann: W", "Ann"), ("3/12/22, 9:03 AM - Ann: W", "Ann"),
      ("12/3/22 8.14 - Ann: W", "Ann"), ("[12.3.2022 klo 8.14.11] Ann: W", "Ann"),
      ("12-03-2022 08:14 - Ann: W", "Ann"), ("2022/3/12 上午8:14 - Ann: W", "Ann"),
      ("08:14, 12/3/22 - Ann: W", "Ann"), ("[١٢/٣/٢٠٢٢، ٨:١٤:١١ ص] Ann: W", "Ann"),
      ("12/3/22, 8:14 p. m. - Ann: W", "Ann"), ("2022. 3. 12. 오전 8:14 - Ann: W", "Ann"),
      ("[2022-03-12 08 h 14] Ann: W", "Ann"), ("12/03/22, 12:03 - Ann/Bob: W", "Ann/Bob"),
      ("12/03/22, 12:03 - 🐝: W", "🐝"), ("12/03/22, 12:03 - Ann 4/6: W", "Ann 4/6"),
      ("12/03/22, 12:03 - Ann | she/her: W", "Ann | she/her"), ("12/03/22, 12:03 - Ann [X]: W", "Ann [X]"),
      ("12/03/22, 12:03 - ~ Ann: W", "Ann"), ("[12/03/22, 12:03:11] ~\u{202F}Ann: W", "Ann"),
      ("12/03/22, 12:03 - Hurdle 3 4/6: W", "Hurdle 3 4/6"), ("12/03/22, 12:03 - …: W", "…"),
      ("12/03/22, 12:03 - \u{200B}: W", nil),
      ("Ann — 12:03\nW", "Ann"), ("Ann — Today at 12:03 PM\nW", "Ann"),
      ("Tom/Eva — heute um 08:14 Uhr\nW", "Tom/Eva"),
      ("Ann — 12/03/2022 12:03\nW", "Ann"), ("Ann\n — Today at 12:03\nW", "Ann"),
      ("Ann\nAPP\n — 12:03\nW", "Ann"),
      ("Ann\n[ABC]\n — 12:03\nW", "Ann"), ("Ann\n[:3]\nOP\n — 12:03\nW", "Ann"),
      ("Ann\n — \n12:03\nW", "Ann"), ("Ann\nRole icon, Moderator\n — 12:03\nW", "Ann"),
      ("Ann\nI'm new here, say hi!\n — 12:03\nW", "Ann"),
      ("Ben — 12:02\nhi\nAnn\n — \nYesterday at 12:03\nW", "Ann"), ("Ann [ABC],  — 12:03\nW", "Ann"),
      ("Ann  :palm_tree:  12:03 PM\nW", "Ann"), ("Ann\nAPP  12:03 PM\nW", "Ann"),
      ("Ann\n  gestern um 12:03 Uhr\nW", "Ann"),
      ("12/03/22, 12:03 - +49\u{A0}170 1: W", "+49 170 1"),
      ("Ann APP — 12:03\nW", "Ann"), ("Ann — 12:03\nAPP\nW", "Ann"), ("🟩\n — 12:03\nW", "🟩"),
      ("Ann — Bob — 12:03\nW", "Ann — Bob"), ("Ann — 12:03\nhi\n[12:04]\nW", "Ann"),
      ("Ann — 12:03\nhi\n[12:04 PM] W", "Ann"), ("Ann\n\n — Today at 12:03\nW", "Ann"),
      ("Ann — i går kl. 08.14\nW", "Ann"),
      ("[12-Mar-22 12:03 PM] Ann#1234\nW", "Ann#1234"), ("[12/03/2022 12:03] Ann (pinned)\nW", "Ann"),
      ("[12/03/2022 12:03] Ann\n\n[12/03/2022 12:03] Bob: the builder\nW", "Bob: the builder"),
      ("[12:03] Ann: W", "Ann"), ("[12:03 PM]Ann: W", "Ann"),
      ("Ann, [12.03.2022 12:03]\nW", "Ann"), ("Ann, Bob, [12.03.22 12:03]\n[In reply to Zoe]\nW", "Ann, Bob"),
      ("Ann\n  12:03 PM\nW", "Ann"), ("Ann\n:palm_tree:  12:03 PM\nW", "Ann"),
      ("Ann\nAPP\n  12:03\nW", "Ann"), ("Ann  12:03 PM\nW", "Ann"),
      ("Ann [12:03 PM]\nW", "Ann"), ("Bob\n  12:03\nhi\nAnn\n  12:04\nyes\n12:05\nW", "Ann"),
      ("Ann  1:58 PM\nhello\n2:00\nW", "Ann"), ("Ann\n9:10 AM\nhello\n9:11\nW", "Ann"),
      ("Ann\n — \n12:02\nhi\n[12:03]\nW", "Ann"),
      ("Bob\n — \n12:02\nhi\nNews  •  Yesterday at 4:04 PM\nAnn\n — \n12:03\nW", "Ann"),
      ("Ann\n\nOP\n — 24/12/2024 06:09\nW", "Ann"), ("Ann:g0v:  2:02 PM\nW", "Ann"),
      ("Ann\n:palm_tree:\n  9:15 AM\nW", "Ann"),
      ("From: Ann\n\nW", "Ann"), ("Ann: W", "Ann"), ("Ann: *W*", "Ann"), ("W", nil),
      ("A: W", "A"), ("12 apples - Ben: W", "12 apples - Ben"),
      // Text of a message that resembles a header of another program.
      ("[12/03/22, 12:03] Ann: hi\n[12/03/22, 12:04] Ann: Ben — 12:03\n[12/03/22, 12:05] Cy: W", "Cy"),
      ("12/03/22, 12:03 - Ann: hi\n12/03/22, 12:04 - Ann: W\nBen — 12:03", nil),
    ] as [(String, String?)])
  func senderOfMessageAsEachProgramWritesIt(text: String, name: String?) throws {
    let shares = try read(text.replacing("W", with: "Wordle 264 2/6")).shares
    #expect(shares.map(\.sender) == (text.contains("\nBen —") ? [] : [name]))
  }

  /// They are no headers: the text has no sender, and the title does not stand alone.
  @Test(
    arguments: [
      "note to myself: buy milk", "I won — again", "Ann — round 7", "Ann — 12:03 or so", "[1] Ann: x",
      "see you 12:03 - Ben: hi", "at 12:03] Ann: x", "Ann — :123", "Ann — 12:3", "Ann — 1:x5",
      "Ann — 12.03.22",
      "12.03.2022 - Ann: x", "lunch at 12:03", "Ann, [12]",
    ])
  func textIsNoHeader(text: String) throws {
    let reading = try read("\(text)\nWordle 264 1/6\n\(solved)")
    #expect(reading.shares.map(\.sender) == [nil])
  }

  /// In older exports the app has a number behind its name.
  @Test(arguments: ["Wordle", "wordle", "Wordle#2092"])
  func summaryCountsForTheDayBefore(app: String) throws {
    let text = "[02-Mar-24 12:00 AM] \(app)\nHere are yesterday's results:\n👑 4/6: @cy @dee\nX/6: @eli"
    let shares = try read(text).shares
    #expect(shares.map(\.sender) == ["cy", "dee", "eli"] && Set(shares.map(\.game.id)) == [986])
    #expect(try read(text.replacing(app, with: "Bob")).shares.isEmpty)
  }

  @Test func messageOfTheChatItselfEndsTheOneBefore() throws {
    let text = "12/03/22, 12:03 - Ann: hi\n12/03/22, 12:04 - Ben joined\nWordle 264 1/6\n\(solved)"
    #expect(try read(text).shares.map(\.sender) == [nil])
  }

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
    #expect(
      reader.broken == [BrokenShare(place: ChatPlace(.line, 7), reason: "Wordle 264 4/6 has 1 row")])
    let read = Import(reader.shares, broken: reader.broken, .bySender(me: "ANN", you: "you"))
    #expect(read.games.map(\.player) == ["you", "you"])
    #expect(read.games.map(\.game.id) == [264, 265])
    #expect(
      read.problems.map(\.text) == [
        "line 7: Wordle 264 4/6 has 1 row",
        "line 13: Wordle 265 of 'you' is X/6, and 1/6 in line 11, which counts",
      ])
    #expect(read.repeated == 1)
    let all = Import(reader.shares, broken: [], .to("Zoe"))
    #expect(all.games.map(\.player) == ["Zoe", "Zoe"] && all.games.map(\.game.id) == [264, 265])
  }

  /// Anybody in a chat can choose the name that means one's own games here.
  @Test(arguments: [(nil, ["Bob"]), ("bob", ["you"]), ("YOU", ["you", "Bob"])] as [(String?, [String])])
  func aSenderWithMyNameIsAskedAbout(me: String?, players: [String]) throws {
    let text = "[13/03/22, 12:03] You: Wordle 283 X/6\n[13/03/22, 12:03] Bob: Wordle 283 2/6\n"
    let imported = Import(try read(text).shares, broken: [], .bySender(me: me, you: "you"))
    #expect(imported.games.map(\.player) == players)
    let reason = "the sender is called 'You', which is your own name here; import it with --me or --player"
    #expect(
      imported.problems
        == (players.count == 2 ? [] : [BrokenShare(place: ChatPlace(.line, 1), reason: reason)]))
  }

  @Test func gameWithoutSenderIsUnassignedOrMine() throws {
    let shares = try read("Wordle 1 1/6\nWordle 1 2/6").shares
    let nobody = Import(shares, broken: [], .bySender(me: nil, you: "you"))
    #expect(nobody.games.map(\.player) == [nil, nil])
    #expect(nobody.problems.isEmpty)
    #expect(Import(shares, broken: [], .bySender(me: "x", you: "you")).games.map(\.player) == ["you"])
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

  @Test func ofTwoEqualResultsTheOneWithRowsIsKept() {
    func share(_ rows: [[Tile]], _ line: Int, _ result: GameResult = .solved(1), of sender: String = "Ann")
      -> ChatShare
    {
      ChatShare(
        game: SharedGame(id: 1, result: result, rows: rows), sender: sender, place: ChatPlace(.line, line))
    }
    let (title, whole) = (share([], 1), share([[.correct]], 2, of: "ANN"))
    for shares in [[title, whole], [whole, title]] {
      let read = Import(shares, broken: [], .bySender(me: nil, you: "you"))
      #expect(read.games.map(\.game.rows) == [[[.correct]]] && read.problems.isEmpty)
    }
    let broken = [BrokenShare(place: ChatPlace(.line, 9), reason: "x")]
    let read = Import(
      [title, share([], 5, .failed), share([], 6, of: "Ben")], broken: broken, .bySender(me: nil, you: "you"))
    #expect(read.problems.map(\.place.number) == [5, 9])
    #expect(read.games.map(\.player) == ["Ann", "Ben"])
    #expect(read.games.map(\.game.result) == [.solved(1), .solved(1)])
    // Rows count more than being first.
    let later = Import(
      [title, share([[.absent], [.correct]], 2, .solved(2))], broken: [], .bySender(me: nil, you: "you"))
    #expect(later.games.map(\.game.result) == [.solved(2)] && later.problems.map(\.place.number) == [1])
  }
}
