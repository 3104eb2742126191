import Command
import Output
import System

extension Wordle {
  static let clues = Operand(
    rest: "CLUE", ValueKind<HintClue>.clue,
    "A guess and its tiles (g, y, b or squares): crane=bygbb")
  static let wordFile = Option(
    "word-list", ValueKind<String>.inputFile, setting: .suites,
    "Read possible solutions from FILE, one per line"
  )
  static let guessFile = Option(
    "guess-list", ValueKind<String>.inputFile, setting: .suites,
    "Read possible guesses from FILE, one per line",
    details: "The default is the file of --word-list.")

  static let hint = Command(
    "hint", "Find the best next guess",
    discussion: """
      Counts the words that are consistent with the guesses so far, and ranks the next guesses by the expected number of \
      remaining words. Of equal guesses, one that can be the solution comes first. The default --limit is ten. CSV, TSV \
      and Markdown have one row per guess, with the fields word, expected and fits, which --where and --sort use in every \
      format.
      """,
    usage: ["--word-list FILE [CLUE...]"],
    operands: [clues], options: [wordFile, guessFile],
    output: .one(
      HintRow.self, listing: Hint.Guess.self, order: "the best guess first",
      text: "The number of remaining words, and the best guesses."),
    needs: [.input],
    examples: [
      Example(
        "printf 'sweet\\nsleet\\nsheet\\nnymph\\n' >words; hw wordle hint --word-list words corgi=bbbbb",
        "the best guesses after one guess"),
      Example(
        "printf 'sweet\\nsleet\\nsheet\\n' >words; hw wordle hint --word-list words sweet=gbggg --json | jq .remaining",
        "the number of remaining words"),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    guard let file = call[wordFile] else {
      throw Failure(.usage, "missing --word-list", hint: "use a file with one word per line")
    }
    var alphabet = HintAlphabet()
    let words = try alphabet.list(context.open(file), name: file)
    let guesses = try call[guessFile].map { file throws(Failure) in
      try alphabet.list(context.open(file), name: file)
    }
    let hint = try Hint(try call[clues], words: words, guesses: guesses ?? words, &alphabet)
    guard hint.remaining > 0 else {
      throw Failure(
        .notFound, "no word of '\(file)' is consistent with the guesses",
        hint: "check the tiles, or use another list")
    }
    let limit = context.output.settings.list?.limit == nil ? 10 : hint.guesses.count
    let best = try Array(context.output.selected(hint.guesses).prefix(limit))
    if [.csv, .tsv, .markdown].contains(context.output.settings.format) {
      try context.output.write(best)
    } else {
      try context.output.write(HintRow(remaining: hint.remaining, guesses: best))
    }
  }
}

extension ValueKind where Value == HintClue {
  static var clue: ValueKind {
    ValueKind(
      "CLUE", expects: "a guess, '=' and a tile for each letter, like crane=bygbb"
    ) { HintClue($0) }
  }
}
