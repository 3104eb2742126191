import Command
import Output
import System

extension Wordle {
  static let share = Command(
    "share", "Print the share text of a score",
    discussion: """
      Prints the title, an empty line and one row of squares per guess, as Wordle does. An unfinished game is \
      refused: its share text could not be imported.
      """,
    operands: [id],
    options: [hard, tokenFile], settings: [palette, background],
    output: .one(ShareTextRow.self, text: "The share text."),
    needs: [.network],
    examples: [
      Example("hw wordle share 264", "a share text to paste; a pipe to wl-copy or xclip copies it"),
      Example("hw wordle share latest --hard", "the newest game, in hard mode"),
      Example("HW_WORDLE_PALETTE=high-contrast hw wordle share 264", "with orange and blue squares"),
      Example("HW_WORDLE_BACKGROUND=light hw wordle share 264", "with white squares"),
    ]
  ) { call, context throws(Failure) in
    var score = try call[id].score(client(context))
    guard !score.isUnfinished else {
      let tries = "\(score.tries.count) of \(Score.mostTries) tries"
      throw Failure(
        .usage, "Wordle \(score.id) is not finished: it is not solved after \(tries)",
        hint: "add the finished game with 'hw wordle add --replace'")
    }
    if call[hard] { score.isHard = true }
    try context.output.write(ShareTextRow(score: score, text: SharedGame(score).text(colors(call))))
  }
}
