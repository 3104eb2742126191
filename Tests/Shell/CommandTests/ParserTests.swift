import System
import Testing
import TestSupport

@testable import Command

/// What the parser makes of the words of a line; values, bundles and refusals are in the recorded sessions.
@Suite struct ParserTests {
  @Test(arguments: [([], true), (["--"], true), (["-q"], true), (["a"], false), (["--", "a"], false)])
  func whetherThereAreOperands(words: [String], areNone: Bool) throws {
    guard case .run(let call) = try Parser(command: Sample.each, suite: nil).parse(words) else {
      Issue.record("the command is not run")
      return
    }
    #expect(call.operands.isEmpty == areNone)
  }

  /// Of what comes behind `--help`, only options shape the page.
  @Test func wordsAfterHelpAreIgnoredExceptOptions() throws {
    let parser = Parser(command: Sample.say, suite: "zoo")
    guard case .help(full: true, let call) = try parser.parse(["--help", "xxlimit=3", "--unknown", "--loud"])
    else {
      Issue.record("no help")
      return
    }
    #expect(call[Sample.limit] == 10 && call[Sample.loud] == 1)
  }
}

@Suite struct CommandLocatorTests {
  @Test(arguments: [
    ("zoo list --json", ["zoo", "list"]), ("--json zoo", ["zoo"]), ("--limit 3 zoo say go", ["zoo", "say"]),
    ("--output json zoo list", ["zoo", "list"]), ("filter x", ["filter"]), ("nope x", ["nope"]),
    ("zoo nope", []), ("--json", []), ("-- zoo", []),
  ])
  func namesOfALine(line: String, names: [String]) {
    #expect(Sample.program.names(in: line.split(separator: " ").map(String.init)) == names)
  }

  @Test(arguments: [
    ("zoo list", "list"), ("filter", "filter"), ("zoo", "missing the name of a command of 'zoo'"),
    ("", "missing operand COMMAND"), ("filter x", "unexpected operand 'x'"),
    ("zoo list x", "unexpected operand 'x'"), ("zo list", "'zo' is not a suite of sample"),
    ("zoo lits", "'lits' is not a command of 'sample zoo'"),
  ])
  func wordsThatHelpAndSchemaAreGiven(words: String, result: String) {
    do throws(Failure) {
      #expect(try Sample.program.command(words.split(separator: " ").map(String.init)).name == result)
    } catch {
      #expect(error.message == result)
      #expect(error.kind == .usage)
    }
  }
}

@Suite struct ValueKindTests {
  @Test(
    arguments: [
      ("0", 0), ("100", 100), ("007", 7), ("101", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1 ", nil),
      ("", nil), ("0x1", nil), ("1e2", nil), ("1.0", nil), ("１", nil), ("99999999999999999999999", nil),
    ] as [(String, Int?)])
  func countsAreDigitsOnly(text: String, value: Int?) {
    #expect(ValueKind<Int>.count(0...100).read(text) == value)
  }

  @Test(
    "Seconds, to the millisecond",
    arguments: [
      ("1", 1000), ("9", 9000), ("0.001", 1), ("0.57", 570), (".5", 500), ("86400", 86_400_000),
      ("86400.1", nil), ("0", nil), ("0.0001", nil), ("-1", nil), ("5s", 5000), ("20ms", 20),
      ("2m", 120_000), ("1h", 3_600_000), ("25h", nil), ("1d", nil), ("s", nil), ("1e3", nil), ("inf", nil),
      ("nan", nil), ("", nil), (".", nil), ("1.2.3", nil),
    ] as [(String, Int?)])
  func seconds(text: String, milliseconds: Int?) {
    #expect(ValueKind<Duration>.seconds.read(text) == milliseconds.map { .milliseconds($0) })
  }

  @Test func valueKindsFormatTheirValues() {
    #expect(ValueKind<Duration>.seconds.show(.milliseconds(1500)) == "1.5")
    #expect(ValueKind<Duration>.seconds.show(.seconds(30)) == "30")
    #expect(ValueKind<Sample.Size>.choice.show(.large) == "large")
    #expect(ValueKind<Sample.Size>.choice.description().valueName == "small|large")
    #expect(ValueKind<Int>.count(1 ... .max).description().expects == "a whole number, 1 or more")
  }
}

/// Standard input has one reader.
@Suite struct StandardInputOperandTests {
  private static let command = Command(
    "read", "Read it",
    operands: [
      Operand("FIRST", ValueKind<String>.text("FIRST"), "The first"),
      Operand(rest: "FILE", ValueKind<String>.inputFile, "The files"),
    ],
    options: [
      Option("in", ValueKind<String>.inputFile, "Read FILE"),
      Option("out", ValueKind<String>.file, "Write FILE"),
    ], output: .plain("Text."), examples: []
  ) { _, _ in }

  @Test(arguments: [
    ("x -", true), ("- -", true), ("- --out -", true), ("x --in -", true), ("x - --out -", true),
    ("x --in - --in -", true), ("x - --in - --no-in", true), ("x -- -", true), ("x - --in=a", true),
    ("x - -", false), ("x - --in -", false), ("x --in=- -- -", false), ("x a - b -", false),
  ])
  func standardInputIsReadOnce(words: String, isRead: Bool) {
    let parser = Parser(command: Self.command, suite: nil)
    let refusal = failure { try parser.parse(words.split(separator: " ").map(String.init)) }
    #expect(refusal?.kind == (isRead ? nil : .usage))
    #expect(refusal?.message == (isRead ? nil : "'-' can be used only once"))
  }
}

@Suite struct DayValueTests {
  @Test(
    arguments: [
      ("2022-03-08", "2022-03-08"), ("today", "2024-03-01"), ("yesterday", "2024-02-29"),
      ("0d", "2024-03-01"), ("abcd-01-02", nil), ("2022-+1-02", nil), ("0000-01-02", nil),
      ("2d", "2024-02-28"), ("07d", "2024-02-23"), ("99999d", "1750-05-18"), ("100000d", nil), ("d", nil),
      ("-1d", nil), ("+1d", nil), ("1 d", nil), ("1D", nil), ("1w", nil), ("Today", nil), ("2022-3-8", nil),
      ("2022-02-30", nil), ("", nil), ("7", nil),
    ] as [(String, String?)])
  func dayIsCountedFromToday(text: String, day: String?) throws {
    let today = try #require(CalendarDay("2024-03-01"))
    #expect(DayValue(text)?.day(today: today).description == day)
    #expect(day != nil || (DayValue.problem(text) == nil) == (text != "2022-02-30"))
  }
}
