import Foundation
import System
import TestSupport
import Testing

@testable import Command

/// The settings that a suite with a service brings along, their names, variables and values.
@Suite struct SuiteSettingTests {
  private static let keyFile = Option("key-file", ValueKind<String>.file, "Read the key from FILE")
  private static let rate = Option(
    "rate", ValueKind<Int>.count(1...9), setting: .suites, "Send N requests per minute")
  private static let port = Option(
    "port", ValueKind<Int>.count(1...99), default: 80, setting: .tool("keep"), "Use port N")

  private static let pack = Command(
    "pack", "Pack a box", options: [keyFile, rate], output: .plain("Text."), needs: [.configuration],
    examples: []
  ) { _, _ in }
  private static let label = Setting(
    "label", ValueKind<String>.text("NAME"), scope: .tool("keep"), "Label it NAME")
  private static let keep = Command(
    "keep", "Keep a box", options: [port], settings: [label], output: .plain("Text."), examples: []
  ) { _, _ in }
  private static let echo = Setting("echo", default: true, "Do not repeat it")
  private static let say = Command(
    "say", "Say so", options: [Sample.loud, Sample.limit], settings: [echo], output: .plain("Text."),
    examples: []
  ) { _, _ in }

  private static let program = Sample.program(
    Suite(
      "box", "Boxes",
      service: Service(
        "box", address: "http://h.test", rate: rate,
        credential: Credential(header: "X-Key", setting: "key", variables: ["BOX_KEY"], file: keyFile),
        reason: ""), backend: { _, _ in ScriptedBackend("box", routes: []) }, commands: [pack]),
    Suite(
      "cup", "Cups",
      service: Service(
        "cup", address: "demo:",
        credential: Credential(header: "X", setting: Service.token, file: Service.tokenFile), reason: ""),
      backend: { _, _ in ScriptedBackend("cup", routes: []) }, commands: []),
    Suite("zoo", "Animals", commands: [say]), tools: [keep])

  /// Each setting with its variables, and what else is said of it.
  @Test func settingsAreAsRecorded() throws {
    let text = Self.program.configurationKeys.map { key in
      let facts = [
        key.general.map { "for all suites \($0)" }, key.fallback.map { "else \($0)" },
        key.choices.isEmpty ? nil : key.choices.map(\.name).joined(separator: "|"),
        key.isSecret ? "secret" : nil, key.option == nil ? "no option" : nil,
      ]
      return
        "\(key.name): \(([key.variables.joined(separator: " ")] + facts.compactMap { $0 }).joined(separator: ", "))\n"
    }
    try RecordedText.hold("settings-of-suites.txt", to: text.joined())
  }

  @Test(
    arguments: [
      ("box.rate", "9", nil), ("box.rate", "x", "'box.rate' requires a whole number from 1 to 9, not 'x'"),
      ("box.url", "http://h.test", nil), ("box.key", "a \"b\" #", nil),
      ("box.key", "a\u{1}b", "a value cannot hold control characters"),
    ] as [(String, String, String?)])
  func values(name: String, text: String, problem: String?) throws {
    let key = try #require(Self.program.configurationKeys.first { $0.name == name })
    #expect(key.problem(of: text) == problem)
  }

  @Test func invalidAddressIsRefused() throws {
    let keys = Self.program.configurationKeys.filter { ["url", "box.url"].contains($0.name) }
    #expect(keys.map { $0.problem(of: "ftp://h.test") == nil } == [false, false])
  }

  /// Of the strongest to the weakest: typed, the variables, the lines, the default.
  @Test(
    arguments: [
      (nil, [:], "", "nil", false), (nil, [:], "rate = 3", "3 in line 1 of file", false),
      (nil, [:], "rate = 3\nbox.rate = 4", "4 in line 2 of file", true),
      (nil, ["HW_RATE": "5"], "", "5 by HW_RATE", false),
      (nil, ["HW_RATE": "5"], "box.rate = 4", "5 by HW_RATE", true),
      (nil, ["HW_RATE": "5", "HW_BOX_RATE": "6"], "", "6 by HW_BOX_RATE", true),
      ("7", ["HW_BOX_RATE": "6"], "box.rate = 4", "7 by --rate", true),
    ] as [(String?, [String: String], String, String, Bool)])
  func originOfSettingHasPrecedence(
    typed: String?, environment: [String: String], file: String, value: String, isOwn: Bool
  ) throws {
    var call = Invocation(Self.pack, suite: nil)
    if let typed { call.set(Self.rate.declaration, to: Int(typed) ?? 0, text: typed) }
    let context = Context(call, of: Self.program, environment: environment)
    let configuration = try Configuration(Array(file.utf8), path: "file")
    let key = try context.configurationKey("box.rate", with: configuration)
    let setting = context.setting(key, in: configuration)
    let source =
      switch setting.origin {
      case .flag(let option): " by \(option)"
      case .variable(let name): " by \(name)"
      case .line(let number, let path, _): " in line \(number) of \(path)"
      case .fallback: ""
      }
    #expect((setting.value ?? "nil") + source == value)
    #expect(context.isSuiteSpecific(key, in: configuration) == isOwn)
  }

