import System
import Testing

@testable import Output

/// Rows inside a row are objects with the shape that they have on their own.
@Suite struct NestedRowTests {
  private struct Part: Row {
    let number: Int

    static let fields: Fields<Part> = [
      .integer("count.old", "Old", "before") { $0.number },
      .integer("count.new", "New", "now", orNull: { $0.number > 0 ? $0.number + 1 : nil }),
      .text("name", "Name", "the name") { "n\($0.number)" },
    ]
  }

  private struct Whole: Row {
    var parts: [Part]?

    static let fields: Fields<Whole> = [
      .rows("some", "Some", "rows", of: Part.fields) { $0.parts ?? [] },
      .rowsOrNull("any", "Any", "rows, or null", of: Part.fields) { $0.parts },
    ]
  }

  private func json<R: Row>(_ row: R) throws -> String {
    try written(.jsonl) { output throws(Failure) in try output.write(row) }
  }

  @Test func rowsInsideRowsAreNested() throws {
    let parts = [Part(number: 0), Part(number: 7)]
    let rows = try parts.map { try json($0).dropLast() }.joined(separator: ",")
    #expect(rows.hasPrefix(#"{"count":{"old":0,"new":null},"name":"n0"},"#))
    #expect(try json(Whole(parts: parts)) == #"{"some":[\#(rows)],"any":[\#(rows)]}"# + "\n")
  }

  @Test func missingInnerRowsAreNullOrEmpty() throws {
    #expect(try json(Whole()) == #"{"some":[],"any":null}"# + "\n")
    #expect(try json(Whole(parts: [])) == #"{"some":[],"any":[]}"# + "\n")
  }
}
