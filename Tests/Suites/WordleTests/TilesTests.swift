import System
import TestSupport
import Testing

@testable import Wordle

private func letters(_ guess: String, _ word: String) throws(Failure) -> String {
  TileStyle(.letters).row(try Tiles(guess: guess, word: word), guess: guess)
}

@Suite struct TheRule {
  /// The rule again, said by counting: a letter that is not in its place is present when the word has it outside the
  /// greens more often than the guess had it before, outside the greens.
  private func counted(_ guess: [Character], _ word: [Character]) -> String {
    String(
      guess.indices.map { place in
        if guess[place] == word[place] { return "g" }
        let had = word.indices.filter { word[$0] == guess[place] && guess[$0] != word[$0] }.count
        let before = guess.indices.filter { $0 < place && guess[$0] == guess[place] && guess[$0] != word[$0] }
          .count
        return had > before ? "y" : "b"
      })
  }

  @Test(arguments: 1...4)
  func everyPairOfWordsOverThreeLetters(length: Int) throws {
    let words = (0..<length).reduce([[Character]()]) { words, _ in
      words.flatMap { word in ["a", "b", "c"].map { word + [$0] } }
    }
    for guess in words {
      for word in words {
        let tiles = try letters(String(guess), String(word))
        #expect(tiles == counted(guess, word), "\(String(guess)) \(String(word))")
        // The long way, that letters beyond ASCII take.
        let greek: [Character: Character] = ["a": "α", "b": "β", "c": "γ"]
        let foreign = try letters(
          String(guess.compactMap { greek[$0] }), String(word.compactMap { greek[$0] }))
        #expect(foreign == tiles)
      }
    }
  }

  @Test func lastOf64LettersIsColoredLikeFirst() throws {
    let many = String(repeating: "a", count: 63)
    #expect(try letters(many + "b", many + "b") == String(repeating: "g", count: 64))
    #expect(try letters("b" + many, many + "b") == "y" + String(repeating: "g", count: 62) + "y")
    #expect(try letters("é" + many, many + "é") == "y" + String(repeating: "g", count: 62) + "y")
  }

  @Test func rowIsCollectionOfTiles() throws {
    let tiles = try Tiles(guess: "sleds", word: "sweet")
    #expect(Array(tiles) == [.correct, .absent, .correct, .absent, .absent])
    #expect(tiles.map(\.name) == ["correct", "absent", "correct", "absent", "absent"])
    #expect(try Tiles(guess: "yelps", word: "nymph").map(\.name).prefix(2) == ["present", "absent"])
  }
}

/// Pairs of a guess and a word in `recorded/tiles.txt`, each with its tiles or its refusal.
@Suite struct PairsOfWords {
  @Test func pairsAreAsRecorded() throws {
    try RecordedText.holdTexts("tiles.txt") { pair in
      let words = pair.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      do throws(Failure) {
        return ["  " + (try letters(words[0], words[1]))]
      } catch {
        #expect(error.kind == .usage)
        #expect(error.hint == "give a guess and a word of the same length, 1 to 64 letters each")
        let details = error.details.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return ["! \(error.message.terminalSafe); \(details)"]
      }
    }
  }
}

@Suite struct Refusals {
  @Test func wordOf65LettersIsRefusedAndVeryLongOneIsNotQuotedWhole() {
    let sixtyFive = String(repeating: "a", count: 65)
    let failure = #expect(throws: Failure.self) { try Tiles(guess: sixtyFive, word: sixtyFive) }
    #expect(failure?.message == "'\(sixtyFive)' has more than 64 letters")
    for (length, shown) in [(128, 128), (129, 128)] {
      let word = String(repeating: "a", count: length)
      let failure = #expect(throws: Failure.self) { try letters(word, word) }
      let quoted = String(repeating: "a", count: shown) + (length > shown ? "…" : "")
      #expect(failure?.message == "'\(quoted)' has more than 64 letters")
    }
    #expect(failure?.details == [.init("position", .integer(65))])
    let huge = "a" + String(repeating: "\u{301}", count: 10_000) + "1"
    let other = #expect(throws: Failure.self) { try Tiles(guess: huge, word: "ab") }
    #expect((other?.message.unicodeScalars.count ?? .max) < 400)
  }
}

@Suite struct TileStyles {
  @Test(
    "Cells show the letters of the guess as they were given, each color switched off again",
    arguments: [
      (TileColors(), "83;141;78", "181;159;59", "58;58;60"),
      (TileColors(.highContrast), "245;121;58", "133;192;249", "58;58;60"),
      (TileColors(on: .light), "106;170;100", "201;180;88", "120;124;126"),
      (TileColors(.highContrast, on: .light), "245;121;58", "133;192;249", "120;124;126"),
    ])
  func cells(colors: TileColors, correct: String, present: String, absent: String) throws {
    let row = TileStyle(.ansi, colors).row(try Tiles(guess: "aÉc", word: "éxC"), guess: "aÉc")
    let cells = row.split(separator: "\u{1B}[0m")
    #expect(cells.count == 3)
    #expect(cells[0].hasPrefix("\u{1B}[1;") && cells[0].hasSuffix(";48;2;\(absent)m a "))
    #expect(cells[1].hasPrefix("\u{1B}[1;") && cells[1].hasSuffix(";48;2;\(present)m É "))
    #expect(cells[2].hasPrefix("\u{1B}[1;") && cells[2].hasSuffix(";48;2;\(correct)m c "))
    #expect(row.hasSuffix("\u{1B}[0m"))
  }
}
