import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

@Suite struct SettingVariableTests {
  @Test func everySettingHasTheVariablesThatHelpNames() {
    #expect(Sample.limit.declaration.variables(suite: nil) == ["HW_LIMIT"])
    #expect(Sample.name.declaration.variables(suite: "zoo") == [])
    #expect(
      Option("max-age", setting: .suites, "").declaration.variables(suite: "my-zoo") == [
        "HW_MY_ZOO_MAX_AGE", "HW_MAX_AGE",
      ])
  }
}

@Suite struct HelpAndVersionTests {
  @Test(arguments: [
    ("", "sample: A program for tests\n"), ("zoo", "sample zoo: Animals\n"), ("--help", "sample: "),
    ("-h", "sample: "), ("zoo -h", "sample zoo: "), ("zoo say --help", "sample zoo say: Say what was said\n"),
    ("--help zoo say", "sample zoo say: "), ("zoo say -fh", "sample zoo say: "),
    ("filter -h", "sample filter: "), ("zoo say --help --nope extra", "sample zoo say: "),
    ("--version", "sample 9.8.7\n"), ("zoo say --version", "sample 9.8.7\n"),
    ("zoo --version", "sample 9.8.7\n"), ("--", "sample: "),
  ])
  func helpAndVersionAreWrittenToStandardOutput(line: String, begins: String) {
    // Whoever does not ask for it is told of the variables.
    let isAsked = line.contains("h") || line.contains("version")
    let wrong = ["HW_LIMIT": "x", "HW_FORCE": "maybe", "HW_COLOR": "purple"]
    let ran = Ran(line, environment: isAsked ? wrong : [:])
    #expect(ran.status == 0)
    #expect(ran.output.hasPrefix(begins))
    #expect(ran.errors == "")
  }

  @Test(arguments: ["", "zoo", "zoo say --help", "filter --help", "--help"])
  func noLineIsWiderThan80Columns(line: String) {
    for text in Ran(line).output.split(separator: "\n") { #expect(text.count <= 80, "\(text)") }
  }
}

@Suite struct RunnerTests {
  @Test(arguments: Failure.Kind.allCases)
  func endsWithStatusOfItsKindAfterWhatWasAnsweredBefore(kind: Failure.Kind) {
    let ran = Ran("fail \(kind.rawValue) -q")
    #expect(ran.status == kind.exitCode)
    #expect(ran.output == (kind == .closedPipe ? "" : "begun\n"))
    let silent = kind == .closedPipe || kind == .interrupted
    #expect(ran.errors == (silent ? "" : "hw: it failed�[2J\n    mend it\n"))
  }

  @Test func argumentsThatCannotBeReadAreReported() {
    let errors = MemorySink()
    let host = Host(
      environment: Environment([:]), time: FakeClock(), input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(MemorySink()), errors: ErrorStream(errors))
    let wrong = Failure(.usage, "no text", hint: "write it")
    let result = Runner(Sample.program, host).run { () throws(Failure) -> [String] in throw wrong }
    #expect(result == .failure(wrong) && errors.text == "hw: no text\n    write it\n")
  }

  /// No request could be sent with it, and only here it is known where it comes from.
  @Test(arguments: [
    ("HW_USER_AGENT", "a\r\nX: y", false), ("HW_USER_AGENT", "a\u{7F}", false),
    ("HW_ZOO_USER_AGENT", "a\nb", false), ("HW_USER_AGENT", "é a/1 (b)", true),
  ])
  func userAgentWithControlCharacterIsRefused(variable: String, text: String, isValid: Bool) {
    let ran = Ran("zoo say go", environment: [variable: text])
    #expect(ran.status == (isValid ? 0 : 2), "\(ran.errors)")
    guard !isValid else { return }
    #expect(
      ran.errors.hasPrefix("hw: '\(variable)': it contains a line break or another control character\n"),
      "\(ran.errors)")
  }

  private func recording() throws -> ScratchDirectory {
    let scratch = try ScratchDirectory()
    let exchange = "# hw recording 2\n# at 2020-02-03 04:05:06+01:00\n> GET /x\n\n< 200\n\n{}\n"
    try scratch.write(exchange, to: "0001-GET-x.exchange")
    return scratch
  }

  /// The clock of a recording is for what asks a service.
  @Test(
    arguments: [(Needs.network, "1580699106 3600"), ([], "\(FakeClock.start.seconds) 0")] as [(Needs, String)]
  )
  func replayUsesRecordedClock(needs: Needs, time: String) throws {
    let scratch = try recording()
    let tell = Command("tell", "Tell the time", output: .plain("Text."), needs: needs, examples: []) {
      _, context throws(Failure) in
      let now = context.time.now()
      try context.output.outlet.write("\(now.seconds) \(context.time.offset(at: now))")
    }
    let program = Sample.program(tools: [tell])
    #expect(Ran(program, ["tell", "--replay", scratch.path], time: FakeClock()).output == time)
  }

