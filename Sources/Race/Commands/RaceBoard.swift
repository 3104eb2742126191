import System
import Terminal

/// The standings as rows on a screen: as many as fit, in columns side by side where there is width for them; rows slide
/// to their new places.
struct RaceBoard: Sendable {
  private(set) var bees: [Bee] = []
  /// Where each bee was before the last change, by its place now; empty when nothing slides.
  private var origins: [Int] = []
  private var movedAt = Duration.zero
  private var scroll = 0
  private var page = 1

  static let slide = Duration.milliseconds(400)
  /// A list as long is not watched row by row.
  private static let longestSliding = 200
  private static let columnWidth = 36

  mutating func show(_ new: [Bee], at now: Duration, slides: Bool) {
    let old = bees
    bees = new
    movedAt = now
    origins =
      slides && !old.isEmpty && new.count <= RaceBoard.longestSliding
      ? RaceBoard.places(of: new, in: old) : []
  }

  /// Where each of `new` stood in `old`: the first of equal bees is the first of them again. One that is new comes in
  /// from below.
  private static func places(of new: [Bee], in old: [Bee]) -> [Int] {
    var places: [Bee: [Int]] = [:]
    for (place, bee) in old.enumerated().reversed() { places[bee, default: []].append(place) }
    return new.map { bee in places[bee]?.popLast() ?? max(old.count, new.count) }
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

  /// Notes how many rows there is room for.
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
    // Those behind are drawn first, so that whoever takes the lead slides over the others.
    for place in bees.indices.reversed() {
      let row = drawnPlace(place, at: now) - first
      guard row >= 0, row < height * columns else { continue }
      let (column, line) = (row / height * width, top + row % height)
      canvas.fill(row: line, column: column, width: width)
      drawRow(place, on: &canvas, row: line, column: column, width: width)
    }
  }

  private func drawnPlace(_ place: Int, at now: Duration) -> Int {
    guard isSliding(at: now), origins.indices.contains(place) else { return place }
    let part = (now - movedAt) / RaceBoard.slide
    // Quick at first, slow at the end.
    let eased = 1 - (1 - part) * (1 - part)
    return origins[place] + Int((Double(place - origins[place]) * eased).rounded())
  }

  private func drawRow(_ index: Int, on canvas: inout Canvas, row: Int, column: Int, width: Int) {
    let place = Place(number: index + 1)
    let bee = bees[index]
    let end = column + width
    let ordinal = place.ordinal
    canvas.write(
      ordinal, row: row, column: column + max(1, 7 - ordinal.utf8.count), style: index == 0 ? .bold : .plain,
      limit: width)
    if let medal = place.medal { canvas.write(medal, row: row, column: column + 8, limit: end - column - 8) }
    canvas.write(
      "⬢", row: row, column: column + 11, style: bee.style ?? .dim, limit: max(0, end - column - 11))
    canvas.write(
      bee.name, row: row, column: column + 13, style: index == 0 ? .bold : .plain,
      limit: max(0, end - column - 14))
  }
}
