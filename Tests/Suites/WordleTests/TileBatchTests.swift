import Output
import System
import TestSupport
import Testing

@testable import Wordle

private let styles = TileStyle.Form.allCases.flatMap { form in
  TileColors.Palette.allCases.flatMap { palette in
    TileColors.Background.allCases.map { TileStyle(form, TileColors(palette, on: $0)) }
  }
}

private func batch(_ input: String, style: TileStyle = TileStyle(), chunk: Int = .max) throws -> String {
  let sink = MemorySink()
  try TileBatch().run(MemorySource(input.utf8, chunk: chunk), to: sink, style: style)
  return sink.text
}

@Suite struct Batches {
  @Test(arguments: [
    ("", ""), ("mommy nymph\n", "⬛⬛🟩⬛🟨\n"), ("mommy nymph\neerie sweet\n", "⬛⬛🟩⬛🟨\n🟨🟨⬛⬛⬛\n"),
    ("mommy nymph\neerie sweet", "⬛⬛🟩⬛🟨\n🟨🟨⬛⬛⬛\n"), ("a a", "🟩\n"), ("a a\r", "🟩\n"), ("a\ta\n", "🟩\n"),
    (" \t a \t\t a\t \r\n", "🟩\n"), ("mommy\tnymph\r\neerie  sweet\r\n", "⬛⬛🟩⬛🟨\n🟨🟨⬛⬛⬛\n"),
    ("MOMMY nymPH\n", "⬛⬛🟩⬛🟨\n"), ("\nmommy nymph\r\n\r\n \t\na a", "⬛⬛🟩⬛🟨\n🟩\n"), ("\n", ""),
    ("\u{FEFF}mommy nymph\na a\n", "⬛⬛🟩⬛🟨\n🟩\n"), ("\u{FEFF}\na a\n", "🟩\n"),
    ("äb bÄ\nsleds sweet\nß ẞ\n", "🟨🟨\n🟩⬛🟩⬛⬛\n🟩\n"),
  ])
  func rowLineInOrderWhateverBlanksAndLineEnds(input: String, output: String) throws {
    #expect(try batch(input) == output)
    #expect(try batch(input, chunk: 1) == output)
  }

