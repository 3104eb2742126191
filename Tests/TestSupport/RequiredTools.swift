import Foundation
import Synchronization
import Testing

/// Skips a test, or the tests of a suite, on a machine that lacks one of the tools. The summary at the end counts them.
public struct RequiredTools: TestTrait, SuiteTrait {
  let tools: [Tool]

  public var isRecursive: Bool { true }

  public func prepare(for test: Test) async throws {
    let missing = tools.filter { !$0.isPresent }
    guard !missing.isEmpty else { return }
    if !test.isSuite { SkippedTests.add(test, missing) }
    let names = missing.map(\.rawValue).joined(separator: ", ")
    let never: ConditionTrait = .enabled(if: false, "needs \(names)")
    try await never.prepare(for: test)
  }
}

extension Trait where Self == RequiredTools {
  public static func needs(_ tools: Tool...) -> RequiredTools { RequiredTools(tools: tools) }
}

/// The tests that were skipped, with the reason, printed in the last lines of a run.
public enum SkippedTests {
  private static let reasons = Mutex<[Test.ID: Set<Tool>]>([:])

  static func add(_ test: Test, _ missing: [Tool]) {
    let isFirst = reasons.withLock { reasons in
      reasons[test.id, default: []].formUnion(missing)
      return reasons.count == 1
    }
    if isFirst { atexit { SkippedTests.report() } }
  }

  /// Whether a case of the running test cannot run here, which it counts as skipped.
  public static func includesCurrentTest(needing tools: [Tool]) -> Bool {
    let missing = tools.filter { !$0.isPresent }
    guard !missing.isEmpty, let test = Test.current else { return false }
    add(test, missing)
    return true
  }

  private static func report() {
    let reasons = reasons.withLock { $0 }
    var counts: [Tool: Int] = [:]
    for tool in reasons.values.joined() { counts[tool, default: 0] += 1 }
    let needed = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let list = needed.map { "\($0.key.rawValue) (\($0.value))" }.joined(separator: ", ")
    let packages = Set(needed.map(\.key.package)).sorted().joined(separator: " ")
    print(
      """
      skipped: \(reasons.count) tests. They need \(list).
      To run them: apt-get install \(packages)
      """)
  }
}
