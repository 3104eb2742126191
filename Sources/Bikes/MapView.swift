import System
import Terminal

/// A piece of the Earth as a terminal shows it: north is up, and a row is as high as two columns are wide.
struct MapView: Equatable, Sendable {
  var centre: Place
  /// Metres that a column spans.
  var scale: Double

  /// As much as a circle needs, on a canvas of this size.
  init(of circle: Circle, on size: WindowSize) {
    centre = circle.place
    scale = max(
      2 * circle.metres / Double(max(1, size.columns - 2)),
      circle.metres / Double(max(1, size.rows - 4)))
  }

  /// As much as shows all of these bikes.
  init(showing bikes: [Bike], on size: WindowSize) {
    let middle = bikes.first?.place ?? .zero
    let offsets = bikes.map { middle.offset(to: $0.place) }
    let (west, east) = (offsets.map(\.east).min() ?? 0, offsets.map(\.east).max() ?? 0)
    let (south, north) = (offsets.map(\.north).min() ?? 0, offsets.map(\.north).max() ?? 0)
    centre = middle.moved(north: (north + south) / 2, east: (east + west) / 2)
    scale = max(
      1, (east - west) / Double(max(1, size.columns - 8)),
      (north - south) / 2 / Double(max(1, size.rows - 5)))
  }

  /// Where a place is; it may lie outside.
  func position(of place: Place, on size: WindowSize) -> Canvas.Position {
    let (east, north) = centre.offset(to: place)
    return Canvas.Position(
      row: MapView.whole(Double(size.rows) / 2 - north / (2 * scale)),
      column: MapView.whole(Double(size.columns) / 2 + east / scale))
  }

  /// The place that is shown there.
  func place(at position: Canvas.Position, on size: WindowSize) -> Place {
    centre.moved(
      north: (Double(size.rows) / 2 - Double(position.row) - 0.5) * 2 * scale,
      east: (Double(position.column) + 0.5 - Double(size.columns) / 2) * scale)
  }

  private static func whole(_ number: Double) -> Int { Int(max(-1e6, min(1e6, number.rounded(.down)))) }

  /// Draws bikes, farther ones first so that near ones stay on top, then you, north and a scale.
  func draw(_ bikes: [FoundBike], you: Place?, picked: String? = nil, on canvas: inout Canvas) {
    let size = canvas.size
    for found in bikes.reversed() where found.bike.id != picked { mark(found, isPicked: false, &canvas) }
    if let you {
      let spot = position(of: you, on: size)
      canvas.write("✛", row: spot.row, column: spot.column, style: .bold)
    }
    if let found = bikes.first(where: { $0.bike.id == picked }) { mark(found, isPicked: true, &canvas) }
    canvas.write("N↑", row: 0, column: size.columns - 3, style: .bold)
    bar(&canvas)
  }

  private func mark(_ found: FoundBike, isPicked: Bool, _ canvas: inout Canvas) {
    let spot = position(of: found.bike.place, on: canvas.size)
    guard (0..<canvas.rows).contains(spot.row), (0..<canvas.columns).contains(spot.column) else { return }
    let color = found.bike.frameColor?.style ?? .plain
    let style = isPicked ? color + .reversed : found.bike.isRented ? color + .dim : color
    canvas.write(found.bike.isRented ? "○" : "●", row: spot.row, column: spot.column, style: style)
    let label = isPicked ? .bold + .reversed : Style.dim
    canvas.write(found.bike.id, row: spot.row, column: spot.column + 1, style: label, limit: 8)
  }

  /// The longest of 1, 2, 5, 10 … metres that a quarter of the width holds.
  private func bar(_ canvas: inout Canvas) {
    let room = Double(canvas.columns) / 4 * scale
    var length = 1.0
    for factor in [2.0, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2]
    where length * factor <= room { length *= factor }
    let width = max(2, Int((length / scale).rounded()))
    guard width < canvas.columns else { return }
    let row = canvas.rows - 1
    canvas.write("├" + String(repeating: "─", count: width - 2) + "┤", row: row, column: 0)
    let text = length >= 1000 ? "\((length / 1000).plain) km" : "\(length.plain) m"
    canvas.write(" \(text)", row: row, column: width)
  }
}

extension Canvas {
  /// The picture as lines of text, styled where colour is wanted.
  func text(color: Bool) -> String {
    var text = ""
    for row in 0..<rows {
      var line = ""
      var blanks = ""
      for column in 0..<columns {
        let cell = self[row: row, column: column]
        if cell.text == " ", cell.style == .plain {
          blanks += " "
          continue
        }
        line += blanks
        blanks = ""
        line += color && cell.style != .plain ? cell.style.applied(to: cell.text) : cell.text
      }
      text += line + "\n"
    }
    return text
  }
}
