import JSON
import System
import Testing

@testable import Output

/// What is read for a table, for JSON, for CSV, for conditions and for an order, which may all differ.
@Suite struct FieldsOfARow {
  struct Ride: Row {
    var name: String? = "home"
    var length = 7
    var extra: JSON?

    static let fields: Fields<Ride> = [
      Field.text("name", "Name", "its name", orNull: { $0.name }).shown { TableCell("<\($0.name ?? "")>") },
      Field.object("extra", "Extra", "whatever else", orNull: { $0.extra })
        .flattened(to: { .integer(Int64($0.length)) }),
      Field.text("unit", "Unit", "of its length") { _ in "km" }.sorted(by: { .integer(Int64($0.length)) }),
      .list("tags", "Tags", "what it is like") { _ in ["a", "b"] },
      .object("raw", "Raw", "whatever else", orNull: { $0.extra }),
      .flag("long", "Long", "whether it is", orNull: { $0.extra == nil ? nil : $0.length > 5 }),
      .time(
        "at", "At", "when it was", orNull: { $0.name == nil ? nil : Timestamp(seconds: Int64($0.length)) }),
      .number("share", "Share", "of all", orNull: { $0.name == nil ? nil : Double($0.length) / 2 }),
    ]
  }

  struct Trip {
    var ride = Ride()
  }

  private func text(_ cell: FieldValue) -> String {
    var bytes: [UInt8] = []
    cell.appendJSON(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func values<R>(_ field: Field<R>, _ row: R, inside path: String? = nil) -> [String] {
    let path = path.map { JSON.Path($0) }
    var bytes: [UInt8] = []
    field.reader.append(row, &bytes)
    #expect(text(field.reader.cell(row)) == String(decoding: bytes, as: UTF8.self))
    return [
      field.text(of: row) ?? "nil", text(field.reader.cell(row)),
      text(field.comparedReader(inside: path)(row)), text(field.sortReader(inside: path)(row)),
    ]
  }

  @Test(arguments: [
    ("name", ["<home>", "\"home\"", "\"home\"", "\"home\""], ["nil", "null", "null", "null"]),
    ("extra", ["7", "{\"a\":5}", "7", "7"], ["7", "null", "7", "7"]),
    ("unit", ["km", "\"km\"", "\"km\"", "7"], ["km", "\"km\"", "\"km\"", "7"]),
    (
      "tags", ["a, b", #"["a","b"]"#, #"["a","b"]"#, #"["a","b"]"#],
      ["a, b", #"["a","b"]"#, #"["a","b"]"#, #"["a","b"]"#]
    ),
    ("raw", ["{\"a\":5}", "{\"a\":5}", "{\"a\":5}", "{\"a\":5}"], ["nil", "null", "null", "null"]),
    ("long", ["true", "true", "true", "true"], ["nil", "null", "null", "null"]),
    ("at", ["7", "7", "7", "7"], ["nil", "null", "null", "null"]),
    ("share", ["3.5", "3.5", "3.5", "3.5"], ["nil", "null", "null", "null"]),
  ])
  func readings(path: String, full: [String], empty: [String]) throws {
    let field = try #require(Ride.fields.first { $0.column.path == path })
    let ride = Ride(extra: try JSON.parse(#"{"a":5}"#))
    let nothing = Ride(name: nil)
    #expect(values(field, ride) == full)
    #expect(values(field, nothing) == empty)
    // The same in what contains the row.
    let whole = field.of { (trip: Trip) in trip.ride }
    #expect(values(whole, Trip(ride: ride)) == full)
    #expect(values(whole, Trip(ride: nothing)) == empty)
  }

  @Test func aPathGoesBelowAnObject() throws {
    let ride = Ride(extra: try JSON.parse(#"{"a":5}"#))
    let (extra, unit) = (Ride.fields[1], Ride.fields[2])
    #expect(values(extra, ride, inside: "a") == ["7", "{\"a\":5}", "5", "5"])
    #expect(values(unit, ride, inside: "a") == ["km", "\"km\"", "null", "null"])
  }
}
