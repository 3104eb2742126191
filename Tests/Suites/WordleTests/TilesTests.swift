import System
import Testing

@testable import Wordle

private func squares(_ guess: String, _ word: String) throws -> String {
  TileStyle().row(try Tiles(guess: guess, word: word), guess: guess)
}

private func letters(_ guess: String, _ word: String) throws -> String {
  TileStyle(.letters).row(try Tiles(guess: guess, word: word), guess: guess)
}

@Suite struct TheRule {
  @Test(
    arguments: [
      ("train", "nymph", "⬛⬛⬛⬛🟨"),
      ("ponds", "nymph", "🟨⬛🟨⬛⬛"),
      ("blume", "nymph", "⬛⬛⬛🟨⬛"),
      ("nymph", "nymph", "🟩🟩🟩🟩🟩"),
      ("mommy", "nymph", "⬛⬛🟩⬛🟨"),
      ("yelps", "nymph", "🟨⬛⬛🟩⬛"),
      ("eerie", "sweet", "🟨🟨⬛⬛⬛"),
      ("sleds", "sweet", "🟩⬛🟩⬛⬛"),
      ("parry", "lapse", "🟨🟩⬛⬛⬛"),
    ])
  func gamesThatWerePlayed(guess: String, word: String, row: String) throws {
    #expect(try squares(guess, word) == row)
  }

  @Test(
    arguments: [
      // A green uses its letter up, wherever it stands.
      ("aab", "bca", "yby"), ("aba", "cca", "bbg"), ("aab", "acc", "gbb"), ("abaa", "caca", "ybbg"),
      // What is left goes to the leftmost.
      ("aaab", "baca", "ygby"), ("aabb", "ccca", "ybbb"), ("bbaa", "aacc", "bbyy"), ("aaa", "baa", "bgg"),
      // A letter is used up by the guess that took it.
      ("aabc", "cdab", "ybyy"), ("abab", "baba", "yyyy"), ("aaaa", "abab", "gbgb"), ("abcd", "dabc", "yyyy"),
      // One letter.
      ("a", "a", "g"), ("a", "b", "b"),
    ])
  func letterIsColoredAtMostAsOftenAsInWord(guess: String, word: String, row: String) throws {
    #expect(try letters(guess, word) == row)
  }

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
    #expect(
      try letters("é" + many, many + "é") == "y" + String(repeating: "g", count: 62) + "y")
  }

  @Test func rowIsCollectionOfTiles() throws {
    let tiles = try Tiles(guess: "sleds", word: "sweet")
    #expect(Array(tiles) == [.correct, .absent, .correct, .absent, .absent])
    #expect(tiles.map(\.name) == ["correct", "absent", "correct", "absent", "absent"])
    #expect(try Tiles(guess: "yelps", word: "nymph").map(\.name).prefix(2) == ["present", "absent"])
  }
}

@Suite struct SameLetters {
  @Test(
    arguments: [
      ("PoNdS", "pOnDs", "ggggg"),
      ("ÄPFEL", "äpfel", "ggggg"),
      ("ΛΌΓΟΣ", "λόγος", "ggggg"),
      ("σας", "ΣΑΣ", "ggg"), ("ςασ", "σας", "ggg"),
      ("ПРИВЕТ", "привет", "gggggg"),
      ("STRAẞE", "straße", "gggggg"),
      ("ſo", "SO", "gg"), ("K", "k", "g"),
      // Composed or not.
      ("caf\u{E9}", "CAFE\u{301}", "gggg"),
      // A letter of several scalars.
      ("क्षमा", "क्षमा", "gg"), ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "gg"),
      ("語日", "日語", "yy"), ("نامه\u{200C}ای", "نامه\u{200C}ای", "gggggg"),
    ])
  func caseDoesNotMatterInAnyScript(guess: String, word: String, row: String) throws {
    #expect(try letters(guess, word) == row)
  }

  @Test(
    arguments: [
      ("e", "é", "b"), ("a", "ä", "b"), ("s", "ß", "b"), ("i", "ı", "b"), ("I", "ı", "b"), ("ı", "ı", "g"),
      ("i", "İ", "b"), ("a", "а", "b"), ("o", "ο", "b"), ("ı\u{301}", "i\u{301}", "b"),
      ("ı\u{301}", "ı\u{301}", "g"),
    ])
  func marksAndLettersOfOtherLanguagesDo(guess: String, word: String, row: String) throws {
    #expect(try letters(guess, word) == row)
  }
}

