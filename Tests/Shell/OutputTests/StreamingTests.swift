import JSON
import System
import TestSupport
import Testing

@testable import Output

/// A sink that keeps no bytes, only the sizes of the pieces.
private final class Scale: ByteSink {
  var pieces: [Int] = []
  func write(_ bytes: RawSpan) { pieces.append(bytes.byteCount) }
}

@Suite struct StreamingTests {
  private static let streamed = Format.allCases.filter { $0 != .table }

  @Test(arguments: Format.allCases)
  func firstRowIsWrittenBeforeSecondIsMade(format: Format) throws {
    let sink = MemorySink()
    let output = Output(settings(format), Outlet(sink))
    var made = 0
    var seen: [String] = []
    try output.write { () throws(Failure) -> Tile? in
      // Whoever waits for more flushes first.
      try output.outlet.flush()
      seen.append(sink.text)
      made += 1
      return made <= 2 ? Tile(letter: "row\(made)") : nil
    }
    // The widths of a table are known with its last row.
    guard format != .table else { return #expect(seen == ["", "", ""]) }
    #expect(!seen[0].contains("row1"))
    #expect(seen[1].contains("row1") && !seen[1].contains("row2"))
    #expect(seen[2].contains("row2"))
  }

  @Test(arguments: streamed)
  func bufferStaysSmall(format: Format) throws {
    let scale = Scale()
    let output = Output(settings(format), Outlet(scale))
    var left = 20_000
    var largest = 0
    try output.write { () throws(Failure) -> Tile? in
      largest = max(largest, output.outlet.buffer.capacity)
      left -= 1
      return left >= 0 ? Tile(letter: "abcdefghij") : nil
    }
    try output.outlet.flush()
    #expect(scale.pieces.reduce(0, +) >= 200_000)
    #expect(largest <= 4 * Outlet.pieceSize)
    #expect(scale.pieces.allSatisfy { $0 <= Outlet.pieceSize + 100 })
    // And not in droplets.
    #expect(scale.pieces.dropLast().allSatisfy { $0 >= Outlet.pieceSize })
  }

  @Test(arguments: [Format.csv, .json, .jsonl])
  func foreignRowsAreStreamed(format: Format) throws {
    let scale = Scale()
    let output = Output(settings(format), Outlet(scale))
    let row = try JSON.parse(#"{"a":"abcdefghijklmnopqrstuvwxyz"}"#)
    var left = 20_000
    try output.write { () throws(Failure) -> JSON? in
      left -= 1
      return left >= 0 ? row : nil
    }
    #expect(scale.pieces.count > 5 && output.outlet.buffer.count < Outlet.pieceSize)
  }

  @Test func largeTableIsWrittenInPieces() throws {
    let scale = Scale()
    let output = Output(settings(.table), Outlet(scale))
    try output.write((0..<5000).map { _ in Tile(letter: "abcdefghijklmnopqrstuvwxyzabcdef") })
    #expect(scale.pieces.count >= 2 && output.outlet.buffer.count < Outlet.pieceSize)
  }
}

@Suite struct OutletTests {
  @Test func largeAndSmallPiecesKeepTheirOrder() throws {
    let sink = MemorySink()
    let outlet = Outlet(sink)
    try outlet.write("a")
    try outlet.write(Array("b".utf8))
    try outlet.write("c")
    try outlet.flush()
    try outlet.flush()
    #expect(sink.text == "abc")
  }

  @Test func pieceHas64KiB() throws {
    let sink = MemorySink()
    let outlet = Outlet(sink)
    try outlet.write(String(repeating: "x", count: 65_535))
    #expect(sink.bytes.isEmpty)
    try outlet.write("y")
    #expect(sink.bytes.count == 65_536)
    try outlet.write("z")
    #expect(sink.bytes.count == 65_536)
  }

  /// Who flushes knows that everything was written, also if the program is asked to stop meanwhile; who only writes stops.
  @Test func interruptionEndsWritesButNotFlush() throws {
    let sink = MemorySink()
    let interrupted = Interruption.failure
    let outlet = Outlet(sink) { () throws(Failure) in throw interrupted }
    try outlet.write("a")
    try outlet.flush()
    try outlet.finish()
    #expect(throws: interrupted) { try outlet.write(Array("b".utf8)) }
    #expect(throws: interrupted) { try outlet.write(String(repeating: "c", count: Outlet.pieceSize)) }
    try outlet.write("d")
    #expect(throws: interrupted) { try outlet.finish() }
    #expect(sink.text.filter { $0 != "c" } == "abd" && sink.text.count == 3 + Outlet.pieceSize)
  }

  /// What could not be written is not tried again: the second failure would hide the first.
  @Test func failedPieceIsNotWrittenAgain() throws {
    let outlet = Outlet(FullSink())
    try outlet.write("a")
    #expect(throws: FullSink.failure) { try outlet.flush() }
    try outlet.flush()
  }
}
