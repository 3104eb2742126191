import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

@Suite struct ProgressTests {
  private let clock = FakeClock()
  private let sink = MemorySink()

  private func context(quiet: Bool = false) -> Context {
    var call = Invocation(Sample.say, suite: nil)
    if quiet { call.set(StandardOptions.quiet.declaration, to: true) }
    let host = Host(
      environment: Environment([:]), time: clock,
      input: Host.InputStream(MemorySource("".utf8, chunk: 1), isTerminal: false),
      output: Host.OutputStream(MemorySink(), isTerminal: false, size: { nil }),
      errors: ErrorStream(sink, isTerminal: true))
    return Context(
      program: Sample.program, call: call, host: host, output: Output(.init(), Outlet(MemorySink())))
  }

  private func progress(_ unit: String, inEach step: String? = nil, quiet: Bool = false) throws -> Progress {
    Progress(context(quiet: quiet), unit, inEach: step)
  }

  /// The last text of the line.
  private var line: String {
    let last = sink.text.split(separator: "\r").last.map(String.init) ?? ""
    return last.replacing("\u{1B}[K", with: "")
  }

  @Test func rateAndRemainingTime() throws {
    let progress = try progress("bike")
    progress.update(10, fraction: 0.01)
    #expect(line == "10 bikes")
    clock.advance(by: .seconds(2))
    progress.update(500, fraction: 0.25)
    #expect(line == "500 bikes, 250/s, 25 %, 6 s left")
    clock.advance(by: .seconds(2))
    progress.update(1000)
    #expect(line == "1000 bikes, 250/s")
    clock.advance(by: .seconds(996))
    progress.update(1234, fraction: 1)
    #expect(line == "1234 bikes, 1.2/s, 100 %, 0 s left")
  }

  @Test func pagesAndRowsAreCounted() throws {
    let progress = try progress("row", inEach: "page")
    progress.add(100)
    #expect(line == "1 page, 100 rows")
    clock.advance(by: .seconds(4))
    progress.add(60)
    #expect(line == "2 pages, 160 rows, 40/s")
  }

  @Test func theSizeOfAFileIsKnownAndThatOfAPipeIsNot() throws {
    let source = MeasuredSource(MemorySource("0123456789".utf8, chunk: 5), size: 10)
    var buffer = [UInt8](repeating: 0, count: 100)
    #expect(source.fraction == 0)
    #expect(try source.read(into: &buffer) == 5 && source.fraction == 0.5)
    #expect(try source.read(into: &buffer) == 5 && source.fraction == 1)
    #expect(MeasuredSource(MemorySource("".utf8, chunk: 1), size: nil).fraction == nil)
  }

  @Test(
    arguments: [
      (1, nil, .milliseconds(999), []), (0, nil, .seconds(5), []), (1, nil, .seconds(1), ["1.0/s"]),
      (99, nil, .seconds(10), ["9.9/s"]), (100, nil, .seconds(10), ["10/s"]),
      (100, 0, .seconds(10), ["10/s"]), (100, 1.5, .seconds(10), ["10/s"]), (100, -1, .seconds(10), ["10/s"]),
      (100, 1, .seconds(10), ["10/s", "100 %", "0 s left"]),
      // A part of a second is left as well.
      (100, 0.375, .seconds(10), ["10/s", "37 %", "17 s left"]),
      (100, 1e-12, .seconds(10), ["10/s", "0 %", "1000000000 s left"]),
    ] as [(Int, Double?, Duration, [String])])
  func rateAndRemainingTimeAreComputed(done: Int, fraction: Double?, after: Duration, expected: [String]) {
    #expect(Progress.pace(done: done, fraction: fraction, after: after) == expected)
  }

  /// A part of a second counts as one.
  @Test(
    arguments: [(.milliseconds(1500), "page", "1 page, 20 rows"), (.seconds(2), nil, "20 rows")]
      as [(Duration, String?, String)])
  func waitForNextRequestIsCountedDown(length: Duration, step: String?, done: String) throws {
    let context = context()
    let progress = Progress(context, "row", inEach: step)
    progress.add(20)
    clock.advance(by: .seconds(1))
    try progress.watching(context).time.sleep(for: length)
    let waits = ["", "; next request in 2 s", "; next request in 1 s"]
    #expect(sink.text == waits.map { "\r\(done)\($0)\u{1B}[K" }.joined())
  }

  @Test func fractionIsKnownForFilesOnly() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("0123456789", to: "file")
    #expect(try context().openMeasured(scratch.file("file")).fraction == 0)
    for file in ["-", nil] { #expect(try context().openMeasured(file).fraction == nil) }
    #expect(MeasuredSource(MemorySource([]), size: 0).fraction == nil)
    // A file that grows meanwhile.
    let source = MeasuredSource(MemorySource("0123456789".utf8), size: 4)
    var buffer = [UInt8](repeating: 0, count: 100)
    #expect(try source.read(into: &buffer) == 10 && source.fraction == 1)
  }

  // MARK: Where it is shown

  /// `-q` is -1. Rows on the same terminal would be written over it.
  @Test(
    arguments: [
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
