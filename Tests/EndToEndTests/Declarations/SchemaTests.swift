import Command
import Foundation
import TestSupport
import Testing

@testable import hw

/// Every JSON document that a command prints is as `hw schema` says: held by running the examples of the help again
/// with --json, and one of each command with --jsonl, whose rows are written as those of the document.
@Suite(.ownThread) struct SchemasOfExamples {
  private static let subjects = Program.hw.allCommands.filter { $0.command.output.schemaRoot != nil }

  /// The examples of each command, as far as they print its own answer and whole, and what no example shows.
  private static let cases: [[String]] = {
    let examples = subjects.flatMap { name, command in
      command.examples.compactMap { example in
        line(example.command, of: name).map { [name, example.setup + $0] }
      }
    }
    var seen: Set<[String]> = []
    return (examples + more).filter { seen.insert($0).inserted }
  }()

  /// The beginning of the line, up to and with the last call of the command; %s stands where the format goes.
  private static func line(_ example: String, of name: String) -> String? {
    let call = "hw \(name)"
    guard let start = example.range(of: call, options: .backwards) else { return nil }
    var rest = example[start.upperBound...]
    // What reads the answer is no matter here.
    for end in [" | ", " >", "; ", " && ", " || "] {
      if let cut = rest.range(of: end) { rest = rest[..<cut.lowerBound] }
    }
    let others = ["--csv", "--tsv", "--geojson", "--report", "--fields", "--record", "-o "]
    guard !others.contains(where: rest.contains) else { return nil }
    let own = rest.replacingOccurrences(of: " --jsonl", with: "").replacingOccurrences(
      of: " --json", with: "")
    // What is printed before it is none of it.
    var before = String(example[..<start.lowerBound])
    for end in ["; ", " && "] { before = before.replacingOccurrences(of: end, with: " >/dev/null\(end)") }
    return "\(before)\(call) %s\(own)"
  }

  private static let more = [
    ["nodes top", "hw nodes top --by age %s"], ["nodes top", "hw nodes top --by liquidity --human %s"],
    ["nodes show", "hw nodes top --tsv --no-header --fields publicKey | hw nodes show - %s"],
    ["nodes diff", "hw nodes snapshot >/dev/null; HW_SEED=2 hw nodes diff latest %s"],
    ["nodes snapshot", "hw nodes snapshot --dry-run %s"],
    ["nba games", "hw nba games BOS --season 2015 --postseason %s"],
    ["nba players", "hw nba players --limit 200 %s"], ["nba teams", "hw nba teams --historic %s"],
    ["nba team", "hw nba team stags %s"], ["nba record", "hw nba record 30 --season 2000 %s"],
    ["bikes list", "hw bikes list --anywhere --include-rented %s"],
    ["bikes export", "hw bikes export --pins %s"],
    ["bikes import", "hw bikes export --pins | hw bikes import - %s"],
    ["bikes history", "hw bikes history %s"],
    ["race stats", "hw serve --race-seconds 1 -- sh -c 'hw race watch -q >/dev/null; hw race stats %s'"],
    ["race history", "hw serve --race-seconds 1 -- sh -c 'hw race watch -q >/dev/null; hw race history %s'"],
    ["race watch", "hw serve --race-seconds 1 --fault 503:0.3 -- hw race watch %s"],
    ["race watch", "hw serve --race-seconds 1 --captcha-after 1 -- hw race watch --captcha fail %s"],
    ["wordle import", "hw wordle share 281 | hw wordle import %s"],
    ["wordle compare", "hw wordle compare %s"], ["wordle stats", "hw wordle stats --since 2030-01-01 %s"],
    ["wordle add", "hw wordle add --id 1 --date 2021-06-20 --word at --tries at %s"],
    ["config list", "hw config list --origin %s"], ["check", "hw check --self %s"],
    ["check", "hw serve --fault garbage:0.5 -- hw check --no-cache %s"],
  ]

  @Test func everySchemaHasExample() {
    let held = Set(SchemasOfExamples.cases.map { $0[0] })
    #expect(SchemasOfExamples.subjects.map(\.name).filter { !held.contains($0) } == [])
  }

  @Test(arguments: cases)
  func outputMatchesSchema(_ words: [String]) throws {
    let schema = Ran(.hw, ["schema"] + words[0].split(separator: " ").map(String.init)).output
    let line = words[1]
    let ending = try shell(line.replacingOccurrences(of: "%s", with: "--json"))
    let document = ending.output
    #expect(ending.status != 0 || !document.isEmpty, "\(line)")
    if !document.isEmpty { #expect(JSONSchema.problems(document, schema) == [], "\(line)") }
    guard Self.cases.first(where: { $0[0] == words[0] }) == words else { return }
    let lines = try shell(line.replacingOccurrences(of: "%s", with: "--jsonl")).output
    // With -0 a row ends in NUL.
    for text in lines.split(whereSeparator: { $0 == "\n" || $0 == "\0" }) {
      #expect(JSONSchema.problems(line: String(text), schema) == [], "\(line)")
    }
  }
}

/// The faults that `OutputTests` have no value for.
@Suite(.ownThread) struct JSONSchemaValidator {
  @Test(arguments: [("1", true), ("\"a\"", true), ("true", false), ("1.5", false)])
  func oneOfRequiresExactlyOne(document: String, isGood: Bool) {
    let schema = #"{"oneOf":[{"type":"integer"},{"type":"string"}]}"#
    #expect(JSONSchema.problems(document, schema).isEmpty == isGood)
    #expect(!JSONSchema.problems("1", #"{"oneOf":[{"type":"integer"},{"type":"number"}]}"#).isEmpty)
  }

  @Test(arguments: [
    ("1", #"{"multipleOf":2}"#), ("1", #"{"minimum":2}"#), ("3", #"{"maximum":2}"#),
    ("[]", #"{"minItems":1}"#), ("[1,2]", #"{"maxItems":1}"#), (#""ab""#, #"{"pattern":"^b"}"#),
    (#""Mars""#, #"{"format":"timezone"}"#), (#""a""#, #"{"format":"uri"}"#),
  ])
  func brokenKeywordIsReported(document: String, schema: String) {
    #expect(JSONSchema.problems(document, schema).count == 1)
  }
}
