import Foundation
import Testing

/// Appends the time of each case to the file that `HW_TEST_TIMES` names.
enum CaseTimes {
  private static let file: Int32? = ProcessInfo.processInfo.environment["HW_TEST_TIMES"].map {
    open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
  }

  /// One write for each line, so lines of several threads do not mix.
  static func add(_ test: Test, _ testCase: Test.Case, _ time: Duration) {
    guard let file else { return }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let line = String(format: "%.3f\t", seconds) + "\(test.id) \(testCase)\n"
    _ = write(file, line, line.utf8.count)
  }
}
