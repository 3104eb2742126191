import System
import Testing

@testable import Terminal

/// A pseudo-terminal with a program on it: this test binary once more, playing one `Role`. The test sits where the
/// person would, types, reads the screen, and looks at the terminal's settings.
final class Stage {
  let master: FileDescriptor
  /// Kept open, so that the settings outlive the program.
  let slave: FileDescriptor
  let child: ChildProcess
  private(set) var output = ""
  private var hasEnded = false
  private var isClosed = false

  /// Longer than any step takes even on a busy machine: only a step that never comes waits for it.
  static let patience = Duration.seconds(15)

  init(_ role: Role, columns: UInt16 = 40, rows: UInt16 = 6) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&master, &slave, &name, nil, &size) == 0)
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.master = FileDescriptor(rawValue: master)
    self.slave = FileDescriptor(rawValue: slave)
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let nothing = try File.open("/dev/null", .append)
    defer { nothing.close() }
    child = try ChildProcess.start(
      .init(
        Role.arguments,
        environment: Environment.process.setting(["HW_ROLE": role.rawValue, "HW_STAGE": path]),
        descriptors: [1: nothing, 2: nothing]))
  }

  deinit {
    if !hasEnded {
      child.send(signal: SIGKILL)
      _ = child.waitThroughInterrupts()
    }
    if !isClosed { master.close() }
    slave.close()
  }

  func type(_ text: String) throws {
    try master.writeAll(Array(text.utf8))
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master.rawValue, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until the text has come, and forgets what came up to there.
  func see(_ text: String, _ place: SourceLocation = #_sourceLocation) throws {
    let end = SystemTime().uptime() + Stage.patience
    while true {
      if let found = output.firstRange(of: text) {
        output.removeSubrange(..<found.upperBound)
        return
      }
      let left = end - SystemTime().uptime()
      guard left > .zero, try Waiting.forInput([master], atMost: left) == [true], case let bytes = try read(),
        !bytes.isEmpty
      else {
        Issue.record(
          "never saw \(text.debugDescription), but \(output.debugDescription)", sourceLocation: place)
        throw Failure(.no, "not seen")
      }
      output += String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Closes the window.
  func hangUp() {
    master.close()
    isClosed = true
  }

  private func read() throws -> [UInt8] {
    try TerminalDevice(master).read(atMost: 4096)
  }

  /// The program's end.
  func end() throws -> ChildProcess.Status {
    let status = try child.wait()
    hasEnded = true
    // What it wrote last may still be on its way.
    while try Waiting.forInput([master], atMost: .zero) == [true] {
      output += String(decoding: try read(), as: UTF8.self)
    }
    return status
  }

  /// The settings, in a form that can be compared and read.
  var settings: String {
    var settings = termios()
    tcgetattr(slave.rawValue, &settings)
    return withUnsafeBytes(of: &settings.c_cc) { codes in
      "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(Array(codes))"
    }
  }
}
