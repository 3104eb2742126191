import JSON
import System
import Testing

@testable import Output

/// What a value breaks of a schema: the part of JSON Schema that hw writes, as an outsider would check it.
func breaches(of schema: JSON, by value: JSON, at path: String = "$") throws(Failure) -> [String] {
  var found: [String] = []
  if let choices = schema["oneOf"].orNull {
    var fitting = 0
    for choice in try choices.array where try breaches(of: choice, by: value, at: path).isEmpty {
      fitting += 1
    }
    if fitting != 1 { found.append("\(path) fits \(fitting) of the schemas") }
  }
  if let types = schema["type"].orNull {
    let names =
      types.kind == .array
      ? try types.array.map { json throws(Failure) in try json.string } : [try types.string]
    guard names.contains(where: { value.hasType($0) }) else {
      return ["\(path) is no \(names.joined(separator: " or "))"]
    }
  }
  if let choices = schema["enum"].orNull {
    let texts = try choices.array.map(\.rawText)
    if !texts.contains(value.rawText) { found.append("\(path) is none of \(texts.joined(separator: ", "))") }
  }
  if schema["format"].orNull?.rawText == "\"date\"", value.kind == .string,
    CalendarDay(try value.string) == nil
  {
    found.append("\(path) is no day")
  }
  if value.kind == .array, let items = schema["items"].orNull {
    for (index, item) in try value.array.enumerated() {
      found += try breaches(of: items, by: item, at: "\(path)[\(index)]")
    }
  }
  if value.kind == .object {
    let known = try schema["properties"].orNull.map { json throws(Failure) in Array(try json.members) } ?? []
    for name in try schema["required"].orNull.map({ json throws(Failure) in Array(try json.array) }) ?? [] {
      if value[try name.string].kind == .absent { found.append("\(path) lacks \(try name.string)") }
    }
    for (name, part) in known where value[name].kind != .absent {
      found += try breaches(of: part, by: value[name], at: "\(path).\(name)")
    }
    if let part = schema["additionalProperties"].orNull {
      for (name, member) in try value.members {
        found += try breaches(of: part, by: member, at: "\(path).\(name)")
      }
    }
    for (name, _) in try value.members where !known.isEmpty && !known.contains(where: { $0.key == name }) {
      found.append("\(path).\(name) is not described")
    }
  }
  return found
}

extension JSON {
  fileprivate var rawText: String {
    var bytes: [UInt8] = []
    appendRaw(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate func hasType(_ name: String) -> Bool {
    switch (name, kind) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
      ("number", .number):
      true
    case ("integer", .number): (try? int) != nil
    default: false
    }
  }
}

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
      },
      Field(Column("number", title: "", meaning: "how much", type: .number)) { _ in .number(0.5) },
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
    #expect(try breaches(of: JSON.parse(SchemaTests.schema.text(.rows)), by: JSON.parse(array)) == [])
    let one = try written(.json) { output throws(Failure) in try output.write(Everything()) }
    #expect(try breaches(of: JSON.parse(SchemaTests.schema.text(.one)), by: JSON.parse(one)) == [])
    #expect(try breaches(of: JSON.parse(SchemaTests.schema.text(.anything)), by: JSON.parse("[1,{}]")) == [])
  }

  /// The check above is worth something: it sees each kind of breach.
  @Test(
    arguments: [
      (#"{"a":1}"#, "$ lacks text"), ("[]", "$ is no object"), (#"{"text":5}"#, "$.text is no string"),
      (#"{"none":{"text":5}}"#, "$.none.text is no string or null"),
      (#"{"time":1.5}"#, "$.time is no integer or null"),
      (#"{"day":"2022-13-01"}"#, "$.day is no day"),
      (#"{"list":["a","c"]}"#, "$.list[1] is none of \"a\", \"b\""),
      (#"{"choice":"r"}"#, "$.choice is none of \"p\", \"q\", null"),
      (#"{"more":1}"#, "$.more is not described"),
      (#"{"flag":null}"#, "$.flag is no boolean"), (#"{"rows":[{}]}"#, "$.rows[0] lacks number"),
      (#"{"rows":[{"number":"x"}]}"#, "$.rows[0].number is no integer or null"),
      (#"{"names":{"a":"x"}}"#, "$.names.a is no integer"),
      (#"{"record":1}"#, "$.record is no object or null"), ("null", "$ is no object"),
      (#"{"none":null}"#, "$.none is no object"), (#"{"list":null}"#, "$.list is no array"),
      (#"{"list":[null]}"#, "$.list[0] is none of \"a\", \"b\""),
      (#"{"rows":[null]}"#, "$.rows[0] is no object"),
      (#"{"names":{"a":null}}"#, "$.names.a is no integer"), (#"{"names":null}"#, "$.names is no object"),
    ])
  func everyBreachOfSchemaIsFound(value: String, found: String) throws {
    #expect(
      try breaches(of: JSON.parse(SchemaTests.schema.text(.one)), by: JSON.parse(value)).contains(found))
  }

  @Test func schemaNamesItsCommand() throws {
    let text = SchemaTests.schema.text(.rows)
    #expect(text.hasPrefix("{\n  \"$schema\": \"") && text.hasSuffix("\n}\n"))
    let schema = try JSON.parse(text)
    #expect(try schema["$schema"].string == "https://json-schema.org/draft/2020-12/schema")
    #expect(try schema["$id"].string == "urn:hw:x:3" && schema["description"].string == "Everything")
    #expect(try schema["title"].string == "hw x")
    #expect(
      try schema["items"]["properties"]["none"]["properties"]["deep"]["properties"]["integer"]["description"]
        .string == "an integer or null")
  }
}
