import Foundation
import System
import TestSupport
import Testing

@testable import Nodes

/// What a person is asked before snapshots are deleted.
@Suite struct SnapshotQuestionTests {
  /// In a process of its own, whose terminal is that of the test.
  @Test func isAskedWhereSomethingIsDeleted() async {
    await #expect(processExitsWith: .success) {
      try #require(setsid() != -1)
      let terminal = try PseudoTerminal(columns: 80)
      dup2(terminal.descriptor, 0)
      let home = try ScratchDirectory()
      func run(_ line: String, answer: String) -> Ran {
        terminal.type("\(answer)\n")
        let words = line.split(separator: " ").map(String.init)
        return Ran(
          .only("nodes", Nodes.suite), ["nodes"] + words + ["--demo"], environment: ["HOME": home.path],
          time: FakeClock(FakeClock.newYear), terminal: [.input, .errors])
      }
      for second in 1...3 { try home.saveSnapshot("age-2025-01-01T00000\(second)Z-mainnet-demo%3A.json") }
      let all = home.snapshotNames
      // Nothing is saved either.
      let refused = run("snapshot --by age --keep 2", answer: "n")
      #expect(refused.status == 1 && refused.output == "")
      #expect(refused.errors == "Delete 2 snapshots? [y/N] hw: nothing was changed\n")
      #expect(home.snapshotNames == all)
      let agreed = run("snapshot --by age --keep 3", answer: "y")
      #expect(agreed.status == 0 && agreed.errors == "Delete 1 snapshot? [y/N] ")
      #expect(home.snapshotNames.count == 3 && home.snapshotNames.starts(with: all.suffix(2)))
      // Nothing is deleted, so the answer is not read.
      let unasked = run("snapshot --by age --keep 4", answer: "n")
      #expect(unasked.status == 0 && unasked.errors == "")
    }
  }
}
