import Command
import HTTP
import Output
import System
import Terminal

extension Wordle {
  static let clipboard = Option(
    "clipboard", "Copy the text to the clipboard of the terminal",
    details: "Uses the escape sequence OSC 52, which most terminals support, also over ssh.")

  static let unfinished = Option(
    "force", "Skip safety checks", details: "Shares an unfinished game as X/6, like a lost game.")

  static let share = Command(
    "share", "Print the share text of a score",
    discussion: """
      Prints the title, an empty line and one row of squares per guess, as Wordle does. An unfinished game is refused, \
      because a share text with X/6 and fewer than six rows cannot be imported.
      """,
    operands: [id],
    options: [hard, unfinished, clipboard, palette, background, tokenFile],
    output: .one(ShareTextRow.self, text: "The share text."),
    needs: [.network],
    examples: [
      Example("hw wordle share 264", "a share text to paste"),
      Example("hw wordle share latest --hard", "the newest game, in hard mode"),
      Example("hw wordle share 264 --palette high-contrast", "with orange and blue squares"),
      Example("hw wordle share 264 --background light", "with white squares"),
    ]
  ) { call, context throws(Failure) in
    let terminal = call[clipboard] ? try clipboardTerminal(context) : nil
    var score = try call[id].score(client(context))
    guard !score.isUnfinished || call[unfinished] else {
      let tries = "\(score.tries.count) of \(Score.mostTries) tries"
      throw Failure(
        .usage, "Wordle \(score.id) is not finished: it is not solved after \(tries)",
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
      .usage, "'--clipboard' requires a terminal",
      hint: "pipe the text to a program such as wl-copy or pbcopy")
  }
}
