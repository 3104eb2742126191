import System
import TestSupport
import Testing

@testable import Wordle

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

  @Test func shareTextIsReadAsWritten() throws {
    for score in SampleScores(seed: 7).scores {
      let game = SharedGame(score)
      for colors in [TileColors(), TileColors(.highContrast)] {
        let reading = try ChatFile.read(MemorySource(game.text(colors).utf8, chunk: 7), today: 2_000_000)
        #expect(reading.shares.map(\.game) == [game])
      }
    }
  }
}

/// Texts that people paste, in `recorded/shares.txt`, with the games that are read of them (`= `) and what is said of the
/// rest. A line of `##` ends with the game of the day.
@Suite struct PastedTexts {
  @Test func textsAreReadAsRecorded() throws {
    var today = 0
    try RecordedText.holdTexts(
      "shares.txt", begin: { today = $0.split(separator: " ").last.flatMap { Int($0) } ?? 0 },
      read: { read($0, today) })
  }

  private func read(_ text: String, _ today: Int) -> [String] {
    do throws(Failure) {
      let reading = try ChatFile.read(MemorySource(text.utf8, chunk: 7), today: today)
      return reading.shares.map(shown) + reading.broken.map { "  broken: \($0.text)" }
        + reading.skipped.lines.map { "  \($0)" }
    } catch {
      return ["! \(error.kind): \(error.message)"]
    }
  }

  private func shown(_ share: ChatShare) -> String {
    let rows = share.game.rows.map { row in row.map { "\($0.name.prefix(1))" }.joined() }
    let title = "\(share.game.id) \(share.game.result.text)\(share.game.isHard ? "*" : "")"
    return "= " + ([title] + (share.sender.map { ["of \($0)"] } ?? []) + rows).joined(separator: ", ")
  }
}
