import Foundation

/// A terminal without a person: the test types, reads what is on it, and looks at its settings.
public final class PseudoTerminal {
  private let master: Int32
  /// The side of the program. It stays open, so that the settings outlive the program.
  public let descriptor: Int32
  /// The device of the program's side.
  public let path: String
  private var isHungUp = false
  private var unseen: [UInt8] = []

  public init(columns: UInt16, rows: UInt16 = 24) throws {
    var master: Int32 = 0
    var slave: Int32 = 0
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &name, nil, &size) == 0 else { throw POSIXError(.ENOTTY) }
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    self.master = master
    descriptor = slave
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    if !isHungUp { close(master) }
    close(descriptor)
  }

  public func type(_ text: String) { _ = write(master, text, text.utf8.count) }

  /// The process group that Ctrl-C would interrupt.
  public var foreground: pid_t { tcgetpgrp(master) }

  /// Closes the window.
  public func hangUp() {
    close(master)
    isHungUp = true
  }

  public func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Waits until the text is on it, and returns everything up to there; nil if it does not come in time. What
  /// follows is left for the next call, however the reads are divided.
  public func see(_ text: String, within seconds: Double = 60) -> String? {
    let limit = Date().addingTimeInterval(seconds)
    while true {
      read()
      if let range = unseen.firstRange(of: Array(text.utf8)) {
        defer { unseen.removeSubrange(..<range.upperBound) }
        return String(decoding: unseen[..<range.upperBound], as: UTF8.self)
      }
      let left = limit.timeIntervalSinceNow
      guard left > 0 else { return nil }
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, Int32(left * 1000) + 1)
    }
  }

  /// What came to it and has not been seen.
  public var text: String {
    read()
    return String(decoding: unseen, as: UTF8.self)
  }

  /// What it shows when a full screen goes and the lines from before come back.
  public static let leaves = "\u{1B}[?1049l"

  /// How it treats what is typed, in a form that can be compared and read: a program that has ended leaves this as
  /// it was.
  public var settings: String {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return withUnsafeBytes(of: &settings.c_cc) { codes in
      "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(Array(codes))"
    }
  }

  /// Takes what has come. A line ends with a line feed alone, as the program wrote it.
  private func read() {
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(master, &block, block.count)
      guard count > 0 else { return }
      for byte in block[..<count] {
        if byte == UInt8(ascii: "\n"), unseen.last == UInt8(ascii: "\r") { unseen.removeLast() }
        unseen.append(byte)
      }
    }
  }
}
