import CLibraries

/// A terminal: keys are read from it, and a screen is drawn on it.
public struct TerminalDevice: Sendable {
  public let descriptor: FileDescriptor

  public init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  /// The terminal that the process was started from, whatever its standard streams are connected to.
  public static func controlling() throws(Failure) -> TerminalDevice {
    do throws(SystemError) {
      return TerminalDevice(
        FileDescriptor(rawValue: try call { unsafe hw_open("/dev/tty", O_RDWR | O_NOCTTY, 0) }))
    } catch {
      guard !FileDescriptor.standardInput.isTerminal else { return TerminalDevice(.standardInput) }
      throw Failure(.usage, "there is no terminal to ask on", hint: "see --help for a way without one")
    }
  }

  /// The largest size that is used, even if the terminal reports a larger one.
  static let largest = WindowSize(columns: 1000, rows: 500)

  /// Columns and rows, at least one of each; 80 by 24 if the terminal does not report a size.
  public var size: WindowSize {
    guard let size = WindowSize.of(descriptor), size.rows > 0 else {
      return WindowSize(columns: 80, rows: 24)
    }
    return WindowSize(
      columns: min(size.columns, TerminalDevice.largest.columns),
      rows: min(size.rows, TerminalDevice.largest.rows))
  }

  /// Bytes that were typed, at most `count`; none if the terminal was closed.
  public func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try descriptor.read(atMost: count)
    } catch SystemError(EIO) {
      return []
    }
  }
}

/// How the terminal delivers input. In all modes Ctrl-C and Ctrl-Z remain signals, so they work even while
/// the program waits for a service.
public enum RawMode: Sendable {
  /// Every byte at once, nothing echoed.
  case keys
  /// A line at a time, edited by the terminal itself, nothing echoed.
  case hiddenLine
  /// Whole lines, echoed. Input that is not read stays for the next reader.
  case line

  fileprivate var code: hw_terminal_mode {
    switch self {
    case .keys: hw_terminal_keys
    case .hiddenLine: hw_terminal_hidden_line
    case .line: hw_terminal_line
    }
  }
}

extension TerminalDevice {
  /// Runs `body` with the terminal in another mode and always restores the former one: on return, throw, a signal that
  /// ends or suspends the process, a crash. `enter` is written first, and again after a suspension; `leave` is written
  /// last. Only one terminal at a time can be in another mode.
  public func held<Result>(
    in mode: RawMode, enter: [UInt8] = [], leave: [UInt8] = [], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(SystemError) {
      try hold(mode, enter, leave)
    } catch {
      throw error.failure(orElse: Failure(.storage, "cannot set up the terminal: \(error.text)"))
    }
    defer { hw_terminal_release() }
    return try body()
  }

  private func hold(_ mode: RawMode, _ enter: [UInt8], _ leave: [UInt8]) throws(SystemError) {
    _ = try unsafe enter.withUnsafeBufferPointer { enter throws(SystemError) in
      try unsafe leave.withUnsafeBufferPointer { leave throws(SystemError) in
        try call {
          unsafe hw_terminal_hold(
            descriptor.rawValue, mode.code, enter.baseAddress, enter.count, leave.baseAddress, leave.count)
        }
      }
    }
  }

  /// The failure of a closed terminal: the same as that of the SIGHUP, which may arrive later, or not at all if another
  /// process leads the session.
  public static func closed() -> Failure {
    hw_note_signal(SIGHUP)
    return Interruption.failure
  }

  /// True once after the terminal was resized or the process resumed after a suspension: draw everything again.
  public static func takeRedrawRequest() -> Bool { hw_terminal_news() != 0 }
}

/// The size of a terminal in character cells.
public struct WindowSize: Equatable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size that the terminal reports; nil if the descriptor is no terminal or the size is unknown.
  public static func of(_ descriptor: FileDescriptor) -> WindowSize? {
    var columns: UInt16 = 0
    var rows: UInt16 = 0
    guard unsafe hw_window_size(descriptor.rawValue, &columns, &rows) == 0, columns > 0 else { return nil }
    return WindowSize(columns: Int(columns), rows: Int(rows))
  }
}
