import Command
import Output
import System

extension Wordle {
  static let guess = Operand(
    optional: "GUESS", ValueKind<String>.text("GUESS"), "The word that was tried; '-' reads pairs")
  static let word = Operand(optional: "WORD", ValueKind<String>.text("WORD"), "The word to be found")
  static let style = Option("style", .choice, default: TileStyle.Form.emoji, "How a tile is written")

  static let tiles = Command(
    "tiles", "Colour the letters of a guess",
    discussion: """
      A word has 1 to 64 letters of any script; case does not matter, and an accent is part of its letter.

      Without operands, or with '-', every line of standard input is a guess and a word, parted by blanks or tabs, \
      and gets a row of tiles in the same place of the output, at full speed. A line that is not such a pair is an \
      error that names it; the rows before it have been written.
      """,
    usage: ["GUESS WORD", "[-]"],
    operands: [guess, word],
    options: [style, palette, background],
    output: .oneOrRows(GuessRow.self, text: "The row of tiles, a line each."),
    needs: [.input],
    examples: [
      Example("hw wordle tiles ponds nymph", "🟨⬛🟨⬛⬛: p and n are in the word, elsewhere"),
      Example("hw wordle tiles --style letters --json mommy nymph", "the same for a program"),
      Example("printf 'eerie sweet\\nsleds sweet\\n' | hw wordle tiles", "many pairs at once"),
      Example("hw wordle tiles po7ds nymph", "what is not a letter is refused", exits: 2),
    ]
  ) { call, context throws(Failure) in
    let style = TileStyle(call[style], colors(call))
    let output = context.output
    switch (try call[guess], try call[word]) {
    case (let guess?, let word?):
      try output.write(GuessRow(try TileRow(guess: guess, word: word), style))
    case (nil, _), ("-", nil):
      if try output.format(for: GuessRow.self) == .text {
        try TileBatch.run(context.input, to: output.outlet, style: style)
      } else {
        try output.write(each: GuessRow.self) { rows throws(Failure) in
          try TileBatch.forEach(context.input) { row throws(Failure) in try rows.write(GuessRow(row, style))
          }
        }
      }
    case (let guess?, nil):
      throw Failure(
        .usage, "missing operand WORD",
        hint: "write \(ShellWord.command("hw", "wordle", "tiles", guess, "WORD"))")
    }
  }
}

extension TileStyle.Form: ChoiceValue {
  var meaning: String {
    switch self {
    case .emoji: "a coloured square a tile"
    case .letters: "g, y or b a tile, for green, yellow and black"
    case .ansi: "the guess on coloured cells"
    }
  }
}

extension TileColors.Palette: ChoiceValue {
  var meaning: String {
    switch self {
    case .standard: "green and yellow"
    case .highContrast: "orange and blue, for those who do not tell red from green"
    }
  }
}

extension TileColors.Background: ChoiceValue {
  var meaning: String {
    switch self {
    case .dark: "black squares for letters that are not in the word"
    case .light: "white ones, as Wordle has them on a light background"
    }
  }
}