  @Test(arguments: [(Needs.network, "2020-02-03,sunrise\n"), ([], "")] as [(Needs, String)])
  func replayComparesWithRecordedDay(needs: Needs, rows: String) throws {
    struct Event: Row {
      var day: CalendarDay

      static let fields: Fields<Event> = [
        .day("day", "Day", "its day") { $0.day }, .text("name", "Name", "its name") { _ in "sunrise" },
      ]
    }
    let scratch = try recording()
    let day = try #require(CalendarDay("2020-02-03"))
    let list = Command(
      "list", "List events", output: .list(Event.self, order: "by day"), needs: needs, examples: []
    ) { _, context throws(Failure) in try context.output.write([Event(day: day)]) }
    let words = ["list", "--replay", scratch.path, "--where", "day=today", "--csv", "--no-header"]
    #expect(Ran(Sample.program(tools: [list]), words, time: FakeClock()).output == rows)
  }

  /// Else the one would be ignored silently.
  @Test(
    arguments: [
      ("--replay a --record b", [:], "", "'--record' and '--replay'", "remove one of them"),
      (
        "--record b", ["HW_REPLAY": "a"], "", "'--record' and 'HW_REPLAY'",
        "ignore the setting with '--no-replay'"
      ),
      (
        "--replay a", ["HW_ZOO_RECORD": "b"], "", "'HW_ZOO_RECORD' and '--replay'",
        "ignore the setting with '--no-record'"
      ),
      (
        "", ["HW_RECORD": "b"], "\nreplay = a", "'HW_RECORD' and 'FILE:2: replay'",
        "ignore the setting with '--no-record' or '--no-replay'"
      ),
      ("--demo", ["HW_REPLAY": "a"], "", "'--demo' and 'HW_REPLAY'", "ignore the setting with '--no-replay'"),
      (
        "--url http://h.test", [:], "zoo.replay = a", "'--url' and 'FILE:1: zoo.replay'",
        "ignore the setting with '--no-replay'"
      ),
      ("--demo --no-replay", ["HW_REPLAY": "a"], "", nil, ""),
      ("--record b --no-replay", ["HW_REPLAY": "a"], "", nil, ""),
      ("--replay a --record b --no-record", [:], "", nil, ""),
      ("--replay a --url http://h.test", [:], "", nil, ""), ("--replay a --demo", [:], "", nil, ""),
      ("", ["HW_REPLAY": "a", "HW_URL": "http://h.test"], "", nil, ""),
    ] as [(String, [String: String], String, String?, String)])
  func replayExcludesRecordAndAddress(
    line: String, environment: [String: String], file: String, names: String?, hint: String
  ) throws {
    let scratch = try ScratchDirectory()
    try scratch.write(file, to: "config")
    let words = line.replacing(" a", with: " \(scratch.path)").split(separator: " ").map(String.init)
    let variables = environment.mapValues { $0 == "a" ? scratch.path : $0 }
      .merging(["HW_CONFIG": scratch.file("config")]) { $1 }
    func run(_ needs: Needs) -> Ran {
      let show = Command("show", "Show", output: .plain("Text."), needs: needs, examples: []) { _, _ in }
      let program = Sample.program(Suite("zoo", "Animals", commands: [show]))
      return Ran(program, ["zoo", "show"] + words, environment: variables, time: FakeClock())
    }
    let ran = run([.network])
    #expect(ran.status == (names == nil ? 0 : 2), "\(ran.errors)")
    if let names {
      let names = names.replacing("FILE", with: scratch.file("config"))
      #expect(ran.complaint == "hw: \(names) exclude each other | \(hint)")
    }
    // A command that sends nothing ignores the settings, and refuses the options.
    #expect(run([.address]).status == (line.contains("--re") ? 2 : 0))
  }

  @Test func progressIsClearedWhenCommandEnds() {
    let work = Command("work", "Work", output: .plain("Nothing."), examples: []) { _, context in
      context.showProgress { "at work" }
    }
    let program = Sample.program(tools: [work])
    let ran = Ran(program, ["work"], time: FakeClock(), terminal: [.errors])
    #expect(ran.errors == "\rat work\u{1B}[K\r\u{1B}[K")
  }

