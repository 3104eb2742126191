import Command
import System
import Terminal

/// The standings on a screen: a list in columns, or a lane for each bee. Bees slide to their new positions.
struct RaceBoard: Sendable {
  private var rows: [Row] = []
  /// `A takes the lead from B`, after a change of the leader.
  private(set) var leadChange: String?
  /// The start of the slide; nil if nothing slides.
  private var movedAt: Duration?
  private var scroll = 0
  private var page = 1
  private var showsChanges = true
  /// Bees on the podium, which the list omits.
  private var skipped = 0

  static let slide = Duration.milliseconds(400)
  private static let mostSlidingBees = 200
  private static let columnWidth = 36

  private struct Row {
    let bee: Bee
    let origin: Int
    let gain: Int
    /// Lanes are in the order of appearance.
    var lane: Int
  }

  var bees: [Bee] { rows.map(\.bee) }

  mutating func show(_ new: [Bee], at now: Duration, slides: Bool) {
    let old = rows.map(\.bee)
    movedAt = nil
    guard new != old else { return }
    if slides, !old.isEmpty, new.count <= RaceBoard.mostSlidingBees { movedAt = now }
    leadChange = nil
    if let leader = new.first, let former = old.first, leader != former {
      leadChange = "\(leader.name) takes the lead from \(former.name)"
    }
    let lanes = rows.map(\.lane)
    rows = zip(new, RaceBoard.origins(of: new, in: old)).enumerated().map { row, moved in
      let (bee, origin) = moved
      return Row(
        bee: bee, origin: origin, gain: origin < old.count ? origin - row : 0,
        lane: origin < old.count ? lanes[origin] : lanes.count + row)
    }
    // Closes the lanes of bees that have left.
    let order = rows.indices.sorted { rows[$0].lane < rows[$1].lane }
    for (lane, index) in order.enumerated() { rows[index].lane = lane }
  }

  /// The former row of each bee. Equal bees keep their order; new bees slide in from below.
  private static func origins(of new: [Bee], in old: [Bee]) -> [Int] {
    var rows: [Bee: [Int]] = [:]
    for (row, bee) in old.enumerated().reversed() { rows[bee, default: []].append(row) }
    return new.map { bee in rows[bee]?.popLast() ?? max(old.count, new.count) }
  }

  func isSliding(at now: Duration) -> Bool { slidden(at: now) != nil }

  /// The finished part of the slide; nil if nothing slides.
  private func slidden(at now: Duration) -> Double? {
    guard let movedAt, now - movedAt < RaceBoard.slide else { return nil }
    return (now - movedAt) / RaceBoard.slide
  }

  mutating func scroll(by key: Key) {
    scroll = key.scrolled(from: scroll, page: page, count: rows.count) ?? scroll
    keepScrollInList()
  }

  /// Sets the number of rows that fit, and of bees that the list omits.
  mutating func fit(_ size: WindowSize, height: Int, skipping skipped: Int = 0, showsChanges: Bool = true) {
    self.skipped = skipped
    self.showsChanges = showsChanges
    page = max(1, height * RaceBoard.columns(size))
    keepScrollInList()
  }

  private mutating func keepScrollInList() { scroll = max(0, min(scroll, rows.count - skipped - page)) }

  private static func columns(_ size: WindowSize) -> Int { max(1, size.columns / columnWidth) }

  func draw(on canvas: inout Canvas, top: Int, left: Int = 0, height: Int, at now: Duration) {
    let columns = rows.count - skipped > height ? RaceBoard.columns(canvas.size) : 1
    let width = (canvas.columns - left) / columns
    let first = skipped + max(0, min(scroll, rows.count - skipped - height * columns))
    let part = slidden(at: now)
    // Backwards, so that a bee that moves up slides over the others.
    for index in rows.indices.reversed() {
      let origin = rows[index].origin
      let row = (part.map { Int(RaceBoard.place(from: origin, to: index, $0).rounded()) } ?? index) - first
      guard row >= 0, row < height * columns else { continue }
      let (column, line) = (left + row / height * width, top + row % height)
      canvas.fill(row: line, column: column, width: width)
      drawRow(index, on: &canvas, row: line, column: column, width: width)
    }
  }

  private static func place(from origin: Int, to row: Int, _ part: Double) -> Double {
    // Fast at first, slow at the end.
    Double(origin) + Double(row - origin) * (1 - (1 - part) * (1 - part))
  }

