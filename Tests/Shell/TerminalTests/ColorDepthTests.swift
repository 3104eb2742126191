import System
import Testing

@testable import Terminal

/// Colors on terminals that have fewer than hw paints in.
@Suite struct ColorDepthTests {
  @Test(arguments: [
    (["COLORTERM": "truecolor", "TERM": "xterm"], ColorDepth.direct), (["COLORTERM": "24bit"], .direct),
    (["TERM": "xterm-direct"], .direct), (["TERM": "tmux-256color"], .palette),
    (["TERM": "xterm-256color", "COLORTERM": "1"], .palette), (["TERM": "xterm"], .palette), ([:], .palette),
  ])
  func depthIsReadFromEnvironment(variables: [String: String], depth: ColorDepth) {
    #expect(ColorDepth(Environment(variables)) == depth)
  }

  @Test(
    arguments: [
      ([0, 0, 0], 255), ([40, 40, 60], 255), ([255, 255, 255], 0), ([239, 247, 163], 0), ([0, 200, 230], 0),
      ([24, 61, 163], 255), ([120, 124, 126], 0), ([216, 67, 58], 0), ([109, 109, 109], 0),
      ([107, 107, 107], 255),
    ] as [([UInt8], Int)])
  func textOnColorIsBlackOrWhite(color: [UInt8], shade: Int) {
    let (red, green, blue) = (color[0], color[1], color[2])
    #expect(
      Style.filled(red: red, green: green, blue: blue)
        == Style("48;2;\(red);\(green);\(blue);38;2;\(shade);\(shade);\(shade)"))
  }

  @Test(
    arguments: [
      ([0, 0, 0], 16), ([255, 255, 255], 231), ([255, 0, 0], 196), ([95, 135, 175], 67), ([8, 8, 8], 232),
      ([238, 238, 238], 255), ([120, 124, 126], 244), ([106, 170, 100], 71),
      // As near to a shade of the cube as to a gray, or to two shades.
      ([4, 4, 4], 16), ([12, 12, 12], 232), ([13, 13, 13], 233), ([115, 0, 0], 52),
    ] as [([UInt8], Int)])
  func colorIsMappedToPalette(color: [UInt8], number: Int) {
    #expect(ColorDepth.nearestInPalette(color.map { Int($0) }) == number)
  }

  @Test(arguments: [
    ("1;38;2;255;0;0;48;2;0;0;0;4", "1;38;5;196;48;5;16;4"), ("", ""), ("0;38;5;9;31", "0;38;5;9;31"),
    ("38;2;1;2", "38;2;1;2"), ("38;2;300;0;0", "38;2;300;0;0"),
    // What looks like one of them: a color of the palette, and parameters of other meanings.
    ("38;5;9;31;1;4", "38;5;9;31;1;4"), ("4;2;1;2;3", "4;2;1;2;3"),
  ])
  func colorParametersAreReplaced(text: String, adapted: String) {
    #expect(ColorDepth.inPalette(text.utf8) == adapted)
  }

  static let painted = "a\u{1B}[2J\u{1B}]52;c;m\u{07}\u{1B}[1;38;2;255;0;0mé\u{1B}[0m\u{1B}M z"

  /// However the writes fall, and nothing is lost or left behind.
  @Test func splitSequencesAreReplaced() throws {
    let bytes = Array(Self.painted.utf8)
    let expected = Self.painted.replacing("38;2;255;0;0", with: "38;5;196")
    for cut in 0...bytes.count {
      let memory = MemorySink()
      let sink = ColorSink(memory, .palette)
      try sink.write(Array(bytes[..<cut]))
      try sink.write(Array(bytes[cut...]))
      #expect(memory.text == expected, "cut at \(cut)")
    }
  }

  /// Only what may go on is kept back.
  @Test(arguments: ["a\u{1B}M", "a\u{1B}[m", "a\u{1B}[2J", "a"])
  func completeTextIsWrittenAtOnce(text: String) throws {
    let memory = MemorySink()
    try ColorSink(memory, .palette).write(text)
    #expect(memory.text == text)
  }

  @Test func awaitReaderAsksUnderlyingSink() {
    struct Gone: ByteSink {
      func write(_ bytes: RawSpan) throws(Failure) {}
      func awaitReader() throws(Failure) { throw Failure(.closedPipe, "gone") }
    }
    #expect(throws: Failure(.closedPipe, "gone")) { try ColorSink(Gone(), .palette).awaitReader() }
  }

  @Test func directColorKeepsBytes() throws {
    let memory = MemorySink()
    let sink = ColorSink(memory, .direct)
    try sink.write(Self.painted)
    #expect(memory.text == Self.painted)
    // Nothing is kept back, also no half of a sequence.
    try sink.write("\u{1B}[38;2;007")
    #expect(memory.text == Self.painted + "\u{1B}[38;2;007")
  }
}

@Suite struct ColorChoiceTests {
  /// `--color`, a terminal?, `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`, and what follows. An unset variable is nil.
  @Test(
    arguments: [
      // A terminal has color, a pipe has not.
      (.auto, true, nil, nil, "xterm", true), (.auto, false, nil, nil, "xterm", false),
      // A terminal that can do nothing, or says nothing, has none.
      (.auto, true, nil, nil, "dumb", false), (.auto, true, nil, nil, nil, false),
      // NO_COLOR says no, whatever its value, and is stronger than CLICOLOR_FORCE.
      (.auto, true, "1", nil, "xterm", false), (.auto, true, "0", nil, "xterm", false),
      (.auto, true, "1", "1", "xterm", false), (.auto, false, "1", "1", "xterm", false),
      // CLICOLOR_FORCE says yes, unless it is 0.
      (.auto, false, nil, "1", "xterm", true), (.auto, false, nil, "1", nil, true),
      (.auto, true, nil, "1", "dumb", true), (.auto, false, nil, "0", "xterm", false),
      (.auto, true, nil, "0", "xterm", true), (.auto, false, nil, "yes", "xterm", true),
      // What was typed is stronger than every variable.
      (.always, false, "1", "0", "dumb", true), (.always, false, nil, nil, nil, true),
      (.always, true, "1", nil, "xterm", true),
      (.never, true, nil, "1", "xterm", false), (.never, false, nil, "1", nil, false),
    ] as [(ColorChoice, Bool, String?, String?, String?, Bool)])
  func colorIsChosenByOptionsAndVariables(
    choice: ColorChoice, terminal: Bool, noColor: String?, force: String?, term: String?, colored: Bool
  ) {
    #expect(choice.isOn(terminal: terminal, noColor: noColor, force: force, term: term) == colored)
  }

  @Test func styleIsResetAfterText() {
    #expect(Style.bold.applied(to: "x") == "\u{1B}[1mx\u{1B}[0m")
    #expect(Style.color(red: 1, green: 22, blue: 255).applied(to: "x") == "\u{1B}[38;2;1;22;255mx\u{1B}[0m")
  }
}
