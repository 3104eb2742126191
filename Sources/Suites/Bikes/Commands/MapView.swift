import System
import Terminal

/// A map section on a terminal. North is up; a row is as high as two columns are wide.
struct MapView: Equatable, Sendable {
  var center: Place
  /// Meters per column.
  var scale: Double

  /// Prevents a division by zero for a radius of zero.
  static let smallestScale = 0.05
  /// At this scale the Earth fits on five columns.
  private static let largestScale = 1e7

  init(of circle: Circle, on size: WindowSize) {
    center = circle.place
    let needed = max(
      2 * circle.meters / Double(max(1, size.columns - 2)),
      circle.meters / Double(max(1, size.rows - 4)))
    scale = max(MapView.smallestScale, min(MapView.largestScale, needed))
  }

  init(showing places: [Place], on size: WindowSize) {
    let middle = places.first ?? .zero
    let offsets = places.map { middle.offset(to: $0) }
    let (west, east) = (offsets.map(\.east).min() ?? 0, offsets.map(\.east).max() ?? 0)
    let (south, north) = (offsets.map(\.north).min() ?? 0, offsets.map(\.north).max() ?? 0)
    center = middle.moved(north: (north + south) / 2, east: (east + west) / 2)
    scale = max(
      1, (east - west) / Double(max(1, size.columns - 8)),
      (north - south) / 2 / Double(max(1, size.rows - 5)))
  }

  func position(of place: Place, on size: WindowSize) -> Canvas.Position {
    let (east, north) = center.offset(to: place)
    return Canvas.Position(
      row: MapView.whole(Double(size.rows) / 2 - north / (2 * scale)),
      column: MapView.whole(Double(size.columns) / 2 + east / scale))
  }

  private static func whole(_ number: Double) -> Int { Int(max(-1e6, min(1e6, number.rounded(.down)))) }

  /// Several bikes in one cell have the label `×3`. With `ids` a single bike has its id.
  enum Labels {
    case ids
    case counts
  }

  /// Draws bikes, place, north and scale into the upper rows: near bikes on top, and labels where there is room.
  func draw(
    _ bikes: [FoundBike], you: Place?, picked: String? = nil, labels: Labels = .ids,
    on canvas: inout Canvas, rows: Int, columns: Int? = nil
  ) {
    let size = WindowSize(columns: columns ?? canvas.columns, rows: rows)
    var marks = bikes.map {
      Mark(found: $0, spot: position(of: $0.bike.place, on: size), isPicked: $0.bike.id == picked)
    }
    marks.removeAll { !size.contains($0.spot) }
    let counts = Dictionary(marks.map { ($0.spot, 1) }, uniquingKeysWith: +)
    for index in marks.indices { marks[index].count = counts[marks[index].spot] ?? 1 }
    for mark in marks.reversed() where !mark.isPicked { mark.draw(on: &canvas) }
    let picked = marks.first(where: \.isPicked)
    picked?.draw(on: &canvas)
    if let you { cross(position(of: you, on: size), on: &canvas, size) }
    picked?.label(labels, on: &canvas)
    // A cell shows the nearest of its bikes, which is the first mark: only this one gets a label.
    var seen: Set<Canvas.Position> = []
    for mark in marks where seen.insert(mark.spot).inserted {
      if !mark.isPicked, mark.hasRoom(labels, on: canvas) { mark.label(labels, on: &canvas) }
    }
    canvas.write("N↑", row: 0, column: size.columns - 3, style: .bold)
    bar(&canvas, size)
  }

  /// Draws the cross beside a bike rather than on it.
  private func cross(_ spot: Canvas.Position, on canvas: inout Canvas, _ size: WindowSize) {
    guard size.contains(spot) else { return }
    for (row, column) in [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)] {
      let cell = Canvas.Position(row: spot.row + row, column: spot.column + column)
      guard size.contains(cell), canvas[row: cell.row, column: cell.column].text == " " else { continue }
      canvas.write("✛", row: cell.row, column: cell.column, style: .bold)
      return
    }
  }

  private struct Mark {
    let found: FoundBike
    let spot: Canvas.Position
    let isPicked: Bool
    var count = 1

    private static let longestLabel = 8

    func draw(on canvas: inout Canvas) {
      let style = isPicked ? (found.bike.frameColor?.style ?? .plain) + .reversed : found.bike.style
      canvas.write(found.bike.sign, row: spot.row, column: spot.column, style: style)
    }

    func label(_ labels: Labels, on canvas: inout Canvas) {
      let style = isPicked ? .bold + .reversed : Style.dim
      canvas.write(
        text(labels), row: spot.row, column: spot.column + 1, style: style, limit: Mark.longestLabel)
    }

    /// A selected bike has its id as label.
    private func text(_ labels: Labels) -> String {
      switch labels {
      case _ where isPicked: found.bike.id
      case .ids: count == 1 ? found.bike.id : "×\(count)"
      case .counts: count == 1 ? "" : "×\(count)"
      }
    }

    func hasRoom(_ labels: Labels, on canvas: Canvas) -> Bool {
      let end = spot.column + 1 + min(text(labels).count, Mark.longestLabel)
      return end <= canvas.columns
        && (spot.column + 1..<end).allSatisfy { canvas[row: spot.row, column: $0].text == " " }
    }
  }

  /// Draws the longest of 0.1, 0.2, 0.5, 1 … meters that fits into a quarter of the width.
  private func bar(_ canvas: inout Canvas, _ size: WindowSize) {
    let room = Double(size.columns) / 4 * scale
    var length = 0.1
    // The first factor leads to the next length, and moves to the end.
    var factors = [2.0, 2.5, 2]
    while length * factors[0] <= room, length < Sphere.halfCircumference {
      length *= factors[0]
      factors.append(factors.removeFirst())
    }
    let width = max(2, Int((length / scale).rounded()))
    guard width < size.columns else { return }
    canvas.write("├" + String(repeating: "─", count: width - 2) + "┤", row: size.rows - 1, column: 0)
    let text = length >= 1000 ? "\((length / 1000).plain) km" : "\(length.plain) m"
    canvas.write(" \(text)", row: size.rows - 1, column: width)
  }
}

extension WindowSize {
  func contains(_ cell: Canvas.Position) -> Bool {
    (0..<rows).contains(cell.row) && (0..<columns).contains(cell.column)
  }
}

extension Bike {
  var label: String { name.isEmpty ? id : "\(id) \(name)" }

  /// A ring without a free bike, otherwise a dot.
  var sign: String { available == 0 ? "○" : "●" }
  var style: Style { (frameColor?.style ?? .plain) + (isFree ? .plain : .dim) }
}

extension Canvas {
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