  /// `6–10 of 40`; nil if all bees are visible.
  var position: String? {
    guard rows.count - skipped > page else { return nil }
    return "\(skipped + scroll + 1)–\(skipped + scroll + page) of \(rows.count)"
  }

  private func drawRow(_ index: Int, on canvas: inout Canvas, row: Int, column: Int, width: Int) {
    let bee = rows[index].bee
    let style = index == 0 ? Style.bold : .plain
    let position = Rank(number: index + 1)
    let ordinal = position.ordinal
    canvas.write(ordinal, row: row, column: column + max(1, 7 - ordinal.utf8.count), style: style)
    if let medal = position.medal { canvas.write(medal, row: row, column: column + 8) }
    canvas.write("•", row: row, column: column + 11, style: bee.style ?? .dim)
    let change = change(of: rows[index])
    let nameEnd = canvas.write(
      bee.name, row: row, column: column + 13, style: style, limit: width - 14 - change.text.count)
    canvas.write(change.text, row: row, column: nameEnd, style: change.style)
  }

  private func change(of row: Row) -> (text: String, style: Style) {
    guard showsChanges else { return ("", .plain) }
    let text = row.gain > 0 ? " ▲\(row.gain)" : row.gain < 0 ? " ▼\(-row.gain)" : ""
    if leadChange != nil, row.bee == rows[0].bee { return (" ★\(text)", .bold + .green) }
    return (text, row.gain > 0 ? .green : .red)
  }

  // MARK: Lanes

  private static let narrowestLanes = 60
  private static let listWidth = 32
  private static let nameWidth = 14
  private static let placeWidth = 15

  /// Whether the screen has room for a lane for each bee.
  func hasLanes(_ columns: Int, height: Int) -> Bool {
    columns >= RaceBoard.narrowestLanes && !rows.isEmpty && rows.count <= height
  }

  /// Draws a lane for each bee. The leader is at the progress of the race, the others behind it by position. Beside the
  /// lanes is the list or, on a narrow screen, the position of each bee.
  func drawLanes(on canvas: inout Canvas, top: Int, height: Int, progress: Double, at now: Duration) {
    let hasList = canvas.columns >= RaceBoard.narrowestLanes + RaceBoard.listWidth
    let right = canvas.columns - (hasList ? RaceBoard.listWidth : RaceBoard.placeWidth)
    let start = RaceBoard.nameWidth + 2
    let (part, step) = (slidden(at: now), max(1, min(3, height / rows.count)))
    for (index, row) in rows.enumerated() {
      let line = top + row.lane * step
      canvas.write(
        row.bee.name, row: line, column: 1, style: index == 0 ? .bold : .plain, limit: RaceBoard.nameWidth)
      let place =
        part.map { RaceBoard.place(from: min(row.origin, rows.count), to: index, $0) } ?? Double(index)
      let behind = 0.6 * place / Double(max(1, rows.count - 1))
      let end = start + Int((Double(right - start - 3) * progress * (1 - min(1, behind))).rounded())
      canvas.write(String(repeating: "·", count: end - start), row: line, column: start, style: .dim)
      canvas.write("🐝", row: line, column: end, style: row.bee.style ?? .plain)
      canvas.write("│", row: line, column: right - 1, style: .dim)
      guard !hasList else { continue }
      let rank = Rank(number: index + 1)
      let rankEnd = canvas.write(
        "\(rank.ordinal) \(rank.medal ?? "")", row: line, column: right + 1,
        style: index == 0 ? .bold : .plain)
      let change = change(of: row)
      canvas.write(change.text, row: line, column: rankEnd, style: change.style)
    }
    if hasList { draw(on: &canvas, top: top, left: right, height: height, at: now) }
  }

  func drawPodium(on canvas: inout Canvas, top: Int) {
    let width = min(20, (canvas.columns - 4) / 3)
    let left = (canvas.columns - 3 * width - 2) / 2
    for (index, row) in rows.prefix(3).enumerated() {
      let column = left + [1, 0, 2][index] * (width + 1)
      let (rank, style) = (Rank(number: index + 1), row.bee.style ?? .reversed)
      let text = "\(rank.medal ?? "") \(row.bee.name)".terminalSafe.truncated(to: width)
      let middle = column + max(0, (width - DisplayWidth.of(text)) / 2)
      canvas.write(text, row: top + index, column: middle, style: index == 0 ? .bold : .plain)
      canvas.fill(row: top + index + 1, column: column, width: width, height: 3 - index, style: style)
      canvas.write(
        rank.ordinal, row: top + 3, column: column + (width - rank.ordinal.count) / 2, style: style)
    }
  }
}
