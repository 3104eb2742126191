import Foundation
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
    (["TERM": "dumb", "PAGER": "more"], .none),
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

  func pager(_ command: String, plain: (any ByteSink)? = nil) throws -> Pager {
    Interruption.install()
    Interruption.allowLongCleanUp()
    return try #require(
      try Pager.start(
        .command(command), environment: environment, plain: plain ?? self.plain, errors: errors))
  }

  @Test func pagerReceivesAllOutput() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("paged")
    let pager = try pager("cat > \(file)")
    try pager.write("one\n")
    try pager.write(String(repeating: "x", count: 300_000))
    try pager.write("two\n")
    try pager.finish()
    // Waited for: the file is whole.
    #expect(try File.read(file)?.count == 300_008)
    #expect(plain.text == "")
    #expect(throws: Failure(.closedPipe, "pager was closed")) { try pager.write("more\n") }
  }

  /// Also if nothing is written any more.
  @Test(arguments: [0, 300_000]) func quitPagerIsNoticed(count: Int) throws {
    let pager = try pager("head -c \(count) >/dev/null")
    try pager.write(String(repeating: "x", count: count))
    try waitUntil("the reader to quit") {
      failure { try pager.awaitReader() }?.kind == .closedPipe
    }
    try pager.finish()
    #expect(plain.text == "")
  }

  /// What it read was shown, whatever its status says.
  @Test func exitStatusAfterReadingIsIgnored() throws {
    let pager = try pager("cat >/dev/null; exit 127")
    try pager.write(String(repeating: "x", count: 300_000))
    try pager.finish()
    #expect(throws: Failure(.closedPipe, "pager was closed")) { try pager.write("more\n") }
    #expect(plain.text == "")
  }

  @Test func finishedPagerIsClosedPipe() throws {
    let pager = try pager("cat >/dev/null")
    try pager.write("one\n")
    try pager.awaitReader()
    try pager.finish()
    let failure = #expect(throws: Failure.self) { try pager.awaitReader() }
    #expect(failure?.kind == .closedPipe && plain.text == "")
  }

  @Test func lessReceivesOptionsFRX() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("paged")
    let pager = try pager("printenv LESS > \(file)")
    try pager.finish()
    #expect(try File.read(file) == Array("FRX\n".utf8))
  }

  @Test func earlyQuitIsClosedPipe() throws {
    let pager = try pager("head -c 10 >/dev/null")
    #expect(throws: Failure(.closedPipe, "pager was closed")) {
      for _ in 0..<100_000 { try pager.write("another row\n") }
    }
    try pager.finish()
    #expect(plain.text == "")
  }

  /// Only the shell could tell that there is no such program, and by then output was written.
  @Test(arguments: [10, 100_000]) func outputOfMissingPagerIsPrinted(_ rows: Int) throws {
    let pager = try pager("X=1 no-such-pager 2>/dev/null")
    for row in 0..<rows { try pager.write("\(row)\n") }
    try pager.finish()
    try pager.finish()
    #expect(plain.text == (0..<rows).map { "\($0)\n" }.joined())
  }

  private final class Awaited: ByteSink {
    private(set) var text = ""
    private(set) var count = 0

    func write(_ bytes: RawSpan) throws(Failure) {
      text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    func awaitReader() throws(Failure) { count += 1 }
  }

  /// What comes later goes where the first part went.
  @Test(arguments: ["X=1 no-such-pager 2>/dev/null", "/dev/null 2>/dev/null"])
  func writingContinuesAfterMissingPager(command: String) throws {
    let plain = Awaited()
    let pager = try pager(command, plain: plain)
    try pager.write("one\n")
    try pager.finish()
    try pager.write("two\n")
    #expect(plain.text == "one\ntwo\n" && plain.count == 0)
    try pager.awaitReader()
    #expect(plain.count == 1)
  }

  @Test func awaitingMissingPagerPrintsOutput() throws {
    let pager = try pager("X=1 no-such-pager 2>/dev/null")
    try pager.write("one\n")
    try waitUntil("the output") {
      try pager.awaitReader()
      return plain.text == "one\n"
    }
  }

  /// A pipe takes this much although nobody reads.
  @Test func fullPipeOfMissingPagerIsPrinted() throws {
    let scratch = try ScratchDirectory()
    try #require(mkfifo(scratch.file("go"), 0o600) == 0)
    let pager = try pager("cat '\(scratch.file("go"))'; X=1 no-such-pager 2>/dev/null")
    let text = String(repeating: "x", count: 65_536)
    try pager.write(text)
    close(open(scratch.file("go"), O_WRONLY))
    try pager.finish()
    #expect(plain.text == text)
  }

  @Test func missingPagerIsReported() throws {
    let pager = try Pager.start(
      .missing("nope"), environment: environment, plain: plain, errors: errors)
    #expect(pager == nil)
    #expect(errors.text == "hw: there is no pager 'nope'; set HW_PAGER or PAGER, or use --no-pager\n")
  }

  @Test func unstartablePagerClosesItsDescriptors() async {
    await #expect(processExitsWith: .success) {
      let errors = MemorySink()
      let environment = Environment(["PATH": "/nowhere"])
      var counts: [Int] = []
      for _ in 0..<4 {
        let pager = try Pager.start(
          .command("more\u{7}"), environment: environment, plain: MemorySink(), errors: errors)
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
