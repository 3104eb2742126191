import System
import Terminal

/// The standings as rows on a screen: as many as fit, in columns side by side if the screen is wide enough. Rows slide
/// to their new positions.
struct RaceBoard: Sendable {
  private var rows: [Row] = []
  /// When the rows began to slide; nil if they do not.
  private var movedAt: Duration?
  private var scroll = 0
  private var page = 1

  static let slide = Duration.milliseconds(400)
  /// A longer list changes without an animation.
  private static let longestSliding = 200
  private static let columnWidth = 36

  private struct Row {
    let bee: Bee
    /// The row of the bee before the last change.
    let origin: Int
    /// How many positions the bee has gained with the last change.
    let gain: Int
  }

  mutating func show(_ new: [Bee], at now: Duration, slides: Bool) {
    let old = rows.map(\.bee)
    movedAt = nil
    guard new != old else { return }
    if slides, !old.isEmpty, new.count <= RaceBoard.longestSliding { movedAt = now }
    rows = zip(new, RaceBoard.origins(of: new, in: old)).enumerated().map { row, moved in
      let (bee, origin) = moved
      return Row(bee: bee, origin: origin, gain: origin < old.count ? origin - row : 0)
    }
  }

  /// The row in `old` of each of `new`. Equal bees keep their order; a new bee comes in from below.
  private static func origins(of new: [Bee], in old: [Bee]) -> [Int] {
    var rows: [Bee: [Int]] = [:]
    for (row, bee) in old.enumerated().reversed() { rows[bee, default: []].append(row) }
    return new.map { bee in rows[bee]?.popLast() ?? max(old.count, new.count) }
  }

  func isSliding(at now: Duration) -> Bool { slidden(at: now) != nil }

  /// The part of the slide that is over; nil if nothing slides.
  private func slidden(at now: Duration) -> Double? {
    guard let movedAt, now - movedAt < RaceBoard.slide else { return nil }
    return (now - movedAt) / RaceBoard.slide
  }

  /// Other keys do nothing.
  mutating func scroll(by key: Key) {
    switch key {
    case .up, .character("k"): scroll -= 1
    case .down, .character("j"): scroll += 1
    case .pageUp: scroll -= page
    case .pageDown, .character(" "): scroll += page
    case .home: scroll = 0
    case .end: scroll = rows.count
    case .mouse(let mouse) where mouse.action == .wheelUp: scroll -= 3
    case .mouse(let mouse) where mouse.action == .wheelDown: scroll += 3
    default: return
    }
    scroll = max(0, min(scroll, rows.count - page))
  }

  /// Sets the number of rows that fit.
  mutating func fit(_ size: WindowSize, height: Int) {
    page = max(1, height * RaceBoard.columns(size))
    scroll = max(0, min(scroll, rows.count - page))
  }

  private static func columns(_ size: WindowSize) -> Int { max(1, size.columns / columnWidth) }

  func draw(on canvas: inout Canvas, top: Int, height: Int, at now: Duration) {
    let columns = rows.count > height ? RaceBoard.columns(canvas.size) : 1
    let width = canvas.columns / columns
    let first = max(0, min(scroll, rows.count - height * columns))
    let part = slidden(at: now)
    // From the last to the first, so that a bee that moves up slides over the others.
    for index in rows.indices.reversed() {
      let origin = rows[index].origin
      let row = (part.map { RaceBoard.row(from: origin, to: index, $0) } ?? index) - first
      guard row >= 0, row < height * columns else { continue }
      let (column, line) = (row / height * width, top + row % height)
      canvas.fill(row: line, column: column, width: width)
      drawRow(index, on: &canvas, row: line, column: column, width: width)
    }
  }

  /// The row after a part of the slide.
  private static func row(from origin: Int, to row: Int, _ part: Double) -> Int {
    // Fast at first, slow at the end.
    let eased = 1 - (1 - part) * (1 - part)
    return origin + Int((Double(row - origin) * eased).rounded())
  }

  /// `6–10 of 40`; nil if all bees are visible.
  var position: String? {
    guard rows.count > page else { return nil }
    return "\(scroll + 1)–\(scroll + page) of \(rows.count)"
  }

  private func drawRow(_ index: Int, on canvas: inout Canvas, row: Int, column: Int, width: Int) {
    let (bee, gain) = (rows[index].bee, rows[index].gain)
    let style = index == 0 ? Style.bold : .plain
    guard width >= RaceBoard.narrow else {
      // No room for medals: the position and the name.
      let start = canvas.write("\(index + 1) ", row: row, column: column, style: .dim)
      canvas.write(bee.name, row: row, column: start, style: style)
      return
    }
    let position = Rank(number: index + 1)
    let ordinal = position.ordinal
    canvas.write(ordinal, row: row, column: column + max(1, 7 - ordinal.utf8.count), style: style)
    if let medal = position.medal { canvas.write(medal, row: row, column: column + 8) }
    canvas.write("⬢", row: row, column: column + 11, style: bee.style ?? .dim)
    let change: (text: String, style: Style) =
      gain > 0 ? (" ▲\(gain)", .green) : gain < 0 ? (" ▼\(-gain)", .red) : ("", .plain)
    let nameEnd = canvas.write(
      bee.name, row: row, column: column + 13, style: style, limit: width - 14 - change.text.count)
    canvas.write(change.text, row: row, column: nameEnd, style: change.style)
  }

