import Command
import Output
import System

extension Wordle {
  static let guess = Operand(
    optional: "GUESS", ValueKind<String>.text("GUESS"), "The word that was tried; '-' reads pairs")
  static let word = Operand(optional: "WORD", ValueKind<String>.text("WORD"), "The word to be found")
  static let style = Option("style", .choice, default: TileStyle.Form.emoji, "How a tile is written")

  static let keepGoing = Option(
    "keep-going", "Report bad input with its number, and go on after it",
    details: "The status is 2 at the end.")

  static let tiles = Command(
    "tiles", "Colour the letters of a guess",
    discussion: """
      A word has 1 to 64 letters of any script; case does not matter, and an accent is part of its letter.

      Without operands, or with '-', every line of standard input is a guess and a word, parted by blanks or tabs, \
      and gets a row of tiles in the same order, at full speed; blank lines are skipped. A line that is not such a pair is \
      an error that names it; the rows before it have been written. With -0 the pairs end with NUL, and so do the rows.
      """,
    usage: ["GUESS WORD", "[-]"],
    operands: [guess, word],
    options: [style, keepGoing, palette, background],
    output: .oneOrRows(GuessRow.self, text: "The row of tiles, a line each."),
    needs: [.input],
    examples: [
      Example("hw wordle tiles ponds nymph", "🟨⬛🟨⬛⬛: p and n are in the word, elsewhere"),
      Example("hw wordle tiles --style letters --json mommy nymph", "the same for a program"),
      Example("printf 'eerie sweet\\nsleds sweet\\n' | hw wordle tiles", "many pairs at once"),
      Example(
        "printf 'eerie sweet\\noops\\n' | hw wordle tiles --keep-going", "a row for each good line", exits: 2),
      Example("printf 'eerie sweet\\0' | hw wordle tiles -0 | tr '\\0' ' '", "NUL instead of newlines"),
      Example("hw wordle tiles po7ds nymph", "what is not a letter is refused", exits: 2),
    ]
  ) { call, context throws(Failure) in
    let style = TileStyle(call[style], colors(call))
    let output = context.output
    switch (try call[guess], try call[word]) {
    case (let guess?, let word?):
      try output.write(GuessRow(try TileRow(guess: guess, word: word), style))
    case (nil, _), ("-", nil):
      var badLines = 0
      var batch = TileBatch(separator: output.settings.terminator)
      if call[keepGoing] {
        batch.badLine = { failure in
          badLines += 1
          context.messages.report(failure.message)
        }
      }
      if try output.format(for: GuessRow.self) == .text {
        try batch.run(context.input, to: output.outlet, style: style)
      } else {
        try output.write(each: GuessRow.self) { rows throws(Failure) in
          try batch.forEach(context.input) { row throws(Failure) in try rows.write(GuessRow(row, style)) }
        }
      }
      guard badLines == 0 else {
        throw Failure(
          .usage, "\(badLines == 1 ? "1 line is not a pair" : "\(badLines) lines are not pairs") of words",
          details: [.init("badLines", .integer(badLines))])
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
