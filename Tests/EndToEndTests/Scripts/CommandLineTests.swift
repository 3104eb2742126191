import System
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What holds for the command line as a whole.
@Suite(.ownThread, .needs(.libsqlite3)) struct AllCommands {
  /// What an example ends with is one of the statuses that the manual of its command lists.
  @Test func manualListsExitCodesOfExamples() {
    for (name, command) in Program.hw.allCommands {
      let listed = ExitCodes.items(for: command).map(\.termText)
      for example in command.examples where !listed.contains("any other") {
        #expect(listed.contains("\(example.exits)"), "\(name) \(example.exits)")
      }
    }
  }

  @Test(arguments: [("Asia/Tokyo", 32_400), ("UTC", 0), ("XXX3:30", -12_600)] as [(String, Int64)])
  func tablesShowLocalTime(zone: String, offset: Int64) throws {
    for line in ["hw nodes top --by age -n 1 --fields firstSeen", "hw bikes history -n 1 --fields at"] {
      let seconds = try shell("export TZ=\(zone); \(line) --no-header --tsv").output
      let time = Timestamp(seconds: try #require(Int64(seconds.dropLast())))
      let shown = try shell("export TZ=\(zone); \(line) --no-header").output
      #expect(shown == WallTime(time, offset: offset).minutes + "\n", "\(line)")
    }
  }
}
