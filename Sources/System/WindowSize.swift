import CLibraries

/// The size of a terminal in character cells.
public struct WindowSize: Equatable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// What the terminal behind the descriptor says; nil when it is none or does not know.
  public static func of(_ descriptor: FileDescriptor) -> WindowSize? {
    var columns: UInt16 = 0
    var rows: UInt16 = 0
    guard unsafe hw_window_size(descriptor.rawValue, &columns, &rows) == 0, columns > 0 else { return nil }
    return WindowSize(columns: Int(columns), rows: Int(rows))
  }
}
