import System
import Terminal

/// The picture of a race at one instant, for those who watch it and those who replay it: countdown and bar on top, the
/// board below, a line for what there is to know and what the keys do.
struct RaceView {
  var title: String
  var elapsed: Duration
  var length: Duration?
  var note: (text: String, style: Style)?
  var keys: String

  /// The rows that are left for the board.
  static func boardHeight(_ size: WindowSize) -> Int { max(0, size.rows - 5) }

  func draw(on canvas: inout Canvas, _ board: RaceBoard, at now: Duration) {
    let left = length.map { max(.zero, $0 - elapsed) }
    let countdown = left?.countdown ?? "–:––"
    canvas.write("🐝 \(title)", row: 0, column: 1, style: .bold, limit: max(0, canvas.columns - 10))
    canvas.write(countdown, row: 0, column: max(1, canvas.columns - countdown.count - 1), style: .bold)
    drawBar(on: &canvas)
    board.draw(on: &canvas, top: 3, height: RaceView.boardHeight(canvas.size), at: now)
    drawFoot(on: &canvas)
  }

  private func drawBar(on canvas: inout Canvas) {
    let room = canvas.columns - 2
    guard let length, length > .zero, room > 0 else { return }
    // To the eighth of a column; whole seconds would jump.
    canvas.write(BarChart.bar(min(1, elapsed / length), room: room), row: 1, column: 1, style: .yellow)
  }

  private func drawFoot(on canvas: inout Canvas) {
    let last = canvas.rows - 1
    if let note {
      canvas.write(note.text, row: last - 1, column: 1, style: note.style, limit: canvas.columns - 2)
    }
    canvas.write(keys, row: last, column: 1, style: .dim, limit: canvas.columns - 2)
  }

  /// A few lines in the middle of the screen.
  static func drawMiddle(_ lines: [(text: String, style: Style)], on canvas: inout Canvas) {
    let wrapped = lines.flatMap { line in
      wrap(line.text, width: max(1, canvas.columns - 2)).map { (text: $0, style: line.style) }
    }
    let top = max(0, (canvas.rows - wrapped.count) / 2)
    for (index, line) in wrapped.enumerated() {
      let width = DisplayWidth.of(line.text.terminalSafe)
      canvas.write(
        line.text, row: top + index, column: max(0, (canvas.columns - width) / 2), style: line.style)
    }
  }

  /// At blanks where there are any, else wherever the edge is: an address has to be readable whole.
  private static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
        lines.append(line)
        line = ""
      }
      while DisplayWidth.of(word) > width, !word.isEmpty {
        lines.append(String(word.prefix(width)))
        word.removeFirst(min(width, word.count))
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return lines + [line]
  }
}
