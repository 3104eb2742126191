import System
import Terminal

extension RaceEvent {
  var title: String {
    guard isProvisional != true else { return "The finish was not seen" }
    return winner.map { "🏆 \($0) wins" } ?? "Nobody was in the race"
  }
}

extension [Bee] {
  /// How often the winner was the leader of a poll. Returns nil if another bee led the last poll.
  func lead(of winner: Bee) -> String? {
    let (led, last) = (count { $0 == winner }, reversed().prefix { $0 == winner }.count)
    guard last > 0 else { return nil }
    let polls = count == 1 ? "1 poll" : "\(count) polls"
    return "led \(led) of \(polls), \(last == 1 ? "and the last one" : "the last \(last) in a row")"
  }
}

/// The screen of a race, live or replayed: countdown, progress bar, board, note and keys.
struct RaceView {
  var title: String
  var elapsed: Duration
  var length: Duration?
  var note: (text: String, style: Style)?
  var keys: String
  /// Shows the title without the countdown.
  var isOver = false
  var hasWinner = false
  var lead: String?

  /// The first row of the board. A low screen has no bar and no empty rows.
  private static func boardTop(_ rows: Int) -> Int { rows < 8 ? min(1, rows - 1) : 3 }

  static func boardHeight(_ size: WindowSize) -> Int { size.rows < 8 ? max(1, size.rows - 2) : size.rows - 5 }

  /// Title, lead, podium and an empty row.
  private static let winnerRows = 7

  /// Fits the list into its part of the screen: after the finish below the podium, without the first three.
  static func fit(_ board: inout RaceBoard, to size: WindowSize, hasWinner: Bool) {
    let showsPodium = hasWinner && hasPodium(size)
    board.fit(
      size, height: showsPodium ? size.rows - winnerRows - 1 : boardHeight(size),
      skipping: showsPodium ? 3 : 0,
      showsChanges: !hasWinner)
  }

  private static func hasPodium(_ size: WindowSize) -> Bool { size.rows >= 10 && size.columns >= 36 }

  func draw(on canvas: inout Canvas, _ board: RaceBoard, at now: Duration) {
    let countdown = length.map { ($0 - elapsed).countdown } ?? "–:––"
    let room = isOver ? 2 : 10
    canvas.write("🐝 \(title)", row: 0, column: 1, style: .bold, limit: canvas.columns - room)
    if !isOver {
      canvas.write(countdown, row: 0, column: max(1, canvas.columns - countdown.count - 1), style: .bold)
    }
    let (top, height) = (RaceView.boardTop(canvas.rows), RaceView.boardHeight(canvas.size))
    if hasWinner, RaceView.hasPodium(canvas.size) {
      if let lead { canvas.write(lead, row: 1, column: 1, style: .dim) }
      board.drawPodium(on: &canvas, top: 2)
      let top = RaceView.winnerRows
      board.draw(on: &canvas, top: top, height: canvas.rows - top - 1, at: now)
    } else {
      if top > 1 {
        // Eighths of a column: the bar does not jump every second.
        let bar = BarChart.bar(progress, room: canvas.columns - 2)
        canvas.write(bar, row: 1, column: 1, style: .yellow)
      }
      if !isOver, board.hasLanes(canvas.columns, height: height) {
        board.drawLanes(on: &canvas, top: top, height: height, progress: progress, at: now)
      } else {
        board.draw(on: &canvas, top: top, height: height, at: now)
      }
    }
    let leadChange = isOver ? nil : board.leadChange.map { (text: $0, style: Style.green) }
    drawFoot(on: &canvas, note ?? leadChange, board.position)
  }

  private var progress: Double {
    guard let length, length > .zero else { return 0 }
    return max(0, min(1, elapsed / length))
  }

  /// Draws the note in up to three rows, then the keys and the visible part of the board.
  private func drawFoot(on canvas: inout Canvas, _ note: (text: String, style: Style)?, _ position: String?) {
    let last = canvas.rows - 1
    guard last > RaceView.boardTop(canvas.rows) else { return }
    let width = max(1, canvas.columns - 2)
    // A low screen has room for the leader, and for the note or the keys.
    let lines = RaceView.wrapped(note.map { [$0] } ?? [], width: width).prefix(canvas.rows < 8 ? 1 : 3)
    let bottom = canvas.rows < 8 ? last : last - 1
    for (index, line) in lines.enumerated() {
      let row = bottom - lines.count + 1 + index
      canvas.fill(row: row, column: 0, width: canvas.columns)
      canvas.write(line.text, row: row, column: 1, style: line.style, limit: width)
    }
    guard lines.isEmpty || bottom < last else { return }
    // Keeps the last key, which leaves the screen. Scrolling keys are hidden if all bees are visible.
    var keys = keys.split(by: "  ").filter { position != nil || !$0.hasPrefix("↑↓") }
    let room = width - (position.map { $0.count + 1 } ?? 0)
    while keys.count > 1, keys.joined(separator: "  ").count > room { keys.removeFirst() }
    let end = canvas.write(keys.joined(separator: "  "), row: last, column: 1, style: .dim, limit: width)
    guard let position, canvas.columns - position.count - 1 > end else { return }
    canvas.write(position, row: last, column: canvas.columns - position.count - 1, style: .dim)
  }

  private static func wrapped(
    _ lines: [(text: String, style: Style)], width: Int
  ) -> [(text: String, style: Style)] {
    lines.flatMap { line in WordWrap.lines(line.text, width: width).map { (text: $0, style: line.style) } }
  }

  /// Draws lines in the middle of the screen. The last line, with the keys, is drawn on a low screen too.
  static func drawMiddle(_ lines: [(text: String, style: Style)], on canvas: inout Canvas) {
    var lines = wrapped(lines, width: canvas.columns - 2)
    if lines.count > canvas.rows { lines.removeAll(where: \.text.isEmpty) }
    if lines.count > canvas.rows { lines.removeSubrange(max(0, canvas.rows - 1)..<lines.count - 1) }
    let top = max(0, (canvas.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      let width = DisplayWidth.of(line.text.terminalSafe)
      canvas.write(
        line.text, row: top + index, column: max(0, (canvas.columns - width) / 2), style: line.style)
    }
  }
}
