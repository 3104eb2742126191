import System
import TestSupport
import Testing

@testable import Command

/// What a command line, the variables and the configuration make of the options, and the names of plug-ins.
@Suite struct InvocationTests {
  private static let say = Sample.say

  @Test func textOfOptionIsAsTyped() {
    var call = Invocation(Self.say, suite: "zoo")
    func text(_ option: any Declared) -> String? { call.text(of: option.declaration) }
    for option in [Sample.force, Sample.limit, Sample.loud] as [any Declared] {
      #expect(text(option) == nil && !call.isGiven(option))
    }
    call.set(Sample.force.declaration, to: true)
    #expect(text(Sample.force) == "on" && call.isGiven(Sample.force))
    call.negate(Sample.force.declaration)
    #expect(text(Sample.force) == "off" && !call.isGiven(Sample.force))
    // This one is on unless it is taken back.
    call.negate(Sample.bell.declaration)
    #expect(text(Sample.bell) == "off" && call.isGiven(Sample.bell) && !call[Sample.bell])
    call.count(Sample.loud.declaration)
    call.count(Sample.loud.declaration)
    #expect(text(Sample.loud) == "2" && call[Sample.loud] == 2)
    call.set(Sample.limit.declaration, to: 7, text: "007")
    #expect(text(Sample.limit) == "007" && call[Sample.limit] == 7)
    call.negate(Sample.limit.declaration)
    #expect(text(Sample.limit) == "10" && call[Sample.limit] == 10 && !call.isGiven(Sample.limit))
    call.negate(Sample.size.declaration)
    #expect(text(Sample.size) == "small")
    call.append(Sample.tag.declaration, "a")
    call.append(Sample.tag.declaration, "b")
    #expect(call[Sample.tag] == ["a", "b"] && text(Sample.tag) == nil)
  }

  @Test func spellingOfOptionIsAsTyped() {
    var call = Invocation(Self.say, suite: "zoo")
    func spelling(_ option: any Declared) -> String { call.spelling(of: option.declaration) }
    call.set(Sample.limit.declaration, to: 7, text: "7")
    call.set(Sample.bell.declaration, to: true)
    #expect(spelling(Sample.limit) == "--limit" && spelling(Sample.bell) == "--bell")
    call.negate(Sample.limit.declaration)
    call.negate(Sample.bell.declaration)
    #expect(spelling(Sample.limit) == "--no-limit" && spelling(Sample.bell) == "--no-bell")
    call.set(Sample.limit.declaration, to: 7, text: "7", typed: "-n")
    call.negate(Sample.size.declaration, typed: "--no-big")
    #expect(spelling(Sample.limit) == "-n" && spelling(Sample.size) == "--no-big")
  }

  @Test func settingDoesNotCountAsGiven() {
    var call = Invocation(Self.say, suite: "zoo")
    call.setFromSettings(Sample.limit.declaration, to: 3)
    #expect(call[Sample.limit] == 3 && !call.isGiven(Sample.limit))
    #expect(call.text(of: Sample.limit.declaration) == nil)
    call.set(Sample.limit.declaration, to: 4, text: "4")
    #expect(call[Sample.limit] == 4 && call.isGiven(Sample.limit))
    let other = Invocation(call, for: "farm")
    #expect(other.suite == "farm" && other[Sample.limit] == 4 && other.isGiven(Sample.limit))
  }

  @Test func invocationForAnotherSuiteKeepsOperands() throws {
    var call = Invocation(Self.say, suite: "zoo")
    call.configuration = try Configuration(Array("farm.limit = 3\n".utf8), path: "file")
    call.bind(Sample.verb.declaration, to: "eat")
    let other = Invocation(call, for: "farm")
    #expect(other.configuration == call.configuration && !other.operands.isEmpty)
    #expect(try other[Sample.verb] == "eat")
    // As `hw check` asks the services of all suites.
    let context = try Context(call).forSuite("farm")
    #expect(context.call.suite == "farm" && context.call[Sample.limit] == 3)
  }

  @Test func operandOfAnotherCommandIsInternalError() {
    let missing = failure { try Invocation(Sample.list, suite: nil)[Sample.verb] }
    #expect(missing == Failure(.defect, "operand 'VERB' is not one of 'list'"))
  }

