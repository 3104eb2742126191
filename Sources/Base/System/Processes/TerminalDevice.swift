import CLibraries

public struct TerminalDevice: Sendable {
  public let descriptor: FileDescriptor

  public init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Terminal of the process, even if its standard streams are redirected.
  public static func controlling() throws(Failure) -> TerminalDevice {
    do throws(SystemError) {
      return TerminalDevice(
        FileDescriptor(rawValue: try call { unsafe hw_open("/dev/tty", O_RDWR | O_NOCTTY, 0) }))
    } catch {
      guard !FileDescriptor.standardInput.isTerminal else { return TerminalDevice(.standardInput) }
      throw Failure(.usage, "there is no terminal to ask on", hint: "see --help for a way without one")
    }
  }

  static let largest = WindowSize(columns: 1000, rows: 500)

  /// Columns and rows, at least one of each and at most `largest`; 80 by 24 if the terminal reports no size.
  public var size: WindowSize {
    guard let size = WindowSize.of(descriptor), size.rows > 0 else {
      return WindowSize(columns: 80, rows: 24)
    }
    return WindowSize(
      columns: min(size.columns, TerminalDevice.largest.columns),
      rows: min(size.rows, TerminalDevice.largest.rows))
  }

  /// Reads at most `count` typed bytes; none if the terminal was closed.
  public func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try descriptor.read(atMost: count)
    } catch SystemError(EIO) {
      return []
    }
  }
}

/// Input mode of the terminal. Ctrl-C and Ctrl-Z always remain signals, so they work during requests.
public enum InputMode: Sendable {
  /// Each byte at once, without echo.
  case keys
  /// Lines edited by the terminal, without echo.
  case hiddenLine
  /// Lines edited by the terminal, with echo. Unread input remains for the next reader.
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
  /// Runs `body` with the terminal in a mode and always restores the old one: on return, throw, a signal that ends or
  /// suspends the process, a crash. Writes `enter` first, and again after a suspension; writes `leave` last. Only one
  /// terminal at a time can be in another mode.
  public func held<Result>(
    in mode: InputMode, enter: [UInt8] = [], leave: [UInt8] = [], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(SystemError) {
      _ = try unsafe enter.withUnsafeBufferPointer { enter throws(SystemError) in
        try unsafe leave.withUnsafeBufferPointer { leave throws(SystemError) in
          try call {
            unsafe hw_terminal_hold(
              descriptor.rawValue, mode.code, enter.baseAddress, enter.count, leave.baseAddress, leave.count)
          }
        }
      }
    } catch {
      throw error.failure(orElse: Failure(.storage, "cannot set up the terminal: \(error.text)"))
    }
    defer { hw_terminal_release() }
    return try body()
  }

  /// Notes SIGHUP for a terminal that was closed, and returns the failure of that signal. The system sends it late, and
  /// not at all in another process's session.
  public static func noteHangUp() -> Failure {
    hw_note_signal(SIGHUP)
    return Interruption.failure
  }

  /// True once after a resize or a suspension: everything must be drawn again.
  public static func takeRedrawRequest() -> Bool { hw_terminal_take_redraw() != 0 }
}

public struct WindowSize: Equatable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Size that the terminal reports; nil if it is unknown.
  public static func of(_ descriptor: FileDescriptor) -> WindowSize? {
    var columns: UInt16 = 0
    var rows: UInt16 = 0
    guard unsafe hw_window_size(descriptor.rawValue, &columns, &rows) == 0, columns > 0 else { return nil }
    return WindowSize(columns: Int(columns), rows: Int(rows))
  }
}
