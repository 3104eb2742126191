/// What an answer may know of the terminal it is shown on; there is none when it goes to a pipe or a file.
public struct Screen: Equatable, Sendable {
  /// Columns; nil when output goes elsewhere and only colour was forced.
  public var width: Int?
  public var color: Bool

  public init(width: Int?, color: Bool) {
    self.width = width
    self.color = color
  }
}
