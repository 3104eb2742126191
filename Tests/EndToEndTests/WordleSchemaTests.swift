import Foundation
import Testing

/// What JSON says is what the schema says.
@Suite struct WordleSchemas {
  @Test(
    "What JSON says is what the schema says",
    arguments: [
      "scores", "score 264", "stats", "share 281", "compare", "reset --yes", "delete 264",
      "add --id 1 --date 2021-06-20 --word at --tries at", "import share.txt", "tiles ponds nymph",
      "tiles <pairs", "tiles </dev/null",
    ])
  func schema(words: String) throws {
    let home = try Home()
    let name = words.split(separator: " ")[0]
    let ending = try shell(
      "hw wordle share 281 >share.txt; echo eerie sweet >pairs; hw wordle \(words) --json >answer; hw schema wordle \(name) >schema",
      in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(JSONSchema.problems(home.text("answer"), home.text("schema")) == [], "\(ending.output)")
  }

  /// The check above is worth something where schemas nest.
  @Test(
    arguments: [
      ("compare", #"{"players":[{"name":1}],"games":[]}"#, "$.players[0].name: "),
      (
        "compare", #"{"players":[],"games":[{"id":1,"results":{"Ann":4},"best":[]}]}"#,
        "$.games[0].results.Ann: "
      ),
      ("compare", #"{"players":[],"games":[{"id":1,"results":{}}]}"#, "$.games[0].best: missing"),
      ("tiles", #"["🟩"]"#, "$: 0 of the alternatives fit"),
      ("tiles", #"{"guess":"a"}"#, "$: 0 of the alternatives fit"),
    ])
  func breach(name: String, answer: String, problem: String) throws {
    let schema = try shell("hw schema wordle \(name)").output
    #expect(JSONSchema.problems(answer, schema).contains { $0.hasPrefix(problem) })
  }
}
