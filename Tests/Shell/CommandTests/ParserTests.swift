import System
import TestSupport
import Testing

@testable import Command

/// Each case is what stands after `sample zoo say`, and the values that differ from their defaults.
@Suite struct WhatTheParserReads {
  @Test(
    "Options with a value",
    arguments: [
      ("go", ""),
      ("go --limit 5", "limit 5"), ("go --limit=5", "limit 5"), ("--limit=5 go", "limit 5"),
      ("go -n 5", "limit 5"), ("go -n5", "limit 5"), ("go -n=5", "limit 5"),
      ("go --name=a=b", "name a=b"), ("go --name -x", "name -x"), ("go --name --", "name --"),
      ("go --name=-", "name -"), ("go -n1 -n2", "limit 2"), ("go --limit 007", "limit 7"),
      ("go --size large", "size large"), ("go --big", "size large"), ("go --size small --big", "size large"),
      ("go --big --size small", ""),
    ])
  func values(words: String, values: String) { hold(words, values) }

  @Test(
    "Flags, counters and lists",
    arguments: [
      ("go -f", "force true"), ("go --force", "force true"), ("go -f --force", "force true"),
      ("go -l", "loud 1"), ("go -ll", "loud 2"), ("go --loud -l --loud", "loud 3"),
      ("go --no-bell", "bell false"), ("go --bell", ""), ("go --no-bell --bell", ""),
      ("go -t a", "tag a"), ("go -ta --tag=b --tag c", "tag a+b+c"),
    ])
  func others(words: String, values: String) { hold(words, values) }

  @Test(
    "Short options in a bundle; the last one may take a value",
    arguments: [
      ("go -fl", "force true loud 1"), ("go -flln5", "limit 5 force true loud 2"),
      ("go -fn 5", "limit 5 force true"), ("go -fn=5", "limit 5 force true"), ("go -ftx", "tag x force true"),
      ("go -nl", "'-n' requires a whole number from 0 to 100, not 'l'"),
    ])
  func bundles(words: String, values: String) { hold(words, values) }

  @Test(
    "--no-X takes back what came before, whatever X is",
    arguments: [
      ("go --force --no-force", ""), ("go --no-force --force", "force true"), ("go -ll --no-loud", ""),
      ("go -ll --no-loud -l", "loud 1"), ("go --limit 5 --no-limit", ""), ("go --name x --no-name", ""),
      ("go -ta --no-tag", ""), ("go -ta --no-tag -tb", "tag b"), ("go --big --no-big", ""),
      ("go --size large --no-big", ""), ("go --no-json", ""),
    ])
  func negation(words: String, values: String) { hold(words, values) }

  @Test(
    "Operands, in their order, between the options and after --",
    arguments: [
      ("eat", "verb eat"), ("eat 3", "verb eat times 3"), ("eat 3 a b", "verb eat times 3 things a+b"),
      ("-f eat -l 3 a -n5 b", "limit 5 force true loud 1 verb eat times 3 things a+b"),
      ("-- -f 3 --json", "verb -f times 3 things --json"), ("eat -- 3 --", "verb eat times 3 things --"),
      ("-", "verb -"), ("- 2 -", "verb - times 2 things -"),
    ])
  func operands(words: String, values: String) { hold(words, values) }

  private func hold(_ words: String, _ values: String) {
    let ran = Ran("zoo say \(words)")
    #expect(ran.status == 0 ? ran.output == values : ran.complaint.hasPrefix("hw: \(values)"))
  }

  private static let size = Operand("SIZE", ValueKind<Sample.Size>.choice, "How large")
  private static let other = Operand(afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "What")
  private static let run = Command(
    "run", "Run another command", operands: [size, other], options: [Sample.force], output: .plain("Text."),
    examples: []
  ) { call, context throws(Failure) in
    let words = try call[other].joined(separator: "+")
    try context.output.outlet.write("\(try call[size].rawValue) \(call[Sample.force]) \(words)")
  }

