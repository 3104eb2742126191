import JSON
import System
import TestSupport

@testable import Output

/// A made-up row with a field of every kind: nested, null, a list, an object, one on request, one shown in its own way.
struct Bike: Row {
  var id = 1
  var name: String? = "Henry"
  var latitude = "50.1"
  var rented = false
  var tags: [String] = []
  var day = CalendarDay(year: 2022, month: 3, day: 8)
  var extra: JSON?

  static let fields: Fields<Bike> = [
    .integer("id", "Id", "its number") { $0.id },
    .text("name", "Name", "its name", orNull: { $0.name }).shown { TableCell($0.name ?? "nobody", .red) },
    .text("location.latitude", "Lat", "degrees north") { $0.latitude },
    .flag("rented", "Rented", "in use") { $0.rented },
    .list("location.tags", "Tags", "what it is like") { $0.tags }.hiddenByDefault,
    .day("since", "Since", "when it came") { $0.day ?? CalendarDay(daysSinceEpoch: 0) }.hiddenByDefault,
    .object("extra", "Extra", "whatever else", orNull: { $0.extra }).hiddenByDefault,
  ]
}

/// A row with text of its own.
struct Tile: Row {
  var letter: String

  static let fields: Fields<Tile> = [.text("letter", "Letter", "what it shows") { $0.letter }]
  static let text: (@Sendable (Tile, Screen?) -> String)? = { tile, screen in
    "[\(tile.letter)]" + (screen.map { " on \($0.width ?? 0)" } ?? "")
  }
}

/// Rows as they come out under the settings.
func written(
  _ format: Format?, fields: String? = nil, header: Bool = true, null: Bool = false, screen: Screen? = nil,
  list: ListSelection? = nil, _ write: (Output) throws(Failure) -> Void
) throws(Failure) -> String {
  let sink = MemorySink()
  let output = Output(
    settings(format, fields: fields, header: header, null: null, screen: screen, list: list), Outlet(sink))
  try write(output)
  try output.outlet.flush()
  return sink.text
}

func settings(
  _ format: Format?, fields: String? = nil, header: Bool = true, null: Bool = false, screen: Screen? = nil,
  list: ListSelection? = nil
) -> Output.Settings {
  var settings = Output.Settings()
  settings.format = format
  settings.fields = fields
  settings.header = header
  settings.terminator = null ? 0 : UInt8(ascii: "\n")
  settings.screen = screen
  settings.list = list
  return settings
}

extension SeededGenerator {
  static let pieces = [
    "a", "B", "7", " ", "-", "é", "e\u{301}", "日", "本", "한", "ｶ", "😀", "☀", "☀\u{FE0F}", "1\u{FE0F}\u{20E3}",
    "🇩🇪", "🇩", "👨\u{200D}👩\u{200D}👧", "👍🏽", "\u{301}", "\u{200B}", "\u{1B}", "\u{202E}", "\t", "\n", "\r\n",
    "\"", ",", "\\", "\\n", "'", "ש", "ก็", "\u{AD}", "\u{1161}", "\0",
  ]

  /// A short text of everything that ever put a table out of line or broke a quote.
  mutating func text(atMost count: Int = 8) -> String {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in
      SeededGenerator.pieces.randomElement(using: &self) ?? ""
    }.joined()
  }
}

extension Output {
  /// Writes rows that are made one at a time, each before the next is made, except in a table.
  func write<R: Row>(next: () throws(Failure) -> R?) throws(Failure) {
    try write(each: R.self) { rows throws(Failure) in
      while !rows.isFull, let row = try next() { try rows.write(row) }
    }
  }

  /// Writes values, which are numbered in the order of their arrival.
  @discardableResult func write(next: () throws(Failure) -> JSON?) throws(Failure) -> [String] {
    var number = 0
    return try write { () throws(Failure) -> UndeclaredRow? in
      number += 1
      return try next().map { UndeclaredRow($0, number: number) }
    }
  }
}