  /// A narrower row has the position and the name alone.
  private static let narrow = 22
}

extension RaceEvent {
  /// The title of the screen after the finish.
  var title: String {
    guard isProvisional != true else { return "The finish was not seen" }
    return winner.map { "🏆 \($0) wins" } ?? "Nobody was in the race"
  }
}

/// The screen of a race, live or replayed: countdown and progress bar, the board, a note, and the keys.
struct RaceView {
  var title: String
  var elapsed: Duration
  var length: Duration?
  var note: (text: String, style: Style)?
  var keys: String
  /// The countdown gives way to the title.
  var isOver = false

  init(
    title: String, elapsed: Duration, length: Duration?, note: (text: String, style: Style)?, keys: String
  ) {
    (self.title, self.elapsed, self.length, self.note, self.keys) = (title, elapsed, length, note, keys)
  }

  /// The first row of the board. A low screen has no bar and no empty rows.
  private static func boardTop(_ rows: Int) -> Int { rows < 8 ? min(1, rows - 1) : 3 }

  /// The rows available to the board: one at least, for the leader.
  static func boardHeight(_ size: WindowSize) -> Int {
    size.rows < 8 ? max(1, size.rows - 2) : size.rows - 5
  }

  func draw(on canvas: inout Canvas, _ board: RaceBoard, at now: Duration) {
    let countdown = length.map { ($0 - elapsed).countdown } ?? "–:––"
    let room = isOver ? 2 : 10
    canvas.write("🐝 \(title)", row: 0, column: 1, style: .bold, limit: canvas.columns - room)
    if !isOver {
      canvas.write(countdown, row: 0, column: max(1, canvas.columns - countdown.count - 1), style: .bold)
    }
    let top = RaceView.boardTop(canvas.rows)
    if top > 1 { drawBar(on: &canvas) }
    board.draw(on: &canvas, top: top, height: RaceView.boardHeight(canvas.size), at: now)
    drawFoot(on: &canvas, board.position)
  }

  private func drawBar(on canvas: inout Canvas) {
    guard let length, length > .zero else { return }
    // To an eighth of a column, so that the bar does not jump every second.
    let bar = BarChart.bar(elapsed / length, room: canvas.columns - 2)
    canvas.write(bar, row: 1, column: 1, style: .yellow)
  }

  /// The note, on as many rows as it needs up to three, then the keys and the part of the board that is shown.
  private func drawFoot(on canvas: inout Canvas, _ position: String?) {
    let last = canvas.rows - 1
    guard last > RaceView.boardTop(canvas.rows) else { return }
    let width = max(1, canvas.columns - 2)
    // A low screen keeps the leader, and has no room for both.
    let lines = RaceView.wrapped(note.map { [$0] } ?? [], width: width).prefix(canvas.rows < 8 ? 1 : 3)
    let bottom = canvas.rows < 8 ? last : last - 1
    for (index, line) in lines.enumerated() {
      let row = bottom - lines.count + 1 + index
      canvas.fill(row: row, column: 0, width: canvas.columns)
      canvas.write(line.text, row: row, column: 1, style: line.style, limit: width)
    }
    guard lines.isEmpty || bottom < last else { return }
    let end = canvas.write(keys, row: last, column: 1, style: .dim, limit: width)
    guard let position else { return }
    let column = canvas.columns - position.count - 1
    if column > end {
      canvas.write(position, row: last, column: column, style: .dim)
    } else if column > 0 {
      canvas.fill(row: last, column: 0, width: canvas.columns)
      canvas.write(position, row: last, column: 1, style: .dim)
    }
  }

  private static func wrapped(
    _ lines: [(text: String, style: Style)], width: Int
  ) -> [(text: String, style: Style)] {
    lines.flatMap { line in WordWrap.lines(line.text, width: width).map { (text: $0, style: line.style) } }
  }

  /// Draws a few lines in the middle of the screen.
  static func drawMiddle(_ lines: [(text: String, style: Style)], on canvas: inout Canvas) {
    let lines = wrapped(lines, width: canvas.columns - 2)
    let top = max(0, (canvas.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      let width = DisplayWidth.of(line.text.terminalSafe)
      canvas.write(
        line.text, row: top + index, column: max(0, (canvas.columns - width) / 2), style: line.style)
    }
  }
}
