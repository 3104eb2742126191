import Foundation
import System
import TestSupport
import Testing

@testable import Terminal

@Suite struct PagerTests {
  let environment = Environment.process

  static let path = ["PATH": "/usr/bin:/bin"]

  @Test(arguments: [
    (["HW_PAGER": "more -s", "PAGER": "less"], PagerChoice.command("more -s")),
    (["PAGER": "more"], .command("more")), (["HW_PAGER": "", "PAGER": "more"], .none),
    (["PAGER": "  "], .none), (["PAGER": "cat"], .none), (["PAGER": "cat -v"], .command("cat -v")),
    (["PAGER": "no-such-pager -x"], .missing("no-such-pager")),
    (["PAGER": "/bin/no-such-pager"], .missing("/bin/no-such-pager")),
    (["PAGER": "X=1 no-such-pager"], .command("X=1 no-such-pager")), (["PATH": "/nowhere"], .none),
    (["TERM": "dumb"], .none), ([:], .none), (["TERM": "dumb", "PAGER": "more"], .none),
    (["PAGER": "\tcat\t"], .none), (["PAGER": "no-such-pager\t-x"], .missing("no-such-pager")),
  ])
  func pagerIsChosenFromEnvironment(_ variables: [String: String], _ choice: PagerChoice) {
    #expect(PagerChoice(Environment(Self.path.merging(variables) { $1 })) == choice)
  }

  /// Nothing is chosen: `less` is, where it is installed and of use.
  @Test(
    arguments: [("xterm", PagerChoice.command("less -FRX")), ("dumb", .none), (nil, .none)]
      as [(String?, PagerChoice)])
  func defaultPagerIsLess(term: String?, choice: PagerChoice) throws {
    let scratch = try ScratchDirectory()
    var variables = ["PATH": scratch.path]
    variables["TERM"] = term
    #expect(PagerChoice(Environment(variables)) == .none)
    try scratch.write("", to: "less")
    #expect(chmod(scratch.file("less"), 0o755) == 0)
    #expect(PagerChoice(Environment(variables)) == choice)
  }

  func pager(_ command: String) throws -> Pager {
    Interruption.install()
    Interruption.allowLongCleanUp()
    return try #require(
      Pager.start(.command(command), environment: environment, errors: ErrorStream(MemorySink())))
  }

  @Test func pagerReceivesAllOutput() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("paged")
    let pager = try pager("cat > \(file)")
    try pager.write("one\n")
    try pager.write(String(repeating: "x", count: 300_000))
    try pager.write("two\n")
    pager.finish()
    // Waited for: the file is whole.
    #expect(try File.read(file)?.count == 300_008)
    #expect(throws: Failure(.closedPipe, "pager was closed")) { try pager.write("more\n") }
    #expect(failure { try pager.awaitReader() }?.kind == .closedPipe)
  }

  /// Also if nothing is written any more.
  @Test(arguments: [0, 300_000]) func quitPagerIsNoticed(count: Int) throws {
    let pager = try pager("head -c \(count) >/dev/null")
    try pager.write(String(repeating: "x", count: count))
    try waitUntil("the reader to quit") {
      failure { try pager.awaitReader() }?.kind == .closedPipe
    }
    pager.finish()
  }

  /// What it read was shown, whatever its status says.
  @Test func exitStatusAfterReadingIsIgnored() throws {
    let pager = try pager("cat >/dev/null; exit 127")
    try pager.write(String(repeating: "x", count: 300_000))
    pager.finish()
    #expect(throws: Failure(.closedPipe, "pager was closed")) { try pager.write("more\n") }
  }

  @Test func lessReceivesOptionsFRX() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("paged")
    let pager = try pager("printenv LESS > \(file)")
    pager.finish()
    #expect(try File.read(file) == Array("FRX\n".utf8))
  }

  @Test func earlyQuitIsClosedPipe() throws {
    let pager = try pager("head -c 10 >/dev/null")
    #expect(throws: Failure(.closedPipe, "pager was closed")) {
      for _ in 0..<100_000 { try pager.write("another row\n") }
    }
    pager.finish()
  }

  @Test func unstartablePagerClosesItsDescriptors() async {
    await #expect(processExitsWith: .success) {
      let errors = MemorySink()
      let environment = Environment(["PATH": "/nowhere"])
      var counts: [Int] = []
      for _ in 0..<4 {
        let pager = Pager.start(.command("more\u{7}"), environment: environment, errors: ErrorStream(errors))
        #expect(pager == nil)
        counts.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
      }
      let line = "hw: cannot start the pager 'more\u{FFFD}': no such file or directory\n"
      #expect(errors.text == String(repeating: line, count: 4))
      // What the first one opens for good is not meant.
      #expect(Set(counts.dropFirst()).count == 1)
    }
  }
}
