import Output
import System
import TestSupport
import Testing

@testable import Command

/// Options and operands that cannot be given together: what the parser refuses, and what help has of them.
@Suite struct Exclusions {
  private static let files = Operand(rest: "FILE", ValueKind<String>.text("FILE"), "A file")
  private static let wide = Option("wide", short: "w", "Draw it wide")
  private static let draw = Command(
    "draw", "Draw the animals",
    operands: [files],
    options: [wide, Sample.limit, Sample.force, Sample.tag, Sample.bell],
    exclusions: [
      Exclusion(wide, Sample.limit, files),
      Exclusion(Sample.force, from: Sample.tag, StandardOptions.output, hint: "draw twice"),
      Exclusion(Sample.bell, Sample.tag),
    ],
    output: .rows(Sample.Animal.self),
    examples: [Example("sample draw", "the animals")]
  ) { _, _ in }
  private static let program = Sample.program(tools: [draw])

  private static func run(_ words: String) -> Ran {
    Ran(program, ["draw"] + words.split(separator: " ").map(String.init))
  }

  @Test(
    "two of them are refused, and named as they were typed",
    arguments: [
      ("--wide --limit 3", "'--wide' and '--limit'"), ("-n3 -w", "'-w' and '-n'"),
      ("a --wide", "'--wide' and FILE"),
      ("-n 3 -- a b", "'-n' and FILE"), ("-fw -n3", "'-w' and '-n'"), ("-f --csv", "'-f' and '--csv'"),
      ("-o csv --force", "'--force' and '-o'"), ("-ta -tb --force", "'--force' and '-t'"),
      ("--no-bell -t a", "'--no-bell' and '-t'"),
    ])
  func refused(words: String, names: String) {
    let ran = Self.run(words)
    let hint = names.contains("'-f") || names.contains("'--force") ? "draw twice" : "remove one of them"
    #expect(ran.status == 2 && ran.output == "")
    #expect(ran.complaint == "hw: \(names) exclude each other | \(hint)")
  }

  @Test(
    "one of them, those taken back and those of a variable are not refused",
    arguments: [
      "-w", "-n3", "a b", "-f", "-ta --json", "-w -f", "-w --no-wide -n3", "-n3 --no-limit a",
      "-f --json --no-json",
      "-ta --no-tag --no-bell", "--no-limit --wide",
    ])
  func together(words: String) {
    #expect(Self.run(words).status == 0)
  }

  @Test func aSettingGivesWayToWhatIsTyped() {
    #expect(Ran(Self.program, ["draw", "--wide"], environment: ["HW_LIMIT": "3"]).status == 0)
  }
}
