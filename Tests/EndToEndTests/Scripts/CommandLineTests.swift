import Foundation
import Output
import System
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What holds for the command line as a whole.
@Suite(.ownThread) struct AllCommands {
  @Test func commandsWithoutSchemaRefuseFormats() {
    for (name, command) in Program.hw.allCommands where command.output.schemaRoot == nil {
      if name == "schema" { continue }
      let line = "hw \(name)"
      for format in Format.allCases {
        var settings = Output.Settings()
        settings.format = format
        let failure = #expect(throws: (any Error).self) { try command.output.check(settings, of: line) }
        #expect("\(String(describing: failure))".contains("usage"), "\(name)")
      }
    }
  }

  @Test func unknownFieldsAreRefusedBeforeRunning() {
    for (name, command) in Program.hw.allCommands {
      func refuses(_ change: (inout Output.Settings) -> Void) -> Bool {
        var settings = Output.Settings()
        change(&settings)
        do throws(Failure) {
          try command.output.check(settings, of: name)
          return false
        } catch {
          return error.kind == .usage
        }
      }
      #expect(refuses { ($0.format, $0.terminator) = (.json, 0) }, "\(name)")
      guard name != "rows" else { continue }
      #expect(refuses { $0.fields = "nonono" }, "\(name)")
      #expect(refuses { $0.fields = "," }, "\(name)")
    }
  }

  /// What an example ends with is one of the statuses that the help of its command lists.
  @Test func helpListsExitCodesOfExamples() throws {
    for (name, command) in Program.hw.allCommands {
      let help = try shell("hw help \(name)").output
      let listed = help.components(separatedBy: "\nExit status\n").last ?? ""
      for example in command.examples where !listed.contains("any other") {
        #expect(
          listed.contains("\n  \(example.exits) ") || listed.hasPrefix("  \(example.exits) "),
          "\(name) \(example.exits)")
      }
    }
    #expect(try shell("hw serve --help").output.contains("  127 "))
  }

  @Test(
    arguments: [("Asia/Tokyo", "+09:00"), ("UTC", "+00:00"), ("XXX3:30", "-03:30")])
  func tablesShowOffsetFromUTC(zone: String, offset: String) throws {
    let serve = "hw serve --race-seconds 1 -- sh -c 'hw race watch -q >/dev/null; "
    for line in [
      "hw nodes top --by age -n 1 --fields firstSeen -o table --no-header",
      "hw bikes history -n 1 --fields at -o table --no-header",
      serve + "hw race history --fields started -o table --no-header'",
      "hw nba games LAL --upcoming --fields status -o table --no-header | grep '^20' | head -n 1",
      "hw check --self | grep clock:",
    ] {
      let ending = try shell("export TZ=\(zone); " + line)
      #expect(ending.output.contains(":") && ending.output.contains(offset), "\(line): \(ending)")
    }
  }
}
