import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Command

/// A command whose answer may be long goes through the pager on a terminal, and only there.
@Suite struct CommandPagerTests {
  /// Those of `watched`, whose second one fails.
  private static let polls = Mutex(0)
  private static let program = Program(
    "sample", version: "1", "A program for tests", suites: [],
    tools: Suite(
      "", "Tools",
      commands: [
        Command("long", "Say much", output: .document("Text."), examples: []) {
          _, context throws(Failure) in
          for line in 1...3 { try context.output.outlet.write("line \(line)\n") }
        },
        Command("short", "Say little", output: .plain("Text."), examples: []) { _, context throws(Failure) in
          try context.output.outlet.write("line\n")
        },
        Command("fail", "Fail at once", output: .document("Nothing."), examples: []) {
          _, _ throws(Failure) in throw Failure(.notFound, "nothing there")
        },
        Command("broken", "Fail after a line", output: .document("Text."), examples: []) {
          _, context throws(Failure) in
          try context.output.outlet.write("line\n")
          throw Failure(.notFound, "no more")
        },
        Command(
          "watched", "Be watched",
          output: .list(
            Sample.Animal.self, order: "by name", key: "name",
            watch: .init(atLeast: .milliseconds(1), because: "it is quick")), examples: []
        ) { _, context throws(Failure) in
          let isSecond = polls.withLock { polls in
            polls += 1
            return polls.isMultiple(of: 2)
          }
          if isSecond { throw Failure(.notFound, "gone") }
          try context.output.write([Sample.Animal(name: "cat", legs: 4)])
        },
        Command("endless", "Never stop", output: .document("Text."), examples: []) {
          _, context throws(Failure) in
          while true {
            try context.output.outlet.write(String(repeating: "more\n", count: 1000))
            try context.output.outlet.awaitReader()
          }
        },
      ]))

  private typealias Run = (status: Int32, output: String, errors: String, paged: String)

  private func run(_ words: [String], terminal: Bool = true, pager: String) throws -> Run {
    signal(SIGPIPE, SIG_IGN)
    let scratch = try ScratchDirectory()
    let environment = [
      "HW_PAGER": pager.replacingOccurrences(of: "FILE", with: scratch.file("paged")),
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
    let ran = Ran(Self.program, words, environment: environment, terminal: terminal ? [.output] : [])
    return (ran.status, ran.output, ran.errors, scratch.text("paged"))
  }

  private let all = "line 1\nline 2\nline 3\n"

  @Test func pagerReceivesOutput() throws {
    let ran = try run(["long"], pager: "cat >FILE; exit 3")
    #expect(ran.paged == all && ran.output == "" && ran.status == 0)
  }

  /// The pager would stop at its first page, and Ctrl-C would end only its input.
  @Test func watchUsesNoPager() throws {
    let ran = try run(
      ["watched", "--watch", "0.001", "--tsv", "--no-header", "--fields", "name"], pager: "cat >FILE")
    #expect(ran.output == "added\tcat\n" && ran.paged == "" && ran.status == 3)
  }

  @Test func pipeUsesNoPager() throws {
    #expect(try run(["long"], terminal: false, pager: "cat >FILE").output == all)
    #expect(try run(["long", "--no-pager"], pager: "cat >FILE").output == all)
    #expect(try run(["long"], pager: "").output == all)
    #expect(try run(["short"], pager: "cat >FILE").output == "line\n")
  }

  @Test func missingPagerIsReportedAndSkipped() throws {
    let ran = try run(["long"], pager: "no-such-pager-x")
    #expect(ran.output == all && ran.status == 0)
    #expect(
      ran.errors == "hw: there is no pager 'no-such-pager-x'; set HW_PAGER or PAGER, or use --no-pager\n")
  }

  @Test func leavingPagerEndsCommandQuietly() throws {
    let ran = try run(["endless"], pager: "head -n 1 >FILE")
    #expect(ran.paged == "more\n" && ran.status == 0 && ran.errors == "")
  }

  /// The pager is waited for, so that the failure is reported behind the page.
  @Test func outputBeforeFailureIsPaged() throws {
    let ran = try run(["broken"], pager: "cat >FILE; echo end >>FILE")
    #expect(ran.paged == "line\nend\n" && ran.output == "")
    #expect(ran.status == 3 && ran.errors == "hw: no more\n")
  }

  /// The short help fits a screen.
  @Test func fullHelpIsPaged() throws {
    for (words, title) in [([], "sample: A program"), (["long"], "sample long: Say much\n")]
      as [([String], String)]
    {
      let full = try run(words + ["--help"], pager: "cat >FILE")
      #expect(full.paged.hasPrefix(title) && full.output == "" && full.status == 0)
      let short = try run(words + ["-h"], pager: "cat >FILE")
      #expect(short.paged == "" && short.output.hasPrefix(title) && short.status == 0)
    }
    #expect(try run(["--help"], terminal: false, pager: "cat >FILE").paged == "")
  }

  /// Before and behind `--help`. Other words behind it do not matter.
  @Test(arguments: [
    ["--no-pager", "--help"], ["--help", "--no-pager"], ["--help", "--nope", "--no-pager"],
    ["long", "--help", "x", "--no-pager"],
  ])
  func helpWithoutAPager(words: [String]) throws {
    let ran = try run(words, pager: "cat >FILE")
    #expect(ran.paged == "" && ran.status == 0)
    #expect(ran.output.hasPrefix(words[0] == "long" ? "sample long: Say much" : "sample: A program"))
    #expect(try run(["--help", "--", "--no-pager"], pager: "cat >FILE").output == "")
  }

  @Test func helpInColor() throws {
    for (words, isColored) in [
      (["--color=always", "--help"], true), (["--help", "--color", "always"], true), (["--help"], false),
      (["-h", "--color", "always"], true), (["--color", "always"], true), ([], false),
    ] {
      #expect(try run(words, terminal: false, pager: "").output.contains("\u{1B}[") == isColored, "\(words)")
    }
  }

  @Test func emptyOutputStartsNoPager() throws {
    let ran = try run(["fail"], pager: "echo started >FILE")
    #expect(ran.paged == "" && ran.status == 3 && ran.errors.contains("nothing there"))
  }
}