  /// Its options are its own.
  @Test(
    "Another command line after --",
    arguments: [
      ("small -f -- a --force -- -x", "small true a+--force+--+-x"), ("small -- a -f", "small false a+-f"),
      ("small --", "missing operand COMMAND"), ("small", "small false "), ("-- a", "missing operand SIZE"),
      ("small a -- b", "unexpected operand 'a'"),
    ])
  func another(words: String, result: String) {
    let program = Sample.program(tools: [Self.run])
    let ran = Ran(program, ["run"] + words.split(separator: " ").map(String.init))
    #expect(ran.status == 0 ? ran.output == result : ran.complaint.hasPrefix("hw: \(result)"))
  }

  @Test func theOperandsInTheUsage() {
    #expect(Sample.say.usageTails == ["[OPTIONS] VERB [TIMES] [THING...]"])
    #expect(Self.run.usageTails == ["[OPTIONS] SIZE [-- COMMAND...]"])
    #expect(Sample.list.usageTails == ["[OPTIONS]"])
  }

  @Test(arguments: [([], true), (["--"], true), (["-q"], true), (["a"], false), (["--", "a"], false)])
  func whetherThereAreOperands(words: [String], areNone: Bool) throws {
    guard case .run(let call) = try Parser(command: Sample.each, suite: nil).parse(words) else {
      Issue.record("the command is not run")
      return
    }
    #expect(call.hasNoOperands == areNone)
  }

  /// Of what comes behind `--help`, only options shape the page.
  @Test func wordsBehindHelp() throws {
    let parser = Parser(command: Sample.say, suite: "zoo")
    guard case .help(full: true, let call) = try parser.parse(["--help", "xxlimit=3", "--unknown", "--loud"])
    else {
      Issue.record("no help")
      return
    }
    #expect(call[Sample.limit] == 10 && call[Sample.loud] == 1)
  }
}

@Suite struct WhatTheParserRefuses {
  private static let help = "see 'sample zoo say --help'"
  private static let verb = "VERB: What to do"

  @Test(
    "with the option as it was typed",
    arguments: [
      ("go --limit", "'--limit' requires a value: N | write '--limit N'"),
      ("go -n", "'-n' requires a value: N | write '-n N'"),
      ("go -fn", "'-n' requires a value: N | write '-n N'"),
      ("go --limit=", "'--limit' requires a whole number from 0 to 100, not '' | \(help)"),
      ("go -n=", "'-n' requires a whole number from 0 to 100, not '' | \(help)"),
      ("go --limit 101", "'--limit' requires a whole number from 0 to 100, not '101' | \(help)"),
      ("go -n -1", "'-n' requires a whole number from 0 to 100, not '-1' | \(help)"),
      (
        "go -n99999999999999999999",
        "'-n' requires a whole number from 0 to 100, not '99999999999999999999' | \(help)"
      ),
      ("go --size huge", "'--size' requires one of small, large, not 'huge' | \(help)"),
      ("go --size larg", "'--size' requires one of small, large, not 'larg' | did you mean 'large'?"),
      ("go --name=", "'--name' requires a text that is not empty, not '' | \(help)"),
      ("go -t=", "'-t' requires a text that is not empty, not '' | \(help)"),
      ("go --force=yes", "'--force' takes no value | \(help)"),
      ("go -f=yes", "'-f' takes no value | \(help)"),
      ("go --loud=2", "'--loud' takes no value | \(help)"),
      ("go --big=x", "'--big' takes no value | \(help)"),
      ("go --no-force=x", "'--no-force' takes no value | \(help)"),
      ("go --no-limit=5", "'--no-limit' takes no value | \(help)"),
      ("go --help=x", "'--help' takes no value | \(help)"),
      ("go --version=x", "'--version' takes no value | \(help)"),
    ])
  func values(words: String, complaint: String) { hold(words, complaint) }

