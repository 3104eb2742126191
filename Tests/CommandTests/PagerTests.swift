import Foundation
import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

/// A command whose answer may be long goes through the pager on a terminal, and only there.
@Suite struct LongAnswers {
  private static let program = Program(
    "sample", version: "1", "A program for tests", suites: [],
    tools: Suite(
      "", "Tools",
      commands: [
        Command("long", "Say much", output: .plain("Text."), needs: [.pager], examples: []) {
          _, context throws(Failure) in
          for line in 1...3 { try context.output.outlet.write("line \(line)\n") }
        },
        Command("short", "Say little", output: .plain("Text."), examples: []) { _, context throws(Failure) in
          try context.output.outlet.write("line\n")
        },
        Command("fail", "Fail at once", output: .plain("Nothing."), needs: [.pager], examples: []) {
          _, _ throws(Failure) in throw Failure(.notFound, "nothing there")
        },
        Command("endless", "Never stop", output: .plain("Text."), needs: [.pager], examples: []) {
          _, context throws(Failure) in
          while true {
            try context.output.outlet.write(String(repeating: "more\n", count: 1000))
            try context.output.outlet.awaitReader()
          }
        },
      ]))

  private func run(
    _ words: String..., terminal: Bool = true, pager: String
  ) throws -> (status: Int32, output: String, errors: String, paged: String) {
    signal(SIGPIPE, SIG_IGN)
    let scratch = try ScratchDirectory()
    let (output, errors) = (MemorySink(), MemorySink())
    let environment = [
      "HW_PAGER": pager.replacingOccurrences(of: "FILE", with: scratch.file("paged")),
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
    let host = Host(
      environment: Environment(environment), time: SystemTime(), input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(output, isTerminal: terminal), errors: ErrorStream(errors))
    let status: Int32 =
      switch Runner(LongAnswers.program, host).run(words) {
      case .success(let status): status.code
      case .failure(let failure): failure.kind.exitCode
      }
    return (status, output.text, errors.text, scratch.text("paged"))
  }

  private let all = "line 1\nline 2\nline 3\n"

  @Test func thePagerGetsThem() throws {
    let ran = try run("long", pager: "cat >FILE; exit 3")
    #expect(ran.paged == all && ran.output == "" && ran.status == 0)
  }

  @Test func notWhereNobodyReads() throws {
    #expect(try run("long", terminal: false, pager: "cat >FILE").output == all)
    #expect(try run("long", "--no-pager", pager: "cat >FILE").output == all)
    #expect(try run("long", pager: "").output == all)
    #expect(try run("short", pager: "cat >FILE").output == "line\n")
  }

  @Test func aPagerThatDoesNotExistIsToldAndDoneWithout() throws {
    let ran = try run("long", pager: "no-such-pager-x")
    #expect(ran.output == all && ran.status == 0)
    #expect(ran.errors.contains("there is no pager 'no-such-pager-x'"))
  }

  @Test func whoLeavesThePagerHasSeenEnough() throws {
    let ran = try run("endless", pager: "head -n 1 >FILE")
    #expect(ran.paged == "more\n" && ran.status == 0 && ran.errors == "")
  }

  @Test func nothingToShowStartsNoPager() throws {
    let ran = try run("fail", pager: "echo started >FILE")
    #expect(ran.paged == "" && ran.status == 3 && ran.errors.contains("nothing there"))
  }
}
