import Command
import HTTP
import Output
import System
import Terminal

extension Wordle {
  static let clipboard = Option(
    "clipboard", "Hand the text to the terminal's clipboard as well",
    details: "By the sequence OSC 52, which most terminals obey, also at the far end of ssh.")

  static let unfinished = Option(
    "force", "Do what is refused otherwise", details: "Shares an unfinished game as X/6, as if it were lost.")

  static let share = Command(
    "share", "Print the text that shares a score",
    discussion: """
      Title, an empty line and a row of squares for each try, as Wordle makes it: no letter is given away. An unfinished \
      game is refused: as X/6 with fewer than six rows, nobody could read it back.
      """,
    operands: [id],
    options: [hard, unfinished, clipboard, palette, background, tokenFile],
    output: .one(ShareTextRow.self, text: "The share text."),
    needs: [.network],
    examples: [
      Example("hw wordle share 264", "ready to be pasted"),
      Example("hw wordle share latest --hard", "the newest game, in hard mode"),
      Example("hw wordle share 264 --palette high-contrast", "in orange and blue"),
      Example("hw wordle share 264 --background light", "with white squares for what is not in the word"),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let terminal = call[clipboard] ? try clipboardTerminal(context) : nil
    var score = try call[id].score(client(context))
    guard !score.isUnfinished || call[unfinished] else {
      let tries = "\(score.tries.count) of \(Score.mostTries) tries"
      throw Failure(
        .usage, "Wordle \(score.id) is not finished: the word is not found after \(tries)",
        hint: "'--force' shares it as a lost game")
    }
    if call[hard] { score.isHard = true }
    let text = SharedGame(score).text(colors(call))
    if let terminal { try terminal.write(Wordle.clipboardSequence(text)) }
    try context.output.write(ShareTextRow(score: score, text: text))
  }

  static func clipboardSequence(_ text: String) -> String {
    "\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{07}"
  }

  private static func clipboardTerminal(_ context: Context) throws(Failure) -> any ByteSink {
    if let terminal = context.host.terminalStream { return terminal }
    throw Failure(
      .usage, "'--clipboard' wants a terminal", hint: "pipe the text to a program such as wl-copy or pbcopy")
  }
}