  @Test(
    "unknown options, with the nearest name where one is near",
    arguments: [
      ("go --limi 5", "unknown option '--limi' | did you mean '--limit'?"),
      ("go --lmiit=5", "unknown option '--lmiit' | did you mean '--limit'?"),
      ("go --jsn", "unknown option '--jsn' | did you mean '--json'?"),
      ("go --no-bel", "unknown option '--no-bel' | did you mean '--no-bell'?"),
      ("go --quite", "unknown option '--quite' | did you mean '--quiet'?"),
      ("go --absolutely", "unknown option '--absolutely' | \(help)"),
      ("go --=x", "unknown option '--=x' | \(help)"), ("go --no-", "unknown option '--no-' | did you mean"),
      ("go -F", "unknown option '-F' | did you mean '-f'?"), ("go -z", "unknown option '-z' | \(help)"),
      ("go -fz", "unknown option '-z' | \(help)"), ("go -é", "unknown option '-é' | \(help)"),
      ("go -5", "unknown option '-5' | \(help)"),
    ])
  func unknown(words: String, complaint: String) { hold(words, complaint) }

  @Test(
    "operands too many, too few, out of range",
    arguments: [
      ("", "missing operand VERB | \(verb) | \(help)"), ("-f", "missing operand VERB | \(verb) | \(help)"),
      ("--", "missing operand VERB | \(verb) | \(help)"),
      ("go 0", "'TIMES' requires a whole number from 1 to 9, not '0' | \(help)"),
    ])
  func operands(words: String, complaint: String) { hold(words, complaint) }

  @Test func anEmptyOperand() {
    #expect(
      Ran(words: ["zoo", "say", ""]).complaint.hasPrefix(
        "hw: 'VERB' requires a text that is not empty, not ''"))
    #expect(Ran(words: ["zoo", "say", "go", "1", ""]).complaint.hasPrefix("hw: 'THING' requires a text"))
    for line in ["zoo list extra", "zoo list extra more"] {
      #expect(Ran(line).complaint.hasPrefix("hw: unexpected operand 'extra'"))
    }
  }

  @Test func onlyNoTakesAnOptionBack() {
    #expect(Ran("zoo say go --un-force").complaint.hasPrefix("hw: unknown option '--un-force'"))
  }

  private func hold(_ words: String, _ complaint: String) {
    let ran = Ran("zoo say \(words)")
    #expect(ran.status == 2)
    #expect(ran.output == "")
    #expect(
      ran.complaint == "hw: \(complaint)"
        || complaint.hasSuffix("mean") && ran.complaint.hasPrefix("hw: \(complaint)"))
  }
}

@Suite struct WhereTheCommandIsFound {
  @Test(
    "Options may stand before the names, with their values",
    arguments: [
      "zoo say eat -n5 -f --tag x", "-n5 zoo -f say --tag x eat", "-n 5 -f --tag x zoo say eat",
      "--limit 5 --force zoo --tag=x say eat", "-fn 5 zoo say --tag x -- eat", "-ftx zoo -n=5 say eat",
    ])
  func anywhere(line: String) {
    #expect(Ran(line).output == "limit 5 tag x force true verb eat")
  }

  @Test(
    "What is no name is said so, with the nearest",
    arguments: [
      ("zo", "'zo' is not a command of sample | did you mean 'zoo'?"),
      ("fliter", "'fliter' is not a command of sample | did you mean 'filter'?"),
      ("elephant", "'elephant' is not a command of sample | see 'sample --help'"),
      ("zoo lst", "'lst' is not a command of 'sample zoo' | did you mean 'list'?"),
      ("farm say", "'say' is not a command of 'sample farm' | commands: list"),
      ("-n zoo say", "'say' is not a command of sample | did you mean 'sample zoo say'?"),
      ("-- zoo", "unexpected operand 'zoo' | see 'sample --help'"),
      ("zoo -- say", "unexpected operand 'say' | see 'sample zoo --help'"),
      ("--nope", "unknown option '--nope' | see 'sample --help'"),
      ("zoo --nope", "unknown option '--nope' | see 'sample zoo --help'"),
      ("- zoo", "'-' is not a command of sample | see 'sample --help'"),
      ("filter/", "'filter/' is not a command of sample | did you mean 'filter'?"),
      ("zoo/list", "'zoo/list' is not a command of sample | did you mean 'sample zoo list'?"),
      ("zoo/list/x", "'zoo/list/x' is not a command of sample | see 'sample --help'"),
      ("environment", "'environment' is not a command of sample | did you mean 'sample help environment'?"),
      ("server", "'server' is not a command of sample | did you mean 'sample serve'?"),
      ("doctor", "'doctor' is not a command of sample | did you mean 'sample check --self'?"),
      ("zoo help", "'help' is not a command of 'sample zoo' | did you mean 'sample help zoo'?"),
      ("zoo filter", "'filter' is not a command of 'sample zoo' | did you mean 'sample filter'?"),
    ])
  func unknown(line: String, complaint: String) {
    let ran = Ran(line)
    #expect(ran.status == 2)
    #expect(ran.output == "")
    #expect(ran.complaint == "hw: \(complaint)")
  }

