import System

@testable import Terminal

/// As much of a terminal as the painter speaks to, so that a test can look at what a person would see. Anything it
/// does not know is an error.
struct TinyTerminal {
  let columns: Int
  let rows: Int
  private(set) var cells: [Canvas.Cell]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var complaints: [String] = []
  private var style = ""

  init(_ size: WindowSize) {
    columns = size.columns
    rows = size.rows
    // Whatever was there before must not shine through.
    cells = Array(repeating: Canvas.Cell(text: "?", style: Style("31")), count: columns * rows)
  }

  mutating func take(_ bytes: [UInt8]) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let first = rest.first {
      if first == "\u{1B}" {
        rest.removeFirst()
        control(&rest)
      } else {
        rest.removeFirst()
        write(first)
      }
    }
  }

  private mutating func control(_ rest: inout Substring) {
    guard rest.popFirst() == "[" else { return complaints.append("not CSI") }
    let parameters = rest.prefix { "0123456789;?".contains($0) }
    rest.removeFirst(parameters.count)
    let numbers = parameters.split(separator: ";").map { Int($0) ?? -1 }
    switch (rest.popFirst(), String(parameters)) {
    case ("h", "?2026"), ("l", "?2026"), ("h", "?25"), ("l", "?25"): break
    case ("J", "2"): for index in cells.indices { erase(index) }
    case ("K", ""): for column in column..<columns { erase(row * columns + column) }
    case ("C", _): column += numbers.first ?? 1
    case ("H", _): (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case ("m", ""): style = ""
    case ("m", let text): style = text.hasPrefix("0;") ? String(text.dropFirst(2)) : style + text
    case (let final, _): complaints.append("CSI \(parameters)\(final.map(String.init) ?? "")")
    }
    if !(0..<rows).contains(row) || !(0..<columns).contains(column) { complaints.append("moved outside") }
  }

  private mutating func erase(_ index: Int) {
    cells[index] = Canvas.Cell(text: " ", style: Style(style))
  }

  private mutating func write(_ character: Character) {
    let width = DisplayWidth.of(character)
    guard column + width <= columns else { return complaints.append("wrote over the edge") }
    for offset in 0..<width {
      let index = row * columns + column + offset
      // Half of a wide character is nothing.
      if cells[index].text.isEmpty, offset == 0 { cells[index - 1].text = " " }
      if column + offset + 1 < columns, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
      cells[index] = Canvas.Cell(text: offset == 0 ? String(character) : "", style: Style(style))
    }
    column += width
    // As terminals with wrapping turned off have it: the cursor stays on the last column.
    if column == columns { column -= 1 }
  }
}
