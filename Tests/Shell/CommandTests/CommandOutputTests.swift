import Output
import System
import TestSupport
import Testing

@testable import Command

/// Which formats and fields each kind of output has. All others are refused before a command does anything.
@Suite struct CommandOutputTests {
  private struct Cage: Row {
    static let fields: Fields<Cage> = [.text("place", "Place", "where it stands") { _ in "" }]
  }

  private static let outputs: [String: CommandOutput] = [
    "list": .list(Sample.Animal.self, order: "by name"),
    "paged": .list(Sample.Animal.self, order: "", arrival: .paged), "rows": .rows(Sample.Animal.self),
    "told": .rows(Sample.Animal.self, text: "A line each."), "one": .one(Sample.Animal.self),
    "part": .one(Cage.self, listing: Sample.Animal.self, order: ""), "any": .anyRows,
    "plain": .plain("Text."), "either": .plain("Text.", orJSON: Sample.Animal.self),
    "document": .document("A schema."),
  ]

  private func settings(_ format: Format?, fields: String? = nil) -> Output.Settings {
    var settings = Output.Settings()
    settings.format = format
    settings.fields = fields
    return settings
  }

  private func refusal(_ output: String, _ format: Format?, fields: String? = nil) throws -> Failure? {
    let output = try #require(Self.outputs[output])
    return failure { try output.check(settings(format, fields: fields), of: "do") }
  }

  private static let cells = "table json jsonl csv tsv markdown"

  @Test(arguments: [
    ("list", cells, "rows"), ("paged", cells, "rows"), ("rows", cells, "rows"), ("told", cells, "rows"),
    ("one", cells, "one"), ("part", cells, "one"), ("any", cells, "anything"), ("plain", "", "none"),
    ("either", "json jsonl", "one"), ("document", "json", "none"),
  ])
  func eachOutputHasItsFormatsAndSchemaRoot(name: String, formats: String, root: String) throws {
    let accepted = try Format.allCases.filter { try refusal(name, $0) == nil }
    #expect(accepted.map(\.rawValue).joined(separator: " ") == formats)
    #expect(try refusal(name, nil) == nil)
    let output = try #require(Self.outputs[name])
    #expect((output.schemaRoot.map { "\($0)" } ?? "none") == root)
    #expect(output.version == 1 && output.schemaVersion(2).version == 2)
  }

  @Test(
    arguments: [
      ("list", "name,legs", nil), ("list", "nme", "unknown field 'nme'"),
      ("list", ",", "'--fields' names no field"), ("paged", "nme", "unknown field 'nme'"),
      ("rows", "nme", "unknown field 'nme'"), ("one", "nme", "unknown field 'nme'"),
      ("told", "place", "unknown field 'place'"), ("one", "legs", nil), ("either", "all", nil),
      ("either", "nme", "unknown field 'nme'"),
      // JSON has the one row, other formats its list.
      ("part", "place", nil), ("part", "name", nil), ("part", "place,name", "unknown field 'name'"),
      ("any", "nme", nil), ("plain", "name", "'do' prints text, which has no fields"),
      ("document", "name", "'do' prints one JSON document, of which all is printed"),
    ] as [(String, String, String?)])
  func eachOutputChecksItsFields(output: String, fields: String, message: String?) throws {
    #expect(try refusal(output, nil, fields: fields)?.message == message)
    #expect(try refusal(output, nil, fields: fields)?.kind == (message == nil ? nil : .usage))
    #expect(try refusal(output, nil, fields: "help") == nil)
  }

  @Test func nulTerminatorNeedsLineFormat() throws {
    var settings = settings(.json)
    settings.terminator = 0
    #expect(failure { try CommandOutput.anyRows.check(settings, of: "do") }?.kind == .usage)
    settings.format = .jsonl
    #expect(failure { try CommandOutput.anyRows.check(settings, of: "do") } == nil)
  }
}
