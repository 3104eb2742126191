import System
import TestSupport
import Testing

@testable import Output

@Suite struct SchemaTests {
  struct Everything: Row {
    var filled = true

    static let fields: Fields<Everything> = [
      .text("text", "", "a text") { _ in "x" },
      .text("none.text", "", "a text or null", orNull: { $0.filled ? "x" : nil }),
      .integer("none.deep.integer", "", "an integer or null", orNull: { $0.filled ? 5 : nil }),
      .flag("flag", "", "yes or no") { $0.filled },
      .day("day", "", "a day") { _ in CalendarDay(daysSinceEpoch: 19_000) },
      .list("list", "", "words", of: .choice(["a", "b"])) { $0.filled ? ["a", "b", "a"] : [] },
      .object("object", "", "an object or null", orNull: { _ in nil }),
      Field(Column("time", title: "", meaning: "when", type: .time, isOptional: true)) {
        $0.filled ? .integer(1) : .null
      }, Field(Column("number", title: "", meaning: "how much", type: .number)) { _ in .number(0.5) },
      Field(Column("choice", title: "", meaning: "which", type: .choice(["p", "q"]), isOptional: true)) {
        $0.filled ? .text("p") : .null
      },
      .rows("rows", "", "rows of its own", of: Part.fields) {
        $0.filled ? [Part(number: 1), Part(number: nil)] : []
      },
      Field(Column("names", title: "", meaning: "numbers by name", type: .byName(.integer))) {
        .record($0.filled ? [("a \"b\"", .integer(1)), ("c", .integer(2))] : [])
      },
      Field(
        Column(
          "record", title: "", meaning: "or null", type: .record(Part.fields.map(\.column)), isOptional: true)
      ) {
        $0.filled ? .record([("number", .null)]) : .null
      },
      Field(Column("any", title: "", meaning: "what", type: .any)) { _ in .list([.null]) },
    ]
  }

  struct Part: Row {
    var number: Int?

    static let fields: Fields<Part> = [.integer("number", "", "a number or null", orNull: { $0.number })]
  }

  private static var schema: Schema {
    Schema(title: "hw x", description: "Everything", columns: Everything.fields.map(\.column), version: 3)
  }

  @Test func outputMatchesSchema() throws {
    let rows = [Everything(), Everything(filled: false)]
    let array = try written(.json) { output throws(Failure) in try output.write(rows) }
    #expect(JSONSchema.problems(array, SchemaTests.schema.text(.rows)) == [])
    let one = try written(.json) { output throws(Failure) in try output.write(Everything()) }
    #expect(JSONSchema.problems(one, SchemaTests.schema.text(.one)) == [])
    #expect(JSONSchema.problems("[1,{}]", SchemaTests.schema.text(.anything)) == [])
  }

  @Test(arguments: [
    (#"{"a":1}"#, "$.text"), ("[]", "$"), (#"{"text":5}"#, "$.text"),
    (#"{"none":{"text":5}}"#, "$.none.text"), (#"{"time":1.5}"#, "$.time"),
    (#"{"day":"2022-13-01"}"#, "$.day"), (#"{"list":["a","c"]}"#, "$.list[1]"),
    (#"{"choice":"r"}"#, "$.choice"), (#"{"more":1}"#, "$.more"), (#"{"flag":null}"#, "$.flag"),
    (#"{"rows":[{}]}"#, "$.rows[0].number"), (#"{"rows":[{"number":"x"}]}"#, "$.rows[0].number"),
    (#"{"names":{"a":"x"}}"#, "$.names.a"), (#"{"record":1}"#, "$.record"), ("null", "$"),
    (#"{"none":null}"#, "$.none"), (#"{"list":null}"#, "$.list"), (#"{"list":[null]}"#, "$.list[0]"),
    (#"{"rows":[null]}"#, "$.rows[0]"), (#"{"names":{"a":null}}"#, "$.names.a"),
    (#"{"names":null}"#, "$.names"),
  ])
  func schemaRefusesOtherValues(value: String, path: String) {
    let problems = JSONSchema.problems(value, SchemaTests.schema.text(.one))
    #expect(problems.contains { $0.hasPrefix("\(path): ") }, "\(problems)")
  }
}
