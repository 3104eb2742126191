import System
import Testing

@Suite struct LineReaderTests {
  /// A byte order mark is dropped before the first line and nowhere else.
  @Test(
    arguments: [
      ("one\n\ntwo ü\nlast", 10, ["one", "", "two ü", "last"]),
      ("one\r\n\r\ntwo\rthree\r\r\nlast\r", 10, ["one", "", "two\rthree\r", "last"]),
      ("one\r\0two\nthree\0\0last", 0, ["one\r", "two\nthree", "", "last"]),
      ("\u{FEFF}one\n\u{FEFF}two", 10, ["one", "\u{FEFF}two"]), ("\u{FEFF}", 10, [""]),
      ("\r\nx", 10, ["", "x"]), ("\u{FEFF}\nx", 10, ["", "x"]), ("\u{FEFF}\r\nx", 10, ["", "x"]),
    ] as [(String, UInt8, [String])], [1, 2, 3, 5, 4096])
  func textIsSplitAtLineEnds(_ text: (String, end: UInt8, lines: [String]), _ chunk: Int) throws {
    var lines = LineReader(MemorySource(Array(text.0.utf8), chunk: chunk), separator: text.end)
    for line in text.lines { #expect(try lines.nextText().map { Array($0.utf8) } == Array(line.utf8)) }
    #expect(try lines.nextText() == nil)
  }

  @Test(arguments: [
    ([UInt8](repeating: 0x61, count: 100_000), "longer than 4096 bytes"),
    ([UInt8](repeating: 0x61, count: 4097) + [0x0A], "longer than 4096 bytes"),
    ([0xFF, 0x0A], "invalid UTF-8"),
  ])
  func unreadableLineIsReportedWithItsNumber(_ bytes: [UInt8], _ message: String) throws {
    var lines = LineReader(MemorySource(Array("one\n".utf8) + bytes))
    #expect(try lines.nextText() == "one")
    let failure = #expect(throws: Failure.self) { try lines.nextText() }
    #expect(failure?.kind == .usage && failure?.message == "line 2: \(message)")
  }

  @Test(arguments: [1, 7, 4096])
  func longestLineIsReadOneByteMoreIsNot(_ chunk: Int) throws {
    for (front, end) in [("a", ""), ("a", "\n"), ("", ""), ("", "\n")] {
      var lines = LineReader(MemorySource(Array("\(front)\nabcd\(end)".utf8), chunk: chunk), longest: 4)
      #expect(try lines.nextText() == front)
      #expect(try lines.nextText() == "abcd")
      #expect(try lines.nextText() == nil)
      var longer = LineReader(
        MemorySource(Array("\(front)\nabcde\(end)".utf8), chunk: chunk), name: "f", longest: 4,
        hint: "shorter")
      #expect(try longer.nextText() == front)
      let failure = #expect(throws: Failure.self) { try longer.nextText() }
      #expect(failure?.message == "'f', line 2: longer than 4 bytes")
      #expect(failure?.hint == "shorter")
    }
  }

  @Test func linesThatCallerHasReadByItselfCount() throws {
    var lines = LineReader(
      MemorySource(Array("one\ntwo\nfour\n".utf8) + [0xFF, 0x0A]), name: "f", hint: "for long lines alone")
    #expect(lines.number == 0 && lines.rest.isEmpty)
    #expect(try lines.refill())
    #expect(lines.rest == 0..<15)
    lines.skip(lines: 2, bytes: 8)
    #expect(lines.number == 2 && lines.rest == 8..<15)
    #expect(try lines.nextText() == "four")
    #expect(lines.number == 3 && lines.rest == 13..<15)
    let found = #expect(throws: Failure.self) { try lines.nextText() }
    #expect(
      found
        == Failure(
          .usage, "'f', line 4: invalid UTF-8", details: [.init("line", .integer(4))], cause: .input(line: 4))
    )
    for _ in 0..<2 {
      #expect(try lines.nextText() == nil)
      #expect(try !lines.refill())
    }
    #expect(lines.number == 4)
  }

  @Test func lineIsReturnedBeforeMoreIsRead() throws {
    let pipe = try Pipe()
    defer { pipe.reader.close() }
    var lines = LineReader(DescriptorSource(pipe.reader, name: "pipe"))
    try pipe.writer.writeAll(Array("one\ntwo\nthr".utf8))
    // Nothing else is written, so a read beyond the complete lines would block.
    #expect(try lines.nextText() == "one")
    #expect(try lines.nextText() == "two")
    try pipe.writer.writeAll(Array("ee\n".utf8))
    #expect(try lines.nextText() == "three")
    pipe.writer.close()
    #expect(try lines.nextText() == nil)
  }

  /// Counts how often it is read.
  private final class Counted: ByteSource {
    private let inner: MemorySource
    private(set) var reads = 0

    init(_ text: String) { inner = MemorySource(text.utf8) }

    func read(into buffer: inout MutableRawSpan) -> Int {
      reads += 1
      return inner.read(into: &buffer)
    }
  }

  @Test(arguments: ["", "\n"])
  func afterItsEndSourceIsNotReadAgainTerminalWouldAskForMore(_ end: String) throws {
    let source = Counted("one\(end)")
    var lines = LineReader(source)
    #expect(try lines.nextText() == "one")
    for _ in 0..<3 { #expect(try lines.nextText() == nil) }
    #expect(source.reads == 2)
  }
}
