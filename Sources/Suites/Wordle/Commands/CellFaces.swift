import System

/// The cells of the cards that show their letter, and the animation of the cells that were just turned over.
struct CellFaces {
  /// Whether the letters of the cells that are not in `turned` are shown.
  private var letters: CardStyle.Letters
  private let isAnimated: Bool
  private var turned: Set<GridPosition> = []
  /// The cells whose animation is running, and when it began.
  private var flips: [GridPosition: Duration] = [:]
  private var now = Duration.zero

  private static let flipTime = Duration.milliseconds(150)

  init(_ letters: CardStyle.Letters, isAnimated: Bool) {
    self.letters = letters
    self.isAnimated = isAnimated
  }

  func showsLetter(_ cell: GridPosition) -> Bool { (letters == .shown) != turned.contains(cell) }

  // MARK: Animation

  mutating func advance(to uptime: Duration) {
    now = uptime
    flips = flips.filter { uptime - $0.value < CellFaces.flipTime }
  }

  /// The uptime of the next frame; nil if nothing moves.
  var alarm: Duration? { flips.isEmpty ? nil : now + CellFaces.flipTime / 3 }

  /// The progress of the animation of a cell, from 0 up to 1; nil if none is running.
  func progress(_ cell: GridPosition) -> Double? {
    flips[cell].map { max(0, (now - $0) / CellFaces.flipTime) }
  }

  // MARK: Turning cells over

  mutating func turn(_ cells: [GridPosition]) {
    for cell in cells where turned.remove(cell) == nil { turned.insert(cell) }
    animate(cells)
  }

  /// Shows the hidden letters of a card; if none is hidden, hides them all.
  mutating func turnCard(_ cells: [GridPosition]) {
    let hidden = cells.filter { !showsLetter($0) }
    turn(hidden.isEmpty ? cells : hidden)
  }

  /// Shows all letters; if all are shown, hides them. Only the `visible` cells are animated.
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
