import System
import Testing

@Suite struct LineReaderTests {
  @Test(arguments: [1, 3, 4096])
  func lines(_ chunk: Int) throws {
    var lines = LineReader(MemorySource(Array("one\n\ntwo ü\nlast".utf8), chunk: chunk))
    var found: [String] = []
    while let line = try lines.nextText() { found.append(line) }
    #expect(found == ["one", "", "two ü", "last"])
  }

  @Test(
    arguments: [
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

  @Test(arguments: [1, 2, 5, 4096])
  func lineEndsInLFOrCRLF(_ chunk: Int) throws {
    var lines = LineReader(MemorySource(Array("one\r\n\r\ntwo\rthree\r\r\nlast\r".utf8), chunk: chunk))
    var found: [String] = []
    while let line = try lines.nextText() { found.append(line) }
    #expect(found == ["one", "", "two\rthree\r", "last"])
  }

  @Test(arguments: [1, 2, 4096])
  func byteOrderMarkIsDroppedBeforeFirstLineAndNowhereElse(_ chunk: Int) throws {
    var lines = LineReader(MemorySource(Array("\u{FEFF}one\n\u{FEFF}two".utf8), chunk: chunk))
    #expect(try lines.nextText()?.unicodeScalars.elementsEqual("one".unicodeScalars) == true)
    #expect(try lines.nextText()?.unicodeScalars.elementsEqual("\u{FEFF}two".unicodeScalars) == true)
    var marked = LineReader(MemorySource([0xEF, 0xBB, 0xBF]))
    #expect(try marked.nextText() == "")
    #expect(try marked.nextText() == nil)
  }

  @Test(arguments: [1, 7, 4096])
  func longestLineIsReadOneByteMoreIsNot(_ chunk: Int) throws {
    for end in ["", "\n"] {
      var lines = LineReader(MemorySource(Array("a\nabcd\(end)".utf8), chunk: chunk), longest: 4)
      #expect(try lines.nextText() == "a")
      #expect(try lines.nextText() == "abcd")
      #expect(try lines.nextText() == nil)
      var longer = LineReader(
        MemorySource(Array("a\nabcde\(end)".utf8), chunk: chunk), name: "f", longest: 4, hint: "shorter")
      #expect(try longer.nextText() == "a")
      let failure = #expect(throws: Failure.self) { try longer.nextText() }
      #expect(failure?.message == "'f', line 2: longer than 4 bytes")
      #expect(failure?.hint == "shorter")
    }
  }

  @Test func longestLineMayFollowEmptyOne() throws {
    var lines = LineReader(MemorySource("\nabcd".utf8), longest: 4)
    #expect(try lines.nextText() == "")
    #expect(try lines.nextText() == "abcd")
    #expect(try lines.nextText() == nil)
  }

  @Test(arguments: [1, 2, 4096])
  func lineEndsInByteThatWasChosenAndThenCRIsPartOfIt(_ chunk: Int) throws {
    var lines = LineReader(
      MemorySource(Array("one\r\0two\nthree\0\0last".utf8), chunk: chunk), separator: 0)
    var found: [String] = []
    while let line = try lines.nextText() { found.append(line) }
    #expect(found == ["one\r", "two\nthree", "", "last"])
  }

  @Test(arguments: ["", "\r", "\u{FEFF}", "\u{FEFF}\r"])
  func firstLineMayBeEmpty(_ front: String) throws {
    var lines = LineReader(MemorySource(Array("\(front)\nx".utf8)))
    #expect(try lines.nextText() == "")
    #expect(try lines.nextText() == "x")
    #expect(try lines.nextText() == nil)
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
