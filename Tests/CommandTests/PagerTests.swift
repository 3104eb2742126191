import Foundation
import Output
import System
import Terminal
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
  ) -> (status: Int32, output: String, errors: String, paged: String) {
    signal(SIGPIPE, SIG_IGN)
    let file = "/tmp/hw-test-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (output, errors) = (MemorySink(), MemorySink())
    let environment = [
      "HW_PAGER": pager.replacingOccurrences(of: "FILE", with: file),
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
    let paged = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return (status, output.text, errors.text, paged)
  }

  private let all = "line 1\nline 2\nline 3\n"

  @Test func thePagerGetsThem() {
    let ran = run("long", pager: "cat >FILE; exit 3")
    #expect(ran.paged == all && ran.output == "" && ran.status == 0)
  }

  @Test func notWhereNobodyReads() {
    #expect(run("long", terminal: false, pager: "cat >FILE").output == all)
    #expect(run("long", "--no-pager", pager: "cat >FILE").output == all)
    #expect(run("long", pager: "").output == all)
    #expect(run("short", pager: "cat >FILE").output == "line\n")
  }

  @Test func aPagerThatDoesNotExistIsToldAndDoneWithout() {
    let ran = run("long", pager: "no-such-pager-x")
    #expect(ran.output == all && ran.status == 0)
    #expect(ran.errors.contains("there is no pager 'no-such-pager-x'"))
  }

  @Test func whoLeavesThePagerHasSeenEnough() {
    let ran = run("endless", pager: "head -n 1 >FILE")
    #expect(ran.paged == "more\n" && ran.status == 0 && ran.errors == "")
  }

  @Test func nothingToShowStartsNoPager() {
    let ran = run("fail", pager: "echo started >FILE")
    #expect(ran.paged == "" && ran.status == 3 && ran.errors.contains("nothing there"))
  }
}
