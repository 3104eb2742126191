import System
import Terminal

/// The standings as rows on a screen: as many as fit, in columns side by side if the screen is wide enough. Rows slide
/// to their new positions.
struct RaceBoard: Sendable {
  private(set) var bees: [Bee] = []
  /// The row of each bee before the last change; empty if nothing slides.
  private var origins: [Int] = []
  private var movedAt = Duration.zero
  private var scroll = 0
  private var page = 1

  static let slide = Duration.milliseconds(400)
  /// A longer list changes without an animation.
  private static let longestSliding = 200
  private static let columnWidth = 36

  mutating func show(_ new: [Bee], at now: Duration, slides: Bool) {
    let old = bees
    bees = new
    movedAt = now
    origins =
      slides && !old.isEmpty && new.count <= RaceBoard.longestSliding
      ? RaceBoard.rows(of: new, in: old) : []
  }

  /// The row in `old` of each of `new`. Equal bees keep their order; a new bee comes in from below.
  private static func rows(of new: [Bee], in old: [Bee]) -> [Int] {
    var rows: [Bee: [Int]] = [:]
    for (row, bee) in old.enumerated().reversed() { rows[bee, default: []].append(row) }
    return new.map { bee in rows[bee]?.popLast() ?? max(old.count, new.count) }
  }

  func isSliding(at now: Duration) -> Bool { !origins.isEmpty && now - movedAt < RaceBoard.slide }

  /// Keys that scroll; false for any other.
  mutating func scroll(by key: Key) -> Bool {
    switch key {
    case .up, .character("k"): scroll -= 1
    case .down, .character("j"): scroll += 1
    case .pageUp: scroll -= page
    case .pageDown, .character(" "): scroll += page
    case .home: scroll = 0
    case .end: scroll = bees.count
    case .mouse(let mouse) where mouse.action == .wheelUp: scroll -= 3
    case .mouse(let mouse) where mouse.action == .wheelDown: scroll += 3
    default: return false
    }
    scroll = max(0, min(scroll, bees.count - page))
    return true
  }

  /// Sets the number of rows that fit.
  mutating func fit(_ size: WindowSize, height: Int) {
    page = max(1, max(0, height) * RaceBoard.columns(size))
    scroll = max(0, min(scroll, bees.count - page))
  }

  private static func columns(_ size: WindowSize) -> Int { max(1, size.columns / columnWidth) }

  func draw(on canvas: inout Canvas, top: Int, height: Int, at now: Duration) {
    guard height > 0 else { return }
    let columns = bees.count > height ? RaceBoard.columns(canvas.size) : 1
    let width = columns == 1 ? canvas.columns : canvas.columns / columns
    let first = max(0, min(scroll, bees.count - height * columns))
    // From the last to the first, so that a bee that moves up slides over the others.
    for index in bees.indices.reversed() {
      let row = drawnRow(index, at: now) - first
      guard row >= 0, row < height * columns else { continue }
      let (column, line) = (row / height * width, top + row % height)
      canvas.fill(row: line, column: column, width: width)
      drawRow(index, on: &canvas, row: line, column: column, width: width)
    }
  }

  private func drawnRow(_ row: Int, at now: Duration) -> Int {
    guard isSliding(at: now), origins.indices.contains(row) else { return row }
    let part = (now - movedAt) / RaceBoard.slide
    // Fast at first, slow at the end.
    let eased = 1 - (1 - part) * (1 - part)
    return origins[row] + Int((Double(row - origins[row]) * eased).rounded())
  }

  private func drawRow(_ index: Int, on canvas: inout Canvas, row: Int, column: Int, width: Int) {
    let position = Rank(number: index + 1)
    let bee = bees[index]
    let end = column + width
    let ordinal = position.ordinal
    canvas.write(
      ordinal, row: row, column: column + max(1, 7 - ordinal.utf8.count), style: index == 0 ? .bold : .plain,
      limit: width)
    if let medal = position.medal {
      canvas.write(medal, row: row, column: column + 8, limit: end - column - 8)
    }
    canvas.write(
      "⬢", row: row, column: column + 11, style: bee.style ?? .dim, limit: max(0, end - column - 11))
    canvas.write(
      bee.name, row: row, column: column + 13, style: index == 0 ? .bold : .plain,
      limit: max(0, end - column - 14))
  }
}

/// The screen of a race, live or replayed: countdown and progress bar, the board, a note, and the keys.
struct RaceView {
  var title: String
  var elapsed: Duration
  var length: Duration?
  var note: (text: String, style: Style)?
  var keys: String

  /// The rows available to the board.
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
    // To an eighth of a column, so that the bar does not jump every second.
    canvas.write(BarChart.bar(min(1, elapsed / length), room: room), row: 1, column: 1, style: .yellow)
  }

  private func drawFoot(on canvas: inout Canvas) {
    let last = canvas.rows - 1
    if let note {
      canvas.write(note.text, row: last - 1, column: 1, style: note.style, limit: canvas.columns - 2)
    }
    canvas.write(keys, row: last, column: 1, style: .dim, limit: canvas.columns - 2)
  }

  /// Draws a few lines in the middle of the screen.
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

  /// Breaks lines at spaces, and a longer word at the edge, so that an address can be read completely.
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
