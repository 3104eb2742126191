import Foundation
import Synchronization
import TestSupport
import Testing

@testable import System

/// A log that nobody waits for.
@Suite struct BackgroundWriterTests {
  private func writer(_ sink: any ByteSink & Sendable, limit: Int = 1 << 20) throws -> BackgroundWriter {
    try BackgroundWriter(sink, limit: limit) { "lost \($0)\n" }
  }

  @Test func linesAreWrittenInTheirOrder() throws {
    let sink = MemorySink()
    let writer = try writer(sink)
    for round in 0..<50 {
      for line in 0..<20 { writer.append("\(round * 20 + line)\n") }
      if round.isMultiple(of: 7) { writer.finish(atMost: .seconds(60), time: SystemTime()) }
    }
    writer.finish(atMost: .seconds(60), time: SystemTime())
    #expect(sink.text == (0..<1000).map { "\($0)\n" }.joined())
  }

  @Test func fullPipeDropsLinesInsteadOfBlocking() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    let writer = try writer(DescriptorSink(pipe.writer, name: "log"), limit: 10_000)
    let line = String(repeating: "x", count: 99) + "\n"
    // Far more than the pipe and the memory hold.
    for _ in 0..<5000 { writer.append(line) }
    writer.finish(atMost: .milliseconds(1), time: SystemTime())
    // Several lines can tell of losses: the writer may take what waits while lines are appended.
    func lost(_ text: String) -> Int {
      text.split(separator: "\n").compactMap { $0.hasPrefix("lost ") ? Int($0.dropFirst(5)) : nil }.reduce(
        0, +)
    }
    var text = ""
    while lost(text) <= 1000 {
      text += String(decoding: try pipe.reader.read(atMost: 65_536), as: UTF8.self)
      // The next line after a loss tells of it.
      writer.append(line)
    }
    let lines = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
    #expect(lines.allSatisfy { $0.hasPrefix("lost ") || $0.allSatisfy { $0 == "x" } })
  }

  /// A sink that fails as long as it is told to.
  private final class Failing: ByteSink, Sendable {
    let fails = Mutex(true)
    let kind: Failure.Kind
    let inner = MemorySink()

    init(_ kind: Failure.Kind) { self.kind = kind }

    func write(_ bytes: RawSpan) throws(Failure) {
      if fails.withLock({ $0 }) { throw Failure(kind, "not written") }
      inner.write(bytes)
    }
  }

  /// With the third line, the report of the two before is lost as well.
  @Test(
    arguments: [Failure.Kind.storage, .closedPipe, .interrupted],
    [
      ("first\nsecond\nthird\n", "\nlost 3\nfourth\nfifth\n"),
      ("third\n", "first\nsecond\n\nlost 1\nfourth\nfifth\n"),
    ])
  func failedWriteLosesWholeLinesAndReportsTheirNumber(
    _ kind: Failure.Kind, _ lines: (lost: String, text: String)
  ) throws {
    let sink = Failing(kind)
    let writer = try writer(sink)
    for line in ["first\nsecond\n", "third\n", "fourth\n", "fifth\n"] {
      sink.fails.withLock { $0 = lines.lost.contains(line) }
      writer.append(line)
      writer.finish(atMost: .seconds(60), time: SystemTime())
    }
    #expect(sink.inner.text == lines.text)
  }

  /// A sink whose first write ends when it is let go.
  private final class Held: ByteSink, Sendable {
    let begun = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    private let isHeld = Mutex(true)
    let inner = MemorySink()

    func write(_ bytes: RawSpan) {
      let mustWait = isHeld.withLock { isHeld in
        defer { isHeld = false }
        return isHeld
      }
      if mustWait {
        begun.signal()
        release.wait()
      }
      inner.write(bytes)
    }
  }

  @Test func linesAboveTheLimitAreDroppedAndReportedOnce() throws {
    let sink = Held()
    let writer = try writer(sink, limit: 6)
    writer.append("first\n")
    sink.begun.wait()
    // Six bytes wait, and there is no room for two lines more.
    for line in ["aaa\n", "b\n", "c\n", "d\n"] { writer.append(line) }
    sink.release.signal()
    writer.finish(atMost: .seconds(60), time: SystemTime())
    for line in ["e\n", "f\n"] {
      writer.append(line)
      writer.finish(atMost: .seconds(60), time: SystemTime())
    }
    #expect(sink.inner.text == "first\naaa\nb\nlost 2\ne\nf\n")
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func finishReturnsAfterItsTimeLimit(_ limit: Duration) throws {
    let sink = Held()
    let writer = try writer(sink)
    writer.append("first\n")
    sink.begun.wait()
    writer.finish(atMost: limit, time: FakeClock())
    #expect(sink.inner.text == "")
    sink.release.signal()
    writer.finish(atMost: .seconds(60), time: SystemTime())
    #expect(sink.inner.text == "first\n")
  }

  /// The thread is not woken for each line, which would wait for room in a pipe.
  @Test func manyShortLinesMayWait() throws {
    let sink = Held()
    let writer = try writer(sink)
    writer.append("first\n")
    sink.begun.wait()
    for _ in 0..<70_000 { writer.append("\n") }
    sink.release.signal()
    writer.finish(atMost: .seconds(60), time: SystemTime())
    #expect(sink.inner.bytes.count == 6 + 70_000)
  }
}
