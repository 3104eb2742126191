/// Converts a canvas to the bytes that update a terminal: only changed cells are written, in one piece per frame.
public struct Painter: Sendable {
  private let color: Bool
  private var shown: Canvas?

  public init(color: Bool) { self.color = color }

  /// Forgets the terminal's content, after a resize or a suspension: the next frame clears it.
  public mutating func forget() { shown = nil }

  /// Bytes that change the last frame to this one; none if they are equal.
  public mutating func frame(_ canvas: Canvas) -> [UInt8] {
    guard canvas != shown else { return [] }
    let before = shown?.size == canvas.size ? shown : nil
    var pen = Pen(color: color)
    if before == nil { pen.write("\u{1B}[m\u{1B}[2J") }
    let old = before ?? Canvas(canvas.size)
    for row in 0..<canvas.rows where canvas.differs(from: old, inRow: row) {
      paint(row, of: canvas, over: old, &pen)
    }
    pen.finish(canvas)
    shown = canvas
    return pen.bytes
  }

  private func paint(_ row: Int, of canvas: Canvas, over old: Canvas, _ pen: inout Pen) {
    // The cells from here on are blank.
    var rest = canvas.columns
    while rest > 0, canvas[row: row, column: rest - 1] == .blank { rest -= 1 }
    var column = 0
    while column < canvas.columns {
      let cell = canvas[row: row, column: column]
      let width = canvas[row: row, column: column + 1].isTail ? 2 : 1
      let changed = (column..<column + width).contains { column in
        canvas[row: row, column: column] != old[row: row, column: column]
      }
      if changed {
        pen.move(to: row, column, over: canvas)
        if column >= rest, canvas.columns - column > 3 {
          pen.use(.plain)
          pen.write("\u{1B}[K")
          return
        }
        pen.use(cell.style)
        pen.draw(cell.text, at: row, column, width: width)
      }
      column += width
    }
  }
}

private struct Pen {
  /// With `?2026`, the terminal shows the frame when it is complete. Other terminals ignore it.
  private(set) var bytes = Array("\u{1B}[?2026h\u{1B}[?25l".utf8)
  private let color: Bool
  private var style = Style.plain
  /// Position of the cursor; nil after a cluster whose width depends on the terminal.
  private var position: Canvas.Position?

  init(color: Bool) { self.color = color }

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Moves to a cell. Rewriting a few cells is shorter than jumping over them.
  mutating func move(to row: Int, _ column: Int, over canvas: Canvas) {
    let target = Canvas.Position(row: row, column: column)
    guard position != target else { return }
    if let position, position.row == row, position.column < column {
      let between = (position.column..<column).map { canvas[row: row, column: $0] }
      let isCheap =
        between.count < 4 && between.allSatisfy { available($0.style) == style && $0.text.utf8.count == 1 }
      write(isCheap ? between.map(\.text).joined() : "\u{1B}[\(between.count)C")
    } else {
      write("\u{1B}[\(row + 1);\(column + 1)H")
    }
    position = target
  }

  mutating func use(_ wanted: Style) {
    let wanted = available(wanted)
    guard wanted != style else { return }
    if wanted == .plain {
      write("\u{1B}[m")
    } else {
      write(style == .plain ? "\u{1B}[\(wanted.parameters)m" : "\u{1B}[0;\(wanted.parameters)m")
    }
    style = wanted
  }

  /// Style without color if the terminal shows none.
  private func available(_ wanted: Style) -> Style { color ? wanted : wanted.withoutColor }

  mutating func draw(_ text: String, at row: Int, _ column: Int, width: Int) {
    write(text)
    let isCertain = text.unicodeScalars.count == 1
    position = isCertain ? Canvas.Position(row: row, column: column + width) : nil
  }

  mutating func finish(_ canvas: Canvas) {
    use(.plain)
    if let cursor = canvas.cursor {
      move(to: cursor.row, cursor.column, over: canvas)
      write("\u{1B}[?25h")
    }
    write("\u{1B}[?2026l")
  }
}