  #if DEBUG
    /// Its default would be read, whatever was typed.
    @Test func optionOfAnotherCommandTrapsInDebugBuild() async {
      await #expect(processExitsWith: .failure) {
        _ = Invocation(Sample.list, suite: nil)[Sample.force]
      }
    }
  #endif

  // MARK: Settings

  @Test func invalidConfigurationLineIsReported() throws {
    let text = "# mine\nzoo.limit = x\nloud = 2\n"
    let configuration = try Configuration(Array(text.utf8), path: "file")
    let settings = Settings(environment: Environment([:]), configuration: configuration)
    var call = Invocation(Self.say, suite: "zoo")
    let wrong = failure { try settings.apply(to: &call) }
    #expect(wrong?.kind == .usage)
    #expect(wrong?.message == "'file:2: zoo.limit' requires a whole number from 0 to 100, not 'x'")
    // What mends the configuration goes by the rest of it.
    let mend = Command(
      "mend", "Mend it", options: [Sample.limit, Sample.loud], output: .plain("Text."),
      needs: [.configuration], examples: []
    ) { _, _ in }
    call = Invocation(mend, suite: "zoo")
    try settings.apply(to: &call)
    #expect(call[Sample.limit] == 10 && call[Sample.loud] == 2)
  }

  @Test(
    arguments: [
      ("on", true), ("TRUE", true), ("yes", true), ("1", true), ("off", false), ("False", false),
      ("no", false), ("0", false), ("", nil), ("2", nil), ("o", nil),
    ] as [(String, Bool?)])
  func flagTextIsRead(text: String, value: Bool?) { #expect(ValueKind<Bool>.flagText.read(text) == value) }

  @Test(arguments: [("9", 9), ("0", 0), ("10", nil)] as [(String, Int?)])
  func counterHasOneDigit(text: String, value: Int?) {
    #expect((try? Settings.read(text, Sample.loud.declaration, "x") as? Int) == value)
  }

  // MARK: Plug-ins

  @Test(arguments: [
    ("a", true), ("a-b", true), ("A.b_9", true), ("9", true), ("_a", true), ("a-", true), ("", false),
    ("-a", false), (".a", false), ("a/b", false), ("a b", false), ("é", false),
  ]) func namesOfPlugIns(name: String, isName: Bool) { #expect(PlugIns.isName(name) == isName) }

  @Test func theOptionsOfAnAliasEndBeforeItsDashes() {
    #expect(
      Aliases.expanded(["a", "--", "b", "--"], before: ["-o"], after: ["c"]) == [
        "a", "-o", "--", "b", "--", "c",
      ])
    #expect(Aliases.expanded(["a", "b"], before: ["-o"], after: ["c"]) == ["a", "b", "-o", "c"])
  }

  @Test func aliasesAreSortedAndTheLastOfANameCounts() throws {
    let text =
      "alias.b = zoo list\nalias.a = filter\nalias.zoo = filter\nalias.fail = filter\nalias.a = decide\n"
    let configuration = try Configuration(Array((text + "alias.q = zoo \"list\n").utf8), path: "file")
    let aliases = Aliases(Sample.program, configuration)
    #expect(aliases.all.map { "\($0.name): \($0.text)" } == ["a: decide", "b: zoo list"])
    #expect(try aliases.words(of: "b") == ["zoo", "list"])
    for name in ["zoo", "fail", "none", ""] { #expect(try aliases.words(of: name) == nil) }
    let wrong = failure { try aliases.words(of: "q") }
    #expect(wrong?.kind == .usage)
    #expect(wrong?.message == "alias 'q' (file:6) has a quote that is not closed")
    #expect(wrong?.hint == "change it with 'sample config set alias.q COMMAND'")
  }

  @Test(arguments: [
    ("zoo 'list", "has a quote that is not closed"),
    ("a list", "begins with the alias 'a', and an alias is expanded once"),
    ("--json b list", "begins with the alias 'b', and an alias is expanded once"),
  ])
  func invalidAliasIsExplained(text: String, problem: String) throws {
    let configuration = try Configuration(Array("alias.a = \(text)\nalias.b = zoo\n".utf8), path: "file")
    let aliases = Aliases(Sample.program, configuration)
    let wrong = failure { try aliases.words(of: "a") }
    let hint = "change it with 'sample config set alias.a COMMAND'"
    #expect(wrong == Failure(.usage, "alias 'a' (file:1) \(problem)", hint: hint))
    #expect(try aliases.words(of: "b") == ["zoo"])
    #expect(aliases.all.map { "\($0.name): \($0.text)" } == ["b: zoo"])
  }
}