  @Test(arguments: [
    ("a a\nb b\npo7ds nymph\nc c\n", 3, "'po7ds' has '7' at position 3, which is not a letter", "g\ng\n"),
    ("mommy nymph\nmomm! nymph\n", 2, "'momm!' has '!' at position 5, which is not a letter", "bbgby\n"),
    ("mommy nymph\nmommy nymp{\n", 2, "'nymp{' has '{' at position 5, which is not a letter", "bbgby\n"),
    ("a a\nb\n", 2, "expected a guess and a word, found 1 word", "g\n"),
    ("a b c", 1, "expected a guess and a word, found 3 words", ""),
    ("a a\nab c\n", 2, "'ab' has 2 letters, 'c' has 1 letter", "g\n"),
    ("a a\nab\rc d\n", 2, "'ab\rc' has U+000D at position 3, which is not a letter", "g\n"),
    ("a a\nponds\u{A0}nymph\n", 2, "expected a guess and a word, found 1 word", "g\n"),
  ])
  func badLineIsNamedAfterRowsBeforeItWereWritten(input: String, number: Int, message: String, before: String)
  {
    for chunk in [1, 7, Int.max] {
      let sink = MemorySink()
      let failure = #expect(throws: Failure.self) {
        try TileBatch().run(MemorySource(input.utf8, chunk: chunk), to: sink, style: TileStyle(.letters))
      }
      #expect(failure?.kind == .usage)
      #expect(failure?.message == "line \(number): \(message)")
      #expect(failure?.details.last == .init("line", .integer(number)))
      #expect(sink.text == before)
    }
  }

  @Test(arguments: [1, 7, Int.max])
  func pairsMayEndWithNUL(chunk: Int) throws {
    let sink = MemorySink()
    try TileBatch(separator: 0).run(
      MemorySource("mommy nymph\0\0a a\0b c".utf8, chunk: chunk), to: sink, style: TileStyle(.letters))
    #expect(sink.text == "bbgby\0g\0b\0")
  }

  @Test func aLineFeedDoesNotEndARecordThatEndsWithNUL() {
    let sink = MemorySink()
    let failure = #expect(throws: Failure.self) {
      try TileBatch(separator: 0).run(
        MemorySource("mommy nymph\neerie sweet\0".utf8), to: sink, style: TileStyle(.letters))
    }
    #expect(failure?.message == "line 1: expected a guess and a word, found 3 words")
    #expect(sink.text == "")
  }

  @Test func theRowsOfOneReadAreOneWrite() throws {
    let sink = CountingSink()
    try TileBatch().run(MemorySource("a a\nmommy nymph\näb bÄ\n".utf8), to: sink, style: TileStyle())
    #expect(sink.writes == 1)
    // No row, no write.
    try TileBatch().run(MemorySource("\n\n".utf8), to: sink, style: TileStyle())
    #expect(sink.writes == 1)
  }

  @Test(
    arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80]])
  func bytesThatAreNoUTF8AreRefusedWithLine(bytes: [UInt8]) {
    let sink = MemorySink()
    let source = MemorySource(Array("mommy nymph\nmommy nymp".utf8) + bytes + Array("\n".utf8))
    let failure = #expect(throws: Failure.self) { try TileBatch().run(source, to: sink, style: TileStyle()) }
    #expect(failure?.kind == .usage && failure?.message == "line 2: invalid UTF-8")
    #expect(sink.text == "⬛⬛🟩⬛🟨\n")
  }

  @Test func lineMayBeAsLongAsBufferAndNoLonger() throws {
    let blanks = String(repeating: " ", count: TileBatch.longestLine - 3)
    for chunk in [1, Int.max] {
      #expect(try batch("a a\na\(blanks) a\n", chunk: chunk) == "🟩\n🟩\n")
      #expect(try batch("a a\na\(blanks) a", chunk: chunk) == "🟩\n🟩\n")
    }
    for end in ["", "\n"] {
      let sink = MemorySink()
      let failure = #expect(throws: Failure.self) {
        try TileBatch().run(
          MemorySource("a a\na\(blanks)  a\(end)".utf8, chunk: 1000), to: sink, style: TileStyle())
      }
      #expect(failure?.kind == .usage)
      #expect(failure?.message == "line 2: longer than \(TileBatch.longestLine) bytes")
      #expect(failure?.details == [.init("line", .integer(2))])
      #expect(sink.text == "🟩\n")
    }
  }

  @Test(arguments: styles)
  func everyStyleAgreesWithRowMadeByItselfOnLinesOfEveryKind(style: TileStyle) throws {
    var random = SeededGenerator(seed: 7)
    let alphabets = [
      Array("abc"), Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), Array("äéßЖжक日aB"),
    ]
    let blanks = [" ", " ", "\t", "  ", " \t "]
    var input = ""
    var expected = ""
    for _ in 0..<100 {
      let alphabet = alphabets.randomElement(using: &random) ?? []
      let length = Bool.random(using: &random) ? 5 : Int.random(in: 1...64, using: &random)
      func word() -> String {
        String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" })
      }
      func blank() -> String { blanks.randomElement(using: &random) ?? " " }
      let (guess, answer) = (word(), word())
      let plain = Int.random(in: 0..<3, using: &random) > 0
      input += plain ? "\(guess) \(answer)\n" : "\(blank())\(guess)\(blank())\(answer)\(blank())\r\n"
      expected += style.row(try Tiles(guess: guess, word: answer), guess: guess) + "\n"
    }
    for chunk in [1, 2, 3, 7, 13, 997, .max] {
      let same = try batch(input, style: style, chunk: chunk) == expected
      #expect(same, "read \(chunk) bytes at a time")
    }
  }

  @Test func moreRowsThanBufferHoldsComeOutWhole() throws {
    let rows = try batch(String(repeating: "mommy nymph\n", count: 30_000))
    #expect(rows == String(repeating: "⬛⬛🟩⬛🟨\n", count: 30_000))
  }

  @Test func lineIsAnsweredBeforeNextIsRead() throws {
    let sink = MemorySink()
    let source = ConversingSource(["mommy nymph\neer", "ie sweet\n"]) { sink.text }
    try TileBatch().run(source, to: sink, style: TileStyle())
    #expect(source.seen == ["", "⬛⬛🟩⬛🟨\n", "⬛⬛🟩⬛🟨\n🟨🟨⬛⬛⬛\n"])
  }

  @Test func sinkThatFailsEndsItWithItsFailure() {
    let failure = #expect(throws: Failure.self) {
      try TileBatch().run(MemorySource("a a\nb\n".utf8), to: FullSink(), style: TileStyle())
    }
    #expect(failure == FullSink.failure)
  }

  /// Pairs of five letters take a path of their own; it makes no difference to a row.
  @Test(
    arguments: [Format.json, .jsonl, .csv, .tsv, .table, .markdown], [nil, "word,tiles,guess,text,guess"])
  func rowsInAnotherFormatAreThoseOfPairsAlone(format: Format, fields: String?) throws {
    let pairs = [
      ("Mommy", "nymph"), ("mommy", "nymph"), ("ß", "S"), ("sleds", "SWEET"), ("qqqqq", "zzzzz"), ("a", "b"),
      ("zzzzz", "qqqqq"), ("guess", "words"),
    ]
    for form in TileStyle.Form.allCases {
      var settings = Output.Settings()
      settings.format = format
      settings.fields = fields
      let (batch, single) = (MemorySink(), MemorySink())
      let output = Output(settings, Outlet(batch))
      let input = pairs.map { "\($0.0) \($0.1)\n" }.joined()
      try TileBatch().run(MemorySource(input.utf8, chunk: 40), to: output, style: TileStyle(form))
      try output.outlet.finish()
      let expected = Output(settings, Outlet(single))
      try expected.write(
        pairs.map { pair throws(Failure) in
          GuessRow(try TileRow(guess: pair.0, word: pair.1), TileStyle(form))
        })
      try expected.outlet.finish()
      #expect(batch.text == single.text)
    }
  }

  @Test func badLineEndsRowsInAnotherFormat() throws {
    var settings = Output.Settings()
    settings.format = .jsonl
    settings.fields = "text"
    let sink = MemorySink()
    let output = Output(settings, Outlet(sink))
    let failure = #expect(throws: Failure.self) {
      try TileBatch().run(MemorySource("Mommy nymph\n\nx y z".utf8), to: output, style: TileStyle())
    }
    try output.outlet.finish()
    #expect(failure?.message == "line 3: expected a guess and a word, found 3 words")
    #expect(sink.text == "{\"text\":\"⬛⬛🟩⬛🟨\"}\n")
  }
}

