import System
import TestSupport
import Testing

@testable import Terminal

/// A pseudo-terminal with a program on it: this test binary once more, playing one `Role`. The test sits where the
/// person would, types, reads the screen, and looks at the terminal's settings.
final class Stage {
  private let terminal: PseudoTerminal
  let child: ChildProcess
  private var hasEnded = false

  /// Longer than any step takes even on a busy machine: only a step that never comes waits for it.
  static let patience = Duration.seconds(60)

  init(_ role: Role, columns: UInt16 = 40, rows: UInt16 = 6) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    let nothing = try File.open("/dev/null", .append)
    defer { nothing.close() }
    child = try ChildProcess.start(
      Role.arguments,
      environment: Environment.process.setting(["HW_ROLE": role.rawValue, "HW_STAGE": terminal.path]),
      descriptors: [1: nothing, 2: nothing])
  }

  deinit {
    if !hasEnded {
      child.send(signal: SIGKILL)
      _ = child.waitThroughInterrupts()
    }
  }

  func type(_ text: String) { terminal.type(text) }

  func resize(columns: UInt16, rows: UInt16) { terminal.resize(columns: columns, rows: rows) }

  /// Waits until the text has come, and returns and forgets what came up to there.
  @discardableResult func see(_ text: String, _ place: SourceLocation = #_sourceLocation) throws -> String {
    if let seen = terminal.see(text) { return seen }
    Issue.record("never saw \(text.debugDescription), but \(output.debugDescription)", sourceLocation: place)
    throw Failure(.no, "not seen")
  }

  /// Signals what is in the foreground, which a shell may have started.
  func signalForeground(_ number: Int32) throws {
    let group = terminal.foreground
    try #require(group > 1)
    try #require(kill(-group, number) == 0)
  }

  /// Closes the window.
  func hangUp() { terminal.hangUp() }

  /// The program's end.
  func end() throws -> ChildProcess.Status {
    let status = try child.wait()
    hasEnded = true
    return status
  }

  /// What came and has not been seen.
  var output: String { terminal.text }

  var settings: String { terminal.settings }
}
