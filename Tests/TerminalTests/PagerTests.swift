import System
import TestSupport
import Testing

@testable import Terminal

@Suite struct PagerTests {
  let errors = MemorySink()
  let plain = MemorySink()
  let environment = Environment.process

  static let path = ["PATH": "/usr/bin:/bin"]

  @Test(arguments: [
    (["HW_PAGER": "more -s", "PAGER": "less"], PagerChoice.command("more -s")),
    (["PAGER": "more"], .command("more")),
    (["HW_PAGER": "", "PAGER": "more"], .none),
    (["PAGER": "  "], .none),
    (["PAGER": "cat"], .none),
    (["PAGER": "cat -v"], .command("cat -v")),
    (["PAGER": "no-such-pager -x"], .missing("no-such-pager")),
    (["PAGER": "/bin/no-such-pager"], .missing("/bin/no-such-pager")),
    (["PAGER": "X=1 no-such-pager"], .command("X=1 no-such-pager")),
    (["PATH": "/nowhere"], .none), (["TERM": "dumb"], .none), ([:], .none),
    (["TERM": "dumb", "PAGER": "more"], .command("more")),
  ])
  func choices(_ variables: [String: String], _ choice: PagerChoice) {
    #expect(PagerChoice(Environment(Self.path.merging(variables) { $1 })) == choice)
  }

  func pager(_ command: String) throws -> Pager {
    Interruption.install()
    return try #require(
      try Pager.start(.command(command), environment: environment, plain: plain, errors: errors))
  }

  @Test func whatIsWrittenReachesThePager() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("paged")
    let pager = try pager("cat > \(file)")
    try pager.write("one\n")
    try pager.write(String(repeating: "x", count: 300_000))
    try pager.finish()
    // Waited for: the file is whole.
    #expect(try File.read(file)?.count == 300_004)
    #expect(plain.text == "")
  }

  @Test func afterItsEndNobodyReads() throws {
    let pager = try pager("cat >/dev/null")
    try pager.write("one\n")
    try pager.awaitReader()
    try pager.finish()
    let failure = #expect(throws: Failure.self) { try pager.awaitReader() }
    #expect(failure?.kind == .closedPipe && plain.text == "")
  }

  @Test func lessIsToldAsGitTellsIt() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("paged")
    let pager = try pager("printenv LESS > \(file)")
    try pager.finish()
    #expect(try File.read(file) == Array("FRX\n".utf8))
  }

  @Test func anEarlyQuitIsAClosedPipe() throws {
    let pager = try pager("head -c 10 >/dev/null")
    #expect(throws: Failure(.closedPipe, "pager was closed")) {
      for _ in 0..<100_000 { try pager.write("another row\n") }
    }
    try pager.finish()
    #expect(plain.text == "")
  }

  /// Only the shell could tell that there is no such program, and by then output was written.
  @Test(arguments: [10, 100_000]) func aPagerThatNeverRanLosesNothing(_ rows: Int) throws {
    let pager = try pager("X=1 no-such-pager 2>/dev/null")
    for row in 0..<rows { try pager.write("\(row)\n") }
    try pager.finish()
    try pager.finish()
    #expect(plain.text == (0..<rows).map { "\($0)\n" }.joined())
  }

  @Test func aMissingPagerIsToldOnce() throws {
    let pager = try Pager.start(
      .missing("nope"), environment: environment, plain: plain, errors: errors)
    #expect(pager == nil)
    #expect(errors.text == "hw: there is no pager 'nope'; set HW_PAGER or PAGER, or use --no-pager\n")
  }

  @Test func noPagerIsNoPager() throws {
    #expect(try Pager.start(.none, environment: environment, plain: plain, errors: errors) == nil)
    #expect(errors.text == "")
  }
}