  @Test(
    arguments: [
      (nil, nil, 80), (nil, "0", 80), (nil, "x", 80), (nil, "-5", 80), (nil, "1", 1), (nil, "72", 72),
      (72, "60", 72), (4, "40", 4), (100, nil, 100),
    ] as [(Int?, String?, Int)])
  func tableIsAsWideAsTerminalThenAsCOLUMNSThen80(columns: Int?, variable: String?, width: Int) {
    let list = Command("list", "List it", output: .rows(Sample.Animal.self), examples: []) {
      _, context throws(Failure) in
      try context.output.write([Sample.Animal(name: String(repeating: "a", count: 101), legs: nil)])
    }
    let program = Sample.program(tools: [list])
    let ran = Ran(
      program, ["list", "--fields", "name", "--no-header"],
      environment: variable.map { ["COLUMNS": $0] } ?? [:], terminal: [.output], columns: columns)
    #expect(ran.output == String(repeating: "a", count: width - 1) + "…\n")
    #expect(Ran("zoo list", environment: ["COLUMNS": "8"], columns: 8).output.contains("snake"))
  }
}

@Suite("When neither the command succeeds nor its output can be written") struct FailuresOfCommandAndOutput {
  private static let closed = Failure(.closedPipe, "closed")
  private static let full = "hw: cannot write 'standard output': no space left on device\n"
  private static let failed = "hw: it failed\u{FFFD}[2J\n    mend it\n"

  /// The failure of the output, then those of the command before it.
  @Test(arguments: [
    ("fail conflict -q", FullSink.failure, 10, failed + full), ("fail conflict -q", closed, 4, failed),
    ("zoo list", closed, 141, ""), ("fail closedPipe -q", closed, 141, ""),
    ("zoo list", FullSink.failure, 10, full),
    // As after every operand that failed, the first failure decides the status.
    ("each cat snake", FullSink.failure, 4, "hw: no cat\n" + full),
    ("each cat snake", closed, 141, "hw: no cat\n"),
  ])
  func failureOfOutputIsReportedAfterThatOfCommand(
    line: String, failure: Failure, status: Int32, errors: String
  ) {
    let words = line.split(separator: " ").map(String.init)
    let ran = Ran(Sample.program, words, output: FullSink(failure))
    #expect(ran.status == status && ran.errors == errors)
  }

  @Test func bothFailuresAreJSON() {
    let ran = Ran(Sample.program, ["fail", "conflict", "-q", "--json"], output: FullSink())
    #expect(ran.status == 10)
    let kinds = ran.errors.split(separator: "\n").map { $0.split(separator: "\"")[5] }
    #expect(kinds == ["conflict", "storage"])
  }

  /// The failure of an output says that the change was made, and how to see what was printed.
  @Test(
    arguments: [
      (
        [.writes],
        "hw: the command was carried out, but its output is lost: \(full.dropFirst(4))    look at 'zoo list'\n",
        ""
      ),
      ([], full, ""), ([.writes], full, " --dry-run"),
    ] as [(Needs, String, String)])
  func lostOutputOfAChangeIsReported(needs: Needs, errors: String, options: String) {
    let feed = Command(
      "feed", "Feed", options: [Confirmation.dryRun],
      output: needs.isEmpty ? .plain("Text.") : .plain("Text.").hintIfLost("look at 'zoo list'"),
      needs: needs, examples: []
    ) { _, context throws(Failure) in try context.output.outlet.write("fed") }
    let words = ["feed"] + options.split(separator: " ").map(String.init)
    let ran = Ran(Sample.program(tools: [feed]), words, time: FakeClock(), output: FullSink())
    #expect(ran.status == 10 && ran.errors == errors)
  }

  /// A change that is saved as reported is reported again after an output that was lost.
  @Test func deliveryFollowsTheOutput() throws {
    let home = try ScratchDirectory()
    try home.write("old", to: "out")
    let note = Command("note", "Note", output: .plain("Text."), needs: [.writes], examples: []) {
      _, context throws(Failure) in
      context.deferredWork.add { () throws(Failure) in
        try File.replace(home.file("seen"), with: try File.read(home.file("out")) ?? [])
      }
      try context.output.outlet.write("new")
    }
    let program = Sample.program(tools: [note])
    let lost = Ran(program, ["note"], output: FullSink())
    #expect(lost.status == 10 && lost.errors == Self.full)
    #expect(!home.names().contains("seen"))
    #expect(Ran(program, ["note", "--output-file", home.file("out")]).status == 0)
    #expect(home.text("seen") == "new")
  }

  /// On a terminal both are read in this order.
  @Test func outputPrecedesFailureReport() {
    let stop = Command("stop", "Fail twice", output: .plain("Text."), examples: []) {
      _, context throws(Failure) in
      _ = try context.attempt(oneOf: 2) { () throws(Failure) -> Void in throw Failure(.conflict, "no cat") }
      try context.output.outlet.write("snake\n")
      throw Failure(.notFound, "no more")
    }
    let program = Sample.program(tools: [stop])
    let terminal = MemorySink()
    #expect(Ran(program, ["stop"], output: terminal, errors: terminal).status == 4)
    #expect(terminal.text == "hw: no cat\nsnake\nhw: no more\n")
  }
}
