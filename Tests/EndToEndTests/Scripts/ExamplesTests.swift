import Command
import Testing
import TestSupport

@testable import hw

/// Help shows nothing that was not run here: every example, by a shell, with the status that the table says.
@Suite(.ownThread, .needs(.libsqlite3)) struct Examples {
  private static let all = Program.hw.allCommands.flatMap {
    $0.command.examples.map { [$0.command, "\($0.exits)", $0.setup] }
  }

  @Test(arguments: all)
  func examplesEndAsDeclared(_ example: [String]) throws {
    if SkippedTests.includesCurrentTest(needing: ShellPrograms.tools(in: example[0])) { return }
    let home = try Home()
    let ending = try shell(example[2] + example[0], in: home)
    #expect("\(ending.status)" == example[1], "\(ending.errors)")
    if ending.status == 0 {
      let files = home.names.filter { !$0.hasPrefix(".") }.map(home.text)
      // A job that finds nothing to do prints nothing.
      let isJob = ["--keep", "change=left"].contains(where: example[0].contains)
      #expect(
        isJob || !ending.output.isEmpty || files.contains { !$0.isEmpty },
        "nothing on standard output or in a file")
      // An import reports its counts, and a comparison that nothing changed.
      let isCounted =
        example[0].contains("wordle import") && ending.errors.hasSuffix(" replaced, 0 skipped\n")
      #expect(["", "hw: no changes\n"].contains(ending.errors) || isCounted)
    } else if !(ending.status == 1 && example[0].contains("--exit-status")) {
      #expect(ending.errors.hasPrefix("hw: "))
    }
  }
}

/// The way of a change to the store does not change its result: neither messages, nor a recording, nor a server instead
/// of the backend in the process.
@Suite(.ownThread, .needs(.libsqlite3)) struct WritingCommands {
  private static let examples = Program.hw.allCommands.filter { $0.command.needs.contains(.writes) }
    .flatMap { entry in
      entry.command.examples.filter(\.setup.isEmpty).map { [entry.name, $0.command] }
    }

  @Test(arguments: examples) func resultDoesNotDependOnTheWay(_ example: [String]) throws {
    let (name, line) = (example[0], example[1])
    if SkippedTests.includesCurrentTest(needing: ShellPrograms.tools(in: line)) { return }
    // A minute may end between two of the commands.
    func output(_ ending: Ending) -> String {
      ending.output.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d/, with: "TIME")
    }
    let expected = try shell(line)
    func check(_ found: Ending, _ way: String) {
      let isEqual = output(found) == output(expected) && found.status == expected.status
      #expect(isEqual, "\(way): \(found.output)\(found.errors)")
    }
    for option in ["-v", "--record recording"] {
      check(try shell(line.replacing("hw \(name)", with: "hw \(name) \(option)")), option)
    }
    let home = try Home()
    try home.write(line, to: "line")
    check(try shell("hw serve -- sh ./line", in: home), "a server")
  }
}
