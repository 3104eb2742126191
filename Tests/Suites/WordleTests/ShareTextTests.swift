import System
import Testing

@testable import Wordle

private let row = (absent: "⬛⬛⬛⬛⬛", mixed: "🟨⬛🟨⬛⬛", solved: "🟩🟩🟩🟩🟩")

private func read(_ text: String) throws -> ChatReading {
  try ChatFile.read(MemorySource(text.utf8, chunk: 7), today: 2_000_000)
}

private func games(_ text: String) throws -> [SharedGame] { try read(text).shares.map(\.game) }

@Suite struct ShareTexts {
  @Test func areWrittenExactly() throws {
    let day = try #require(CalendarDay("2022-03-27"))
    let score = Score(id: 281, date: day, word: "nymph", tries: ["train", "ponds", "blume", "nymph"])
    #expect(
      SharedGame(score).text(TileColors()) == """
        Wordle 281 4/6

        ⬛⬛⬛⬛🟨
        🟨⬛🟨⬛⬛
        ⬛⬛⬛🟨⬛
        🟩🟩🟩🟩🟩
        """)
    #expect(SharedGame(score).text(TileColors(.highContrast)).hasSuffix("⬛⬛⬛🟦⬛\n🟧🟧🟧🟧🟧"))
    var lost = score
    lost.id = 1281
    lost.tries = ["train"]
    #expect(SharedGame(lost).text(TileColors()) == "Wordle 1,281 -/6\n\n⬛⬛⬛⬛🟨")
  }

  @Test(
    "Numbers have a comma from a thousand on",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-999, "-999"), (-1000, "-1,000"),
    ])
  func grouped(number: Int, text: String) {
    #expect(GameResult.grouped(number) == text)
  }

  /// A number has at most seven digits, and a result a slash; anything else is talk.
  @Test(
    arguments: [
      ("Wordle 1,234,567 2/6", 1_234_567), ("Wordle 12,345,678 2/6", nil), ("Wordle 281 2x6", nil),
      ("Wordle 281 2/7", nil), ("Wordle 281 7/6", nil), ("Wordle 281 0/6", nil), ("Wordle 281 2/61", nil),
      ("Wordle 281 2/6.", 281), ("Wordle 281 2/6*", 281), ("Wordle . 2/6", nil),
    ] as [(String, Int?)])
  func firstLines(line: String, number: Int?) throws {
    let text = "\(line)\n\n\(row.mixed)\n\(row.solved)\n"
    let found = try? games(text)
    #expect(found?.first?.id == number, "\(String(describing: found))")
  }

  @Test func shareTextIsReadAsWritten() throws {
    for score in SampleScores(seed: 7).scores {
      let game = SharedGame(score)
      #expect(try games(game.text(TileColors())) == [game])
      #expect(try games(game.text(TileColors(.highContrast))) == [game])
    }
  }

  @Test(
    arguments: [
      ("Wordle 281 2/6", 281, "2/6", false), ("Wordle 1,281 2/6*", 1281, "2/6", true),
      ("Wordle 1.281 2/6", 1281, "2/6", false), ("Wordle 1 281 2/6", 1281, "2/6", false),
      ("Wordle 1\u{202F}281 2/6", 1281, "2/6", false), ("wordle #281 2/6", 281, "2/6", false),
      ("Ann: Wordle 281 2/6", 281, "2/6", false),
      ("[27.03.22, 08:15] Ann: Wordle 281 2/6.", 281, "2/6", false),
      ("Wordle 281 2/6<br>", 281, "2/6", false), ("Wordle 281 X/6", 281, "X/6", false),
      ("Wordle 281 x/6*", 281, "X/6", true), ("Wordle 1’281 2/6", 1281, "2/6", false),
      ("#Wordle 281 2/6", 281, "2/6", false), ("🎉 Wordle 1,000 🎉 2/6 😭", 1000, "2/6", false),
      ("Wordle 1,000 :tada: 2/6 :sob:", 1000, "2/6", false), ("||Wordle 281 2/6||", 281, "2/6", false),
      ("`Wordle 281 2/6`", 281, "2/6", false), ("Wordle 281 2/6 (edited)", 281, "2/6", false),
      ("Wordle 281 2/6 <Diese Nachricht wurde bearbeitet>", 281, "2/6", false),
      ("```\nWordle 281 2/6\n```", 281, "2/6", false), ("Wordle 0 2/6", 0, "2/6", false),
    ])
  func titlesAsPeoplePasteThem(line: String, id: Int, result: String, isHard: Bool) throws {
    let game = try #require(try games(line).first)
    #expect((game.id, game.result.text, game.isHard) == (id, result, isHard))
    #expect(game.rows.isEmpty)
  }

  @Test(
    arguments: [
      "Hardle 281 2/6", "Crosswordle 281 2/6", "Wordle 281 7/6", "Wordle 281 0/6", "Wordle 2/6",
      "Wordle x 2/6",
      "Wordle 281 2/60", "Wordle 12345678 2/6", "I love Wordle", "\(row.solved)", "Wordle 281 2/",
      "Wordle 281 2x6/", "Wordle 2 #23", "Wordle 12.3.22 2/6", "Wordle 281 3 4/6", "Wordle 281-2/6",
      "Wordle2812/6",
      "> Wordle 281 2/6", "Spanish Wordle 281 2/6", "Wordle (ES) 281 2/6", "Wordle-ES 281 2/6",
      "WordleBot 281 2/6", "@Bob Wordle 281 2/6", "Wordle 281 2/6 phew", "Wordle 281 2/6\nphew",
      "I am glad that Dee had\nWordle 281 2/6", "cannot believe Dee had Wordle 300 2/6 yesterday",
      "Wordle 1,28 2/6", "Wordle 1,2811 2/6", "Wordle 1234,567 2/6", "Wordle 281 2/6 of what",
      ">>> so\nWordle 281 2/6",
    ])
  func linesThatAreNone(line: String) throws {
    #expect(try games(line).isEmpty)
    #expect(try read(line).broken.isEmpty)
  }

  /// The first line of what is skipped is named with its reason.
  @Test(
    arguments: [
      ("> Wordle 281 2/6", .quoted, 1), ("hi\nSpanish Wordle 281 2/6\n🟩🟩🟩🟩🟩", .otherGame, 2),
      ("Wordle 281 1/6\n🟩🟩🟩🟩", .otherGame, 1), ("Wordle 281 1/6\n🟩🟩🟩🟩🟩🟩", .otherGame, 1),
      ("well\nDee had Wordle 300 2/6 at the end", .mentioned, 2), ("ok\nWordle 281 2/6", .mentioned, 2),
      ("Wordle 2,000,002 1/6\n🟩🟩🟩🟩🟩", .future, 1), ("👑 3/6: @Ann", .undated, 1),
      ("Wordle 🇪🇸 984 2/6", .otherGame, 1), ("Wordle 281 5/6 4/6", .otherGame, 1),
      ("Wordle 281 2/6\n\n🟥🟥🟥🟥🟥\n🟥🟥🟥🟥🟥", .mentioned, 1),
    ] as [(String, SkippedShare, Int)])
  func skippedTextIsNamed(text: String, reason: SkippedShare, line: Int) throws {
    let skipped = try read(text).skipped
    #expect(skipped.count == 1 && skipped.reasons[reason]?.place == ChatPlace(.line, line), "\(skipped)")
    let first = text.split(separator: "\n")[line - 1]
    #expect(skipped.lines == ["skipped 1: \(reason.rawValue), first in line \(line): '\(first)'"])
  }

  /// The game of tomorrow has begun in the east; a later one cannot have been played.
  @Test func gameOfTomorrowIsRead() throws {
    for (today, count) in [(279, 0), (280, 1), (281, 1)] {
      let reading = try ChatFile.read(MemorySource("Wordle 281 2/6".utf8), today: today)
      #expect(reading.shares.count == count)
    }
  }

  @Test(
    arguments: [
      "\(row.mixed)\n\(row.solved)", "\(row.mixed)<br>\n\(row.solved)",
      "||\(row.mixed)||\n||\(row.solved)||", "```\n\(row.mixed)\n\(row.solved)\n```",
      "*\(row.mixed)*\n_\(row.solved)_",
      "\(row.mixed) what luck\n\(row.solved)🎉", "🟨 ⬛ 🟨 ⬛ ⬛\n🟩 🟩 🟩 🟩 🟩",
      "\(row.mixed)\n\(row.solved) (edited)",
      ":large_yellow_square::black_large_square::yellow_square::white_large_square::black_large_square: :tada:\n:green_square::large_green_square::large_green_square::large_orange_square::orange_square:",
      "  \(row.mixed) \n\n\(row.solved)\r",
      "🟨⬛️🟨⬛️⬛️\n🟩🟩🟩🟩🟩", "🟨⬜🟨⬜️⬜\n🟩🟩🟩🟩🟩", "🟦⬛🟦⬛⬛\n🟧🟧🟧🟧🟧",
      "\u{200E}\(row.mixed)\n\(row.solved)\nnot bad", "\(row.mixed)\n\(row.solved)\nnext:\n\(row.absent)",
      "phew\n\(row.mixed)\n\(row.solved)", "better than my 5/6\n\(row.mixed)\n\(row.solved)",
    ])
  func rowsWhateverChatOrPagePutsAroundThem(text: String) throws {
    let game = try #require(try games("Wordle 281 2/6\n\n\(text)").first)
    #expect(
      game.rows == [
        [.present, .absent, .present, .absent, .absent], Array(repeating: .correct, count: 5),
      ])
  }

  /// The rows of another game do not become those of a title before it.
  @Test(arguments: ["#Worldle #65 1/6 (100%)", "Daily Quordle 55", "Spanish Wordle 3/6", "Heardle #40"])
  func rowsOfAnotherGameAreItsOwn(title: String) throws {
    let text = "Wordle 281 1/6\n\(title)\n\(row.solved)"
    #expect(try games(text).isEmpty && read(text).broken.isEmpty)
    let after = "\(title)\n\(row.solved)\nWordle 281 1/6\n\(row.solved)"
    #expect(try games(after).map(\.id) == [281])
  }

  @Test func manyInARow() throws {
    let text = """
      Good morning
      Wordle 281 1/6
      \(row.solved)
      Wordle 282 X/6

      \(String(repeating: row.absent + "\n", count: 6))
      bad luck
      Ben: Wordle 283 2/6*
      \(row.mixed)
      \(row.solved)
      """
    #expect(try games(text).map(\.id) == [281, 282, 283])
    #expect(try games(text).map(\.rows.count) == [1, 6, 2])
  }

  @Test(
    arguments: [
      (
        "x\nWordle 281 X/6\n" + String(repeating: row.absent + "\n", count: 7),
        "line 2: Wordle 281 X/6 has more than 6 rows"
      ),
      ("Wordle 281 4/6\n\(row.solved)", "line 1: Wordle 281 4/6 has 1 row"),
      ("Wordle 281 X/6\n\(row.absent)\n\(row.absent)", "line 1: Wordle 281 X/6 has 2 rows"),
      ("\nWordle 281 2/6\n\(row.absent)\n🟩🟩🟩🟩", "line 2: Wordle 281 2/6 has rows of different lengths"),
      ("Wordle 281 2/6\n\(row.absent)\n\(row.mixed)", "line 1: Wordle 281 2/6 has the word in no row"),
      ("Wordle 281 2/6\n\(row.solved)\n\(row.solved)", "line 1: Wordle 281 2/6 has the word in row 1"),
    ])
  func contradictoryShareTextNamesLine(text: String, message: String) throws {
    let reading = try read(text)
    #expect(reading.shares.isEmpty && reading.broken.map(\.text) == [message])
  }
}