  /// Without an option: from the variables, the lines, the default.
  @Test(
    arguments: [
      ("zoo say", [:], "", "true"), ("zoo say", [:], "echo = off", "false"),
      ("zoo say", [:], "echo = off\nzoo.echo = on", "true"),
      ("zoo say", ["HW_ECHO": "off"], "zoo.echo = on", "false"),
      ("zoo say", ["HW_ECHO": "off", "HW_ZOO_ECHO": "on"], "", "true"),
      ("keep", ["HW_KEEP_LABEL": "x"], "keep.label = y", "x"), ("keep", [:], "keep.label = y", "y"),
      ("keep", ["HW_LABEL": "x"], "label = y", "nil"),
    ] as [(String, [String: String], String, String)])
  func settingWithoutAnOption(
    line: String, environment: [String: String], file: String, value: String
  ) throws {
    let isTool = line == "keep"
    var call = Invocation(isTool ? Self.keep : Self.say, suite: isTool ? nil : "zoo")
    let configuration = try Configuration(Array(file.utf8), path: "file")
    try Settings(environment: Environment(environment), configuration: configuration).apply(to: &call)
    #expect((isTool ? call[Self.label] ?? "nil" : "\(call[Self.echo])") == value)
  }

  @Test(arguments: [
    ("zoo say --no-echo", "'--no-echo'", "set HW_ZOO_ECHO, or run 'hw config set zoo.echo off'"),
    ("zoo say --echo=on", "'--echo'", "set HW_ZOO_ECHO, or run 'hw config set zoo.echo off'"),
    ("keep --label x", "'--label'", "set HW_KEEP_LABEL, or run 'hw config set keep.label NAME'"),
    ("zoo say --seed 3", "'--seed'", "set HW_SEED, or run 'hw config set seed N'"),
    ("--seed 3 zoo say", "'--seed'", "set HW_SEED, or run 'hw config set seed N'"),
    ("zoo say --meta", "'--meta'", "set HW_META, or run 'hw config set meta on'"),
  ])
  func anOptionThatIsASetting(line: String, subject: String, hint: String) {
    let ran = Ran(Self.program, line.split(separator: " ").map(String.init))
    #expect(ran.status == 2 && ran.complaint == "hw: \(subject) is a setting | \(hint)")
  }

  @Test func aSuiteWithoutABackend() {
    let zoo = Self.program.suites[2]
    #expect(!zoo.hasBackend && Self.program.servedSuites.map(\.name) == ["box", "cup"])
    #expect(
      failure { try zoo.backend(.demo(time: FakeClock())) } == Failure(.defect, "suite 'zoo' has no backend"))
  }

  @Test(arguments: [
    ("port", "did you mean 'keep.port'?"), ("box.rat", "did you mean 'box.rate'?"),
    ("tiemout", "did you mean 'timeout'?"), ("qqqqqq", "'hw config list --origin' lists them"),
  ])
  func anUnknownName(name: String, hint: String) {
    let context = Context(Invocation(Self.pack, suite: nil), of: Self.program)
    #expect(
      failure { try context.configurationKey(name, with: Configuration(path: "file")) }
        == Failure(.usage, "unknown setting '\(name)'", hint: hint))
  }

  /// Warnings of names that nothing reads, and of a secret that others can read; then what commands refuse.
  @Test func configurationReviewReportsProblems() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("config")
    func write(_ text: String, mode: Int) throws {
      try File.replace(path, with: Array(text.utf8))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    func review(_ environment: [String: String]) throws -> ConfigurationReview {
      let context = Context(Invocation(Self.pack, suite: nil), of: Self.program, environment: environment)
      return ConfigurationReview(try ConfigurationFile(Environment(["HW_CONFIG": path])).read(), context)
    }
    let unknown = "'\(path)', line 2: unknown setting 'tiemout'; did you mean 'timeout'?"
    let wrong = "'box.rate' requires a whole number from 1 to 9, not '10'"
    try write("box.key = hush\ntiemout = 3\nbox.rate = 10\n", mode: 0o600)
    let own = try review(["HW_CONFIG": path, "HW_RATE": "9"])
    #expect(own.warnings == [unknown])
    #expect(own.faults == ["'\(path)', line 3: \(wrong)"])
    try write((1...500).map { "line\($0) = 1\n" }.joined(), mode: 0o600)
    #expect(try review(["HW_CONFIG": path]).warnings.count == 100, "each has the search for a similar name")
    try write("box.key = hush\ntiemout = 3\nbox.rate = 10\n", mode: 0o604)
    let others = try review([
      "HW_CONFIG": scratch.file("none"), "HW_TIEMOUT": "3", "HW_QQQQQQ": "1", "HW_BOX_RATE": "10",
    ])
    #expect(
      others.warnings == [
        unknown, "unknown variable 'HW_QQQQQQ'", "unknown variable 'HW_TIEMOUT'; did you mean 'HW_TIMEOUT'?",
        "HW_CONFIG names '\(scratch.file("none"))', which does not exist",
        "'\(path)' holds a secret, and others can read it: 'chmod 600' helps",
      ])
    #expect(others.faults == ["'\(path)', line 3: \(wrong)", "HW_BOX_RATE: \(wrong)"])
    try write("timeout = 3\n", mode: 0o644)
    #expect(try review([:]).warnings == [])
    withExtendedLifetime(scratch) {}
  }

  /// The names of the file once each, after those of the program.
  @Test func aliasesAreSettings() throws {
    let context = Context(Invocation(Self.pack, suite: nil), of: Self.program)
    let text = "alias.b = keep\nalias.a = keep\nalias.b = box pack\ntimeout = 3\n"
    let keys = context.configurationKeys(with: try Configuration(Array(text.utf8), path: "file"))
    #expect(keys.suffix(3).map(\.name) == ["echo", "alias.a", "alias.b"])
    #expect(keys.last?.meaning == "An alias" && keys.last?.option == nil && keys.last?.isSecret == false)
    #expect(keys.last?.problem(of: "box pack") == nil)
    #expect(
      keys.last?.problem(of: "b") == "alias 'b' begins with the alias 'b', and an alias is expanded once")
  }
}
