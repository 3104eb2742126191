import System
import TestSupport
import Testing

@testable import Command

@Suite struct ProgressTests {
  private let clock = FakeClock()
  private let sink = MemorySink()

  /// The last text of the line.
  private var line: String {
    let last = sink.text.split(separator: "\r").last.map(String.init) ?? ""
    return last.replacing("\u{1B}[K", with: "")
  }

  @Test func pagesAndRowsAreCounted() {
    let context = Context(Invocation(Sample.say, suite: nil), time: clock, terminal: [.errors], errors: sink)
    let progress = Progress(context, "row", inEach: "page")
    progress.add(100)
    #expect(line == "1 page, 100 rows")
    clock.advance(by: .seconds(4))
    progress.add(60)
    #expect(line == "2 pages, 160 rows")
  }

  // MARK: Where it is shown

  /// `-q` is -1. Rows on the same terminal would be written over it.
  @Test(arguments: [
    (0, false, true, true), (1, false, true, true), (2, false, true, true), (-1, false, true, false),
    (0, true, true, false), (0, true, false, true), (1, true, false, true), (-1, true, false, false),
  ])
  func progressDependsOnVerbosityAndTerminal(
    _ verbosity: Int, whileRows: Bool, outputIsTerminal: Bool, isShown: Bool
  ) {
    let sink = MemorySink()
    let context = Context(
      Invocation(Sample.say, suite: nil).told(verbosity), time: clock,
      terminal: outputIsTerminal ? [.errors, .output] : [.errors], errors: sink)
    Progress(context, "row", whileRows: whileRows).add(1)
    #expect(sink.text == (isShown ? "\r1 row\u{1B}[K" : ""))
    context.clearProgress()
    context.showProgress { "more" }
    #expect(sink.text.contains("more") == (verbosity >= 0))
    #expect(context.showsProgress == (verbosity >= 0 && !outputIsTerminal))
  }
}