  @Test(arguments: [
    ("zoo list --json", ["zoo", "list"]), ("--json zoo", ["zoo"]), ("--limit 3 zoo say go", ["zoo", "say"]),
    ("--output json zoo list", ["zoo", "list"]), ("filter x", ["filter"]), ("nope x", ["nope"]),
    ("zoo nope", []), ("--json", []), ("-- zoo", []),
  ])
  func namesOfALine(line: String, names: [String]) {
    #expect(Sample.program.names(in: line.split(separator: " ").map(String.init)) == names)
  }

  @Test(
    "The words that help and schema are given",
    arguments: [
      ("zoo list", "list"), ("filter", "filter"), ("zoo", "missing the name of a command of 'zoo'"),
      ("", "missing operand COMMAND"), ("filter x", "unexpected operand 'x'"),
      ("zoo list x", "unexpected operand 'x'"), ("zo list", "'zo' is not a suite of sample"),
      ("zoo lits", "'lits' is not a command of 'sample zoo'"),
    ])
  func named(words: String, result: String) {
    do throws(Failure) {
      #expect(try Sample.program.command(words.split(separator: " ").map(String.init)).name == result)
    } catch {
      #expect(error.message == result)
      #expect(error.kind == .usage)
    }
  }
}

@Suite struct TheKindsOfValue {
  @Test(
    "Counts are digits only",
    arguments: [
      ("0", 0), ("100", 100), ("007", 7), ("101", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1 ", nil),
      ("", nil),
      ("0x1", nil), ("1e2", nil), ("1.0", nil), ("１", nil), ("99999999999999999999999", nil),
    ] as [(String, Int?)])
  func counts(text: String, value: Int?) {
    #expect(ValueKind<Int>.count(0...100).read(text) == value)
  }

  @Test(
    "Seconds, to the millisecond",
    arguments: [
      ("1", 1000), ("9", 9000), ("0.001", 1), ("0.57", 570), (".5", 500), ("86400", 86_400_000),
      ("86400.1", nil),
      ("0", nil),
      ("0.0001", nil), ("-1", nil), ("1s", nil), ("1e3", nil), ("inf", nil), ("nan", nil), ("", nil),
      (".", nil),
      ("1.2.3", nil),
    ] as [(String, Int?)])
  func seconds(text: String, milliseconds: Int?) {
    #expect(ValueKind<Duration>.seconds.read(text) == milliseconds.map { .milliseconds($0) })
  }

  @Test func theyShowWhatTheyRead() {
    #expect(ValueKind<Duration>.seconds.show(.milliseconds(1500)) == "1.5")
    #expect(ValueKind<Duration>.seconds.show(.seconds(30)) == "30")
    #expect(ValueKind<Sample.Size>.choice.show(.large) == "large")
    #expect(ValueKind<Sample.Size>.choice.description().valueName == "small|large")
    #expect(ValueKind<Int>.count(1 ... .max).description().expects == "a whole number, 1 or more")
  }
}

/// Standard input has one reader.
@Suite struct StandardInputOfACommandLine {
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
  func isReadOnce(words: String, isRead: Bool) {
    let parser = Parser(command: Self.command, suite: nil)
    let refusal = failure { try parser.parse(words.split(separator: " ").map(String.init)) }
    #expect(refusal?.kind == (isRead ? nil : .usage))
    #expect(refusal?.message == (isRead ? nil : "'-' can be used only once"))
  }
}
