/// Cells that show their letters, and the animation of cells that were just turned over.
struct CellFaces {
  /// Applies to the cells that are not in `turned`.
  private var letters: CardStyle.Letters
  private let isAnimated: Bool
  private var turned: Set<GridPosition> = []
  private var flips: [GridPosition: Duration] = [:]
  private var now = Duration.zero

  private static let flipTime = Duration.milliseconds(150)

  init(_ letters: CardStyle.Letters, isAnimated: Bool) {
    self.letters = letters
    self.isAnimated = isAnimated
  }

  func showsLetter(_ cell: GridPosition) -> Bool { (letters == .shown) != turned.contains(cell) }

  mutating func advance(to uptime: Duration) {
    now = uptime
    flips = flips.filter { uptime - $0.value < CellFaces.flipTime }
  }

  /// The uptime of the next frame; nil without an animation.
  var alarm: Duration? { flips.isEmpty ? nil : now + CellFaces.flipTime / 3 }

  /// The progress of an animation from 0 to 1; nil if none is running.
  func progress(_ cell: GridPosition) -> Double? {
    flips[cell].map { max(0, (now - $0) / CellFaces.flipTime) }
  }

  mutating func turn(_ cells: [GridPosition]) {
    for cell in cells where turned.remove(cell) == nil { turned.insert(cell) }
    animate(cells)
  }

  /// Shows the hidden letters of a card, or hides all letters if none is hidden.
  mutating func turnCard(_ cells: [GridPosition]) {
    let hidden = cells.filter { !showsLetter($0) }
    turn(hidden.isEmpty ? cells : hidden)
  }

  /// Shows all letters, or hides them if all are shown. Animates only the `visible` cells.
  mutating func turnAll(visible: [GridPosition]) {
    letters = letters == .shown && turned.isEmpty ? .hidden : .shown
    turned = []
    animate(visible)
  }

  private mutating func animate(_ cells: [GridPosition]) {
    guard isAnimated else { return }
    for cell in cells { flips[cell] = now }
  }
}
