import TestSupport
import Testing

@testable import Terminal

@Suite struct KeyDecoderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var keys: [Key]

    init(_ text: String, _ keys: Key...) {
      self.init(bytes: Array(text.utf8), keys)
    }

    init(bytes: [UInt8], _ keys: [Key]) {
      self.bytes = bytes
      self.keys = keys
    }

    var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }
  }

  /// What the terminals in use send.
  static let cases: [Case] = [
    Case("aZ~ ", .character("a"), .character("Z"), .character("~"), .character(" ")),
    Case("é€🐝", .character("é"), .character("€"), .character("🐝")),
    // The first and the last byte that can follow another.
    Case("À¿ÿ\u{10FFFF}", .character("À"), .character("¿"), .character("ÿ"), .character("\u{10FFFF}")),
    Case("\r\n\t\u{7F}\u{8}", .enter, .enter, .tab, .backspace, .backspace),
    Case("\u{1}\u{1A}\u{0}\u{1F}x", .character("x")),
    Case("\u{1B}\u{1}\u{1B}\u{7F}", .escape, .escape, .backspace),
    // A key behind a sequence that broke off.
    Case("\u{1B}O\r\u{1B}[1\r", .enter, .enter), Case("\u{A0}", .character("\u{A0}")),
    Case("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", .up, .down, .right, .left),
    Case("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", .up, .down, .right, .left),
    Case(
      "\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", .home, .end, .home, .end, .home,
      .end, .home, .end), Case("\u{1B}[5~\u{1B}[6~\u{1B}[Z", .pageUp, .pageDown, .backTab),
    Case("\u{1B}[1;5C\u{1B}[5;2~", .right, .pageUp), Case("\u{1B}é", .character("é")),
    Case("\u{1B}\u{1B}[A", .escape, .up), Case("\u{1B}\r", .escape, .enter),
    Case(
      "\u{1B}[<0;1;1M\u{1B}[<0;1;1m", .mouse(Mouse(.press, row: 0, column: 0)),
      .mouse(Mouse(.release, row: 0, column: 0))),
    Case("\u{1B}[<2;200;31M", .mouse(Mouse(.press, .right, row: 30, column: 199))),
    Case(
      "\u{1B}[<64;5;6M\u{1B}[<65;5;6M", .mouse(Mouse(.wheelUp, .none, row: 5, column: 4)),
      .mouse(Mouse(.wheelDown, .none, row: 5, column: 4))),
    Case(
      "\u{1B}[<1;1;1M\u{1B}[<2;4;5m\u{1B}[<3;1;1M", .mouse(Mouse(.press, .middle, row: 0, column: 0)),
      .mouse(Mouse(.release, .right, row: 4, column: 3)), .mouse(Mouse(.press, .none, row: 0, column: 0))),
    Case("\u{1B}[<68;5;6M", .mouse(Mouse(.wheelUp, .none, row: 5, column: 4))),
    Case("\u{1B}[<0;123456;1M", .mouse(Mouse(.press, row: 0, column: 123_455))),
    Case("\u{1B}[<16;3;4M", .mouse(Mouse(.press, row: 3, column: 2))),
    Case("\u{1B}[200Ax", .up, .character("x")),
  ]

  /// What means nothing here leaves no trace; the `x` behind it does.
  static let swallowed: [Case] = [
    "\u{1B}[?1;2c", "\u{1B}[24;80R".replacing("R", with: "t"), "\u{1B}[99~", "\u{1B}[I", "\u{1B}[<0;0;1M",
    "\u{1B}[<0;1;0M", "\u{1B}[<0;1M", "\u{1B}[<0;<;1M", "\u{1B}[<35;1;1M", "\u{1B}[<0;1234567;1M",
    "\u{1B}[M !!", "\u{1B}[[A", "\u{1B}OP", "\u{1B}[15~", "\u{1B}[3;2~", "\u{1B}x", "\u{1B}Oy", "\u{1B}O ",
    "\u{1B}[?1A", "\u{1B}[>1~", "\u{1B}[ A", "\u{80}", "\u{9B}", "\u{9F}", "\u{1B}[<66;1;1M",
    "\u{1B}[<128;1;1M", "\u{1B}[<1;1;1;1M", "\u{1B}[~", "\u{1B}[" + String(repeating: "1;", count: 400) + "y",
  ].map { Case($0 + "x", .character("x")) }

  /// Bytes that are no UTF-8: one mark each time a scalar breaks off, and what follows is read as what it is.
  static let broken: [Case] = [
    Case(bytes: [0xFF, 0x61], [.character("\u{FFFD}"), .character("a")]),
    Case(bytes: [0xE2, 0x82, 0x61], [.character("\u{FFFD}"), .character("a")]),
    Case(bytes: [0xC3, 0x1B, 0x5B, 0x41], [.character("\u{FFFD}"), .up]),
    Case(bytes: [0xED, 0xA0, 0x80], [.character("\u{FFFD}")]),
    Case(bytes: [0xF4, 0x90, 0x80, 0x80], [.character("\u{FFFD}")]),
    Case(
      bytes: [0xC1, 0x61, 0xF5, 0x61],
      [.character("\u{FFFD}"), .character("a"), .character("\u{FFFD}"), .character("a")]),
  ]

  static let all = cases + swallowed + broken

  @Test(arguments: all) func sequenceIsDecodedInAnyPieces(_ sequence: Case) {
    for cut in sequence.bytes.indices {
      var decoder = KeyDecoder()
      let keys = decoder.decode(sequence.bytes[..<cut]) + decoder.decode(sequence.bytes[cut...])
      #expect(keys == sequence.keys && !decoder.isUndecided, "cut at \(cut)")
    }
    var decoder = KeyDecoder()
    #expect(sequence.bytes.flatMap { decoder.decode([$0]) } == sequence.keys, "byte by byte")
  }

  @Test(arguments: [
    ("\u{1B}", [Key.escape]), ("\u{1B}[", []), ("\u{1B}O", []), ("\u{1B}[1;", []), ("\u{1B}[M", []),
    ("\u{1B}[M!", []), ("\u{1B}[[", []),
  ])
  func timeoutEndsIncompleteSequence(_ text: String, _ keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(text.utf8) == [])
    #expect(decoder.isUndecided)
    #expect(decoder.finish() == keys)
    #expect(decoder.decode("a".utf8) == [.character("a")])
  }

  static let report = "\u{1B}[<0;12;3M"
  static let click = Key.mouse(Mouse(.press, row: 2, column: 11))

  /// Behind its first three bytes, which could be keys by themselves.
  @Test(arguments: 3..<report.utf8.count)
  func timeoutKeepsMouseReport(_ cut: Int) {
    let bytes = Array(KeyDecoderTests.report.utf8)
    var decoder = KeyDecoder()
    #expect(decoder.decode(bytes[..<cut]) == [])
    #expect(!decoder.isUndecided)
    #expect(decoder.finish() == [])
    #expect(decoder.decode(bytes[cut...]) == [KeyDecoderTests.click])
  }

  @Test(arguments: [("q", Key.character("q")), ("\r", .enter), ("\u{1B}[A", .up), (report, click)])
  func incompleteMouseReportIsDroppedBeforeKey(_ next: String, _ key: Key) {
    for cut in 3..<KeyDecoderTests.report.utf8.count {
      var decoder = KeyDecoder()
      #expect(decoder.decode(KeyDecoderTests.report.utf8.prefix(cut)) == [])
      #expect(decoder.decode(next.utf8) == [key], "cut at \(cut)")
    }
  }

  @Test func timeoutKeepsCharacter() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0xC3]) == [])
    #expect(decoder.finish() == [])
    #expect(decoder.decode([0xA9]) == [.character("é")])
  }

  @Test func randomBytesDoNotTrap() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var decoder = KeyDecoder()
      let alphabet = Array("\u{1B}[O<;M~0129mAx]\\".utf8) + [0xC3, 0xFF, 0x00]
      for _ in 0..<60 { _ = decoder.decode([alphabet.randomElement(using: &random) ?? 0]) }
      _ = decoder.finish()
    }
  }
}