@Suite struct Refusals {
  @Test(
    arguments: [
      ("po7ds", "nymph", "'po7ds' has '7' at position 3, which is not a letter", 3),
      ("ponds", "nymp-", "'nymp-' has '-' at position 5, which is not a letter", 5),
      (" onds", "nymph", "' onds' has U+0020 at position 1, which is not a letter", 1),
      ("ponds", "n🟩mph", "'n🟩mph' has '🟩' at position 2, which is not a letter", 2),
      ("pond🅰", "nymph", "'pond🅰' has '🅰' at position 5, which is not a letter", 5),
      ("été1s", "nymph", "'été1s' has '1' at position 4, which is not a letter", 4),
      ("a\u{7}", "bc", "'a\u{7}' has U+0007 at position 2, which is not a letter", 2),
      ("\u{301}a", "bc", "'\u{301}a' has U+0301 at position 1, which is not a letter", 1),
      ("a\u{200B}", "bc", "'a\u{200B}' has U+200B at position 2, which is not a letter", 2),
      ("\u{FEFF}a", "bc", "'\u{FEFF}a' has U+FEFF at position 1, which is not a letter", 1),
      ("1\u{20E3}", "b", "'1\u{20E3}' has '1\u{20E3}' at position 1, which is not a letter", 1),
      // A letter with the color of a skin.
      ("a\u{1F3FB}", "b", "'a\u{1F3FB}' has 'a\u{1F3FB}' at position 1, which is not a letter", 1),
      ("", "nymph", "the guess is empty", 1),
      ("ponds", "", "the word is empty", 1),
      ("pond", "nymph", "'pond' has 4 letters, 'nymph' has 5 letters", 5),
      ("ab", "c", "'ab' has 2 letters, 'c' has 1 letter", 2),
      ("strasse", "straße", "'strasse' has 7 letters, 'straße' has 6 letters", 7),
    ])
  func invalidWordIsRefusedWithPosition(guess: String, word: String, message: String, position: Int) {
    let failure = #expect(throws: Failure.self) { try Tiles(guess: guess, word: word) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message == message)
    #expect(failure?.details == [.init("position", .integer(position))])
    #expect(failure?.hint == "give a guess and a word of the same length, 1 to 64 letters each")
  }

  @Test(
    arguments: ["@", "[", "`", "{", "\u{0}", "\u{7F}"])
  func charactersNextToASCIIsLettersAreNone(character: String) {
    #expect(throws: Failure.self) { try Tiles(guess: character, word: "a") }
    #expect(throws: Failure.self) { try Tiles(guess: "a", word: character) }
  }

  @Test func wordOf65LettersIsRefusedAndVeryLongOneIsNotQuotedWhole() {
    let sixtyFive = String(repeating: "a", count: 65)
    let failure = #expect(throws: Failure.self) { try Tiles(guess: sixtyFive, word: sixtyFive) }
    #expect(failure?.message == "'\(sixtyFive)' has more than 64 letters")
    for (length, shown) in [(128, 128), (129, 128)] {
      let word = String(repeating: "a", count: length)
      let failure = #expect(throws: Failure.self) { try squares(word, word) }
      let quoted = String(repeating: "a", count: shown) + (length > shown ? "…" : "")
      #expect(failure?.message == "'\(quoted)' has more than 64 letters")
    }
    #expect(failure?.details == [.init("position", .integer(65))])
    let huge = "a" + String(repeating: "\u{301}", count: 10_000) + "1"
    let other = #expect(throws: Failure.self) { try Tiles(guess: huge, word: "ab") }
    #expect((other?.message.unicodeScalars.count ?? .max) < 200)
  }
}
