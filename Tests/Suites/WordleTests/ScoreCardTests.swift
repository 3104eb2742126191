import System
import Terminal
import Testing

@testable import Wordle

@Suite struct ScoreCards {
  private func sheet(_ scores: [Score], _ style: CardStyle) throws -> String {
    var lines: [String] = []
    try CardSheet(scores, style).each { lines.append($0) }
    return lines.joined(separator: "\n")
  }

  @Test(
    arguments: [(10, 1), (31, 1), (32, 2), (49, 2), (50, 3), (200, 5)])
  func asManySideBySideAsWidthHolds(width: Int, expected: Int) throws {
    let scores = (1...5).map { game($0 + 100, "nymph", "train", "nymph") }
    let text = try sheet(scores, CardStyle(width: width))
    let first = try #require(text.split(separator: "\n").first)
    #expect(first.split(separator: "Wordle").count == (width < 14 ? 1 : expected))
    #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= width })
  }

  @Test func controlCharactersMoveNoCursor() throws {
    let text = try sheet([game(1, "a\u{1B}", "\u{1B}字e")], CardStyle(letters: .shown))
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    #expect(text.hasSuffix("(�) 字  E"))
  }

  @Test func aTryThatIsShorterThanTheWord() throws {
    #expect(try sheet([game(1, "sweet", "sw")], CardStyle()) == "Wordle 1 -/6\n2021-06-20\n\n🟩🟩")
  }

  /// Four cards of 17 columns and the gaps between them.
  @Test func withoutAScreenThereAreEightyColumns() throws {
    let lines = try sheet((12_341...12_345).map { game($0, "at", "at") }, CardStyle()).split(separator: "\n")
    #expect(lines[0] == "Wordle 12,341 1/6    Wordle 12,342 1/6    Wordle 12,343 1/6    Wordle 12,344 1/6")
    #expect(lines[3] == "Wordle 12,345 1/6")
  }

  @Test func noScoresAreNoLines() throws {
    #expect(try sheet([], CardStyle()) == "")
  }

  @Test(
    arguments: [
      ("a", "A ", "[A]", " A "), ("ß", "ß ", "[ß]", " ß "), ("字", "字", "[字]", " 字 "),
      ("😀", "😀", "[😀]", " 😀 "), ("é", "É ", "[É]", " É "), ("\u{7}", "� ", "[�]", " � "),
    ] as [(Character, String, String, String)])
  func letterHasTwoColumnsAndItsMarksStandBesideIt(
    letter: Character, shown: String, correct: String, absent: String
  ) {
    #expect(ScoreCard.letter(letter) == shown)
    #expect(ScoreCard.plain(.correct, letter) == correct)
    #expect(ScoreCard.plain(.absent, letter) == absent)
    #expect(ScoreCard.plain(.present, letter) == "(\(correct.dropFirst().dropLast()))")
  }

  /// Between marks, a wide letter makes its tile wider.
  @Test func theWidthOfACard() {
    let wide = game(1, "字字字字字", "字字字字字")
    func width(_ style: CardStyle, _ score: Score) -> Int { ScoreCard(score: score, cardStyle: style).width }
    #expect(width(CardStyle(letters: .shown), wide) == 20)
    #expect(width(CardStyle(letters: .shown, color: true), wide) == 15)
    #expect(width(CardStyle(), wide) == 12)
    #expect(width(CardStyle(letters: .shown), game(1, "sweet", "a")) == 16)
    #expect(width(CardStyle(width: 5), game(1, "a", "a")) == 5)
  }
}
