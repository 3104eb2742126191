import JSON
import System
import Testing

@testable import Output

@Suite struct RowCaptureTests {
  struct Part: Row {
    var id: String
    var size: Int

    static let fields: Fields<Part> = [
      .text("id", "Id", "its id") { $0.id }, .integer("size", "Size", "how large it is") { $0.size },
    ]
  }

  private func captured(_ parts: [(String, Int)], _ format: Format, fields: String? = nil) throws
    -> RowCapture
  {
    let capture = RowCapture(format, key: "id")
    let settings = settings(format, fields: fields)
    try Output(settings, capture: capture).write(parts.map { Part(id: $0.0, size: $0.1) })
    return capture
  }

  /// What changed and nothing else, in the order of the new rows; removed rows come last.
  @Test(
    arguments: [
      ([("a", 9), ("b", 8)], [("a", 9), ("b", 8)], ""),
      ([("a", 9), ("b", 8)], [("a", 9), ("b", 7)], "changed b"),
      ([("a", 9), ("b", 8)], [("b", 8), ("a", 7)], "changed a"),
      ([("a", 9), ("b", 8)], [("a", 9), ("c", 8)], "added c, removed b"), ([], [("a", 1)], "added a"),
      // Rows with one key differ by their order.
      ([("a", 1), ("a", 2)], [("a", 1)], "removed a2"),
      ([("a", 1), ("a", 2)], [("a", 2)], "changed a, removed a2"),
      ([("a", 1)], [("a", 1), ("a", 1)], "added a2"), ([("a", 1), ("a", 1)], [], "removed a, removed a2"),
    ] as [([(String, Int)], [(String, Int)], String)])
  func differencesBecomeEvents(old: [(String, Int)], new: [(String, Int)], expected: String) throws {
    let events = RowEvent.between(try captured(old, .jsonl).rows, try captured(new, .jsonl).rows)
    let texts = events.map { "\($0.kind.rawValue) \($0.row.key.replacing("\0", with: ""))" }
    #expect(texts.joined(separator: ", ") == expected)
  }

  /// A row whose chosen fields are the same has not changed.
  @Test func unchosenFieldsMakeNoEvents() throws {
    let old = try captured([("a", 1)], .jsonl, fields: "id").rows
    let new = try captured([("a", 2)], .jsonl, fields: "id").rows
    #expect(RowEvent.between(old, new).isEmpty)
  }

  /// JSON has the whole object, the others one value of it. No field has that key.
  @Test(
    arguments: [
      (.jsonl, #"{"a":5}"#, [], []), (.json, #"{"a":5}"#, [], []), (.csv, "7", ["7"], []),
      (.tsv, "7", ["7"], []), (.table, "7", [], [TableCell("7")]), (.markdown, "7", [], []),
    ] as [(Format, String, [String], [TableCell])])
  func capturedRowHoldsItsValues(format: Format, value: String, plain: [String], shown: [TableCell]) throws {
    let capture = RowCapture(format, key: "none")
    let ride = FieldTests.Ride(extra: try JSON.parse(#"{"a":5}"#))
    try Output(settings(format, fields: "extra"), capture: capture).write([ride])
    let row = try #require(capture.rows.first)
    #expect(row.key == "" && row.values == [Array(value.utf8)] && row.plain == plain && row.shown == shown)
    #expect(capture.rows.count == 1 && capture.columns.map(\.path) == ["extra"])
  }

  /// The key is the value that CSV has.
  @Test func keyIsValueOfCSV() throws {
    let capture = RowCapture(.jsonl, key: "extra")
    try Output(settings(.jsonl, fields: "unit"), capture: capture).write([FieldTests.Ride(length: 8)])
    #expect(capture.rows.map(\.key) == ["8"])
  }

  @Test func capturedRowsAreDrawnAsTable() throws {
    let capture = try captured([("a", 1), ("bcd", 20)], .table)
    let text = try written(.table) { output throws(Failure) in
      try output.write(captured: capture.rows, columns: capture.columns)
    }
    #expect(text == "Id   Size\na       1\nbcd    20\n")
  }

  @Test(
    arguments: [
      (.jsonl, "{\"event\":\"added\",\"id\":\"a,b\",\"size\":1}\n"),
      (.csv, "event,id,size\nadded,\"a,b\",1\n"), (.tsv, "event\tid\tsize\nadded\ta,b\t1\n"),
    ] as [(Format, String)])
  func eventsAreWritten(format: Format, expected: String) throws {
    let capture = try captured([("a,b", 1)], format)
    let sink = MemorySink()
    let output = Output(Output.Settings(), Outlet(sink))
    var writer = RowEventWriter(output, columns: capture.columns, format: format)
    for event in RowEvent.between([], capture.rows) { try writer.write(event) }
    try output.outlet.flush()
    #expect(sink.text == expected)
  }
}
