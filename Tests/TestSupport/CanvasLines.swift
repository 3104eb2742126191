import Terminal

extension Canvas {
  /// Text of each row without trailing blanks.
  public var lines: [String] {
    (0..<rows).map { row in
      var line = (0..<columns).map { self[row: row, column: $0].text }.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
