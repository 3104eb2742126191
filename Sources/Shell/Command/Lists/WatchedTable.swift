import HTTP
import Output
import System
import Terminal

/// Watched list on the whole screen: the last good rows with highlighted changes, errors on the last line. Arrow and
/// page keys scroll, q quits, also during a request.
struct WatchedTable: InteractiveScreen {
  private let interval: Duration
  private let clock: () -> String
  private var result: ListWatch.PollResult?
  private var before: [String: CapturedRow] = [:]
  private var status = "loading..."
  private var height = 24
  private var top = 0
  /// Time of the next poll; nil during a request.
  private var nextPoll: Duration? = .zero
  private let deadline: Deadline?

  init(interval: Duration, deadline: Deadline? = nil, clock: @escaping () -> String) {
    self.interval = interval
    self.deadline = deadline
    self.clock = clock
  }

  var alarm: Duration? { [nextPoll, deadline?.end].compactMap(\.self).min() }

  mutating func handle(
    _ event: ScreenEvent<ListWatch.PollResult>, at uptime: Duration
  ) throws(Failure) -> Next<Void> {
    switch event {
    case .resized(let size): height = size.rows
    case .tick:
      if let deadline, deadline.end <= uptime { throw deadline.failure }
      // The next interval begins after the request.
      nextPoll = nil
      return .request(())
    case .completed(.success(let result)):
      before = Dictionary((self.result?.rows ?? result.rows).map { ($0.key, $0) }) { first, _ in first }
      self.result = result
      let count = result.rows.count
      status = "\(clock())  \(count) \(count == 1 ? "row" : "rows"), every \(interval.inSeconds); q quits"
      nextPoll = uptime + interval
    case .completed(.failure(let failure)):
      guard result != nil, failure.mayEndByItself else { throw failure }
      // In this order: a narrow terminal cuts off the reason, not that the rows are stale.
      status = "\(clock()) stale: \(failure.message)"
      nextPoll = uptime + interval
    case .key(let key):
      if key == .character("q") || key == .escape { return .leave }
      top = key.scrolled(from: top, page: room, count: rows.count) ?? top
    }
    top = max(0, min(top, rows.count - room))
    return .stay
  }

  private var rows: [CapturedRow] { result?.rows ?? [] }

  /// Number of lines between the header row and the status.
  private var room: Int { max(0, height - 2) }

  func draw(on canvas: inout Canvas) {
    // A single line is for the status.
    if let result, canvas.rows > 1 {
      let table = ScreenTable(result.columns, result.rows.map { $0.shown }, width: canvas.columns)
      for column in table.columns { draw(TableCell(column.title), .bold, row: 0, column, on: &canvas) }
      for (line, row) in result.rows.dropFirst(top).prefix(room).enumerated() {
        draw(row, line + 1, table, on: &canvas)
      }
    }
    canvas.write(status, row: canvas.rows - 1, column: 0, style: .dim)
  }

  /// Draws new rows and changed cells in reverse.
  private func draw(_ row: CapturedRow, _ line: Int, _ table: ScreenTable, on canvas: inout Canvas) {
    let known = before[row.key]
    for (index, column) in table.columns.enumerated() {
      let cell = row.shown[index]
      let isChanged = known.map { $0.shown[index] != cell } ?? true
      draw(cell, isChanged ? .reversed : cell.style ?? .plain, row: line, column, on: &canvas)
    }
  }

  private func draw(
    _ cell: TableCell, _ style: Style, row: Int, _ column: ScreenTable.PlacedColumn, on canvas: inout Canvas
  ) {
    let text = cell.text.terminalSafe.truncated(to: column.width)
    let start = column.isRightAligned ? column.start + column.width - DisplayWidth.of(text) : column.start
    canvas.write(text, row: row, column: start, style: style)
  }
}
