import System
import TestSupport
import Testing

@Suite struct TerminalSizeTests {
  /// A terminal without rows does not know its size.
  @Test(arguments: [(60, 20, 60, 20), (60, 0, 80, 24), (0, 0, 80, 24)])
  func unknownIsTheUsualOne(_ columns: Int, _ rows: Int, _ shown: Int, _ high: Int) throws {
    let terminal = try PseudoTerminal(columns: UInt16(columns), rows: UInt16(rows))
    let size = TerminalDevice(FileDescriptor(rawValue: terminal.descriptor)).size
    #expect(size == WindowSize(columns: shown, rows: high))
  }
}
