import Command
import Output
import System

extension Wordle {
  static let guess = Operand(
    optional: "GUESS", ValueKind<String>.text("GUESS").orInput, "The guess; '-' reads pairs of words")
  static let word = Operand(optional: "WORD", ValueKind<String>.text("WORD"), "The solution")
  static let style = Option("style", .choice, default: TileStyle.Form.emoji, "Choose the form of the tiles")

  static let tiles = Command(
    "tiles", "Print the tiles of a guess",
    discussion: """
      A word has 1 to 64 letters of any script. Case does not matter; an accent is part of its letter.

      Without operands, or with '-', each line of standard input is a guess and a solution, separated by blanks or \
      tabs. Malformed lines are errors, blank lines are skipped. With -0 the pairs and the rows end with NUL.
      """,
    usage: ["GUESS WORD", "[-]"],
    operands: [guess, word],
    options: [style], settings: [palette, background],
    output: .rows(GuessRow.self, text: "One row of tiles per guess.").schemaVersion(2),
    needs: [.input],
    examples: [
      Example("hw wordle tiles ponds nymph", "prints 🟨⬛🟨⬛⬛"),
      Example("hw wordle tiles --style letters --json mommy nymph", "letters instead of squares, as JSON"),
      Example("printf 'eerie sweet\\nsleds sweet\\n' | hw wordle tiles", "pairs from standard input"),
      Example("printf 'eerie sweet\\0' | hw wordle tiles -0 | tr '\\0' ' '", "NUL instead of newlines"),
    ]
  ) { call, context throws(Failure) in
    let style = TileStyle(call[style], colors(call))
    let output = context.output
    switch (try call[guess], try call[word]) {
    case (let guess?, let word?):
      try output.write([GuessRow(try TileRow(guess: guess, word: word), style)])
    case (nil, _), ("-", nil):
      let batch = TileBatch(separator: output.settings.terminator)
      if output.printsText(of: GuessRow.self) {
        try batch.run(context.input, to: output.outlet, style: style)
      } else {
        try batch.run(context.input, to: output, style: style)
      }
    case (let guess?, nil):
      let pair = guess.split(separator: ",").map(String.init)
      throw Failure(
        .usage, "missing operand WORD",
        hint:
          "write \(ShellWord.command(["hw", "wordle", "tiles"] + (pair.count == 2 ? pair : [guess, "WORD"])))"
      )
    }
  }
}

extension TileStyle.Form: ChoiceValue {
  var meaning: String {
    switch self {
    case .emoji: "colored squares"
    case .letters: "the letters g, y and b"
    case .ansi: "the guess on colored cells"
    }
  }
}

extension TileColors.Palette: ChoiceValue {
  var meaning: String {
    switch self {
    case .standard: "green and yellow"
    case .highContrast: "orange and blue"
    }
  }
}

extension TileColors.Background: ChoiceValue {
  var meaning: String {
    switch self {
    case .dark: "black squares for letters that are not in the word"
    case .light: "white squares for letters that are not in the word"
    }
  }
}