@Suite struct TheCommonLine {
  private func write(_ line: String, room: Int = 24) throws -> (lines: Int, row: String) {
    let rows = try #require(FiveLetterRows(TileStyle(.letters)))
    let input = Array(line.utf8)
    var output = [UInt8](repeating: 0, count: room)
    let done = rows.write(input, input.indices, into: &output, from: 0)
    return (done.lines, String(decoding: output.prefix(done.written), as: UTF8.self))
  }

  @Test func everyPairOverThreeLettersGetsTilesOfRule() throws {
    let words = (0..<5).reduce([""]) { words, _ in
      words.flatMap { word in ["a", "b", "C"].map { word + $0 } }
    }
    let rows = try #require(FiveLetterRows(TileStyle(.letters)))
    var output = [UInt8](repeating: 0, count: words.count * 6 + 24)
    for guess in words {
      let input = words.reduce(into: [UInt8]()) { $0 += "\(guess) \($1.lowercased())\n".utf8 }
      let done = rows.write(input, input.indices, into: &output, from: 0)
      #expect(done.lines == words.count)
      let expected = try words.reduce(into: "") { text, word in
        text += TileStyle(.letters).row(try Tiles(guess: guess, word: word), guess: guess) + "\n"
      }
      let same = String(decoding: output.prefix(done.written), as: UTF8.self) == expected
      #expect(same, "\(guess)")
    }
  }

  @Test(arguments: [" ", "\t"])
  func lettersOfBothCasesAndBlanksAreAccepted(blank: String) throws {
    for letter in "abcdefghijklmnopqrstuvwxyz" {
      for place in 0..<5 {
        var guess = Array("-----")
        guess = guess.indices.map { $0 == place ? letter : letter == "q" ? "r" : "q" }
        let word = String(guess).uppercased()
        #expect(try write("\(String(guess))\(blank)\(word)\n") == (1, "ggggg\n"))
      }
    }
  }

  @Test func everyOtherByteInEveryPlaceMakesItLineOfAnotherKind() throws {
    let rows = try #require(FiveLetterRows(TileStyle()))
    let line = Array("mommy nymph\n".utf8)
    var output = [UInt8](repeating: 0, count: 24)
    for place in line.indices {
      for byte in UInt8.min...UInt8.max {
        var input = line
        input[place] = byte
        let letter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        let common =
          switch place {
          case 5: byte == 0x20 || byte == 0x09
          case 11: byte == 0x0A
          default: letter
          }
        let done = rows.write(input, input.indices, into: &output, from: 0)
        #expect(done.lines == (common ? 1 : 0), "byte \(byte) at \(place)")
      }
    }
  }

  @Test func itStopsWhereInputEndsOrRoomDoes() throws {
    #expect(try write("mommy nymph") == (0, ""))
    #expect(try write("mommy nymph\n", room: 23) == (0, ""))
    #expect(try write("mommy nymph\nmommy nymph\nmommy", room: 100) == (2, "bbgby\nbbgby\n"))
    #expect(try write("mommy nymph\nmommy nymph\n", room: 29) == (1, "bbgby\n"))
    #expect(FiveLetterRows(TileStyle(.ansi)) == nil)
  }
}

/// Notes, each time it is read, what was answered so far.
private final class ConversingSource: ByteSource {
  private var parts: [String]
  private let answer: () -> String
  var seen: [String] = []

  init(_ parts: [String], answer: @escaping () -> String) {
    self.parts = parts
    self.answer = answer
  }

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    seen.append(answer())
    guard !parts.isEmpty else { return 0 }
    return MemorySource(parts.removeFirst().utf8).read(into: &buffer)
  }
}

/// Counts the writes.
private final class CountingSink: ByteSink {
  private(set) var writes = 0

  func write(_ bytes: RawSpan) { writes += 1 }
}
