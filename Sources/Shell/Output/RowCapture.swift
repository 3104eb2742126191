import JSON
import System

/// Row of a watched list without its type: for comparing two polls, and for showing it.
public struct CapturedRow: Sendable, Equatable {
  public let key: String
  /// Values as JSON, by which two polls are compared.
  let values: [[UInt8]]
  /// Fields of CSV and TSV; empty in other formats.
  let plain: [String]
  /// Cells of a table; empty in other formats.
  public let shown: [TableCell]

  public static func == (a: CapturedRow, b: CapturedRow) -> Bool { a.key == b.key && a.values == b.values }
}

/// Rows of one poll of a watched list, which an `Output` adds instead of writing them.
public final class RowCapture {
  private let format: Format
  private let key: String
  public private(set) var columns: [Column] = []
  public private(set) var rows: [CapturedRow] = []
  private var counts: [String: Int] = [:]

  /// `key` is the path of the field that identifies a row from one poll to the next.
  public init(_ format: Format, key: String) {
    self.format = format
    self.key = key
  }

  struct Readers<R> {
    let key: (@Sendable (R) -> FieldValue)?
    let values: [@Sendable (R) -> FieldValue]
    let plain: [@Sendable (R) -> FieldValue]
    let shown: [@Sendable (R) -> TableCell]
  }

  /// Returns the readers of the selected fields, and keeps their columns.
  func readers<R: Row>(of selection: FieldSelection, _ fields: Fields<R>) -> Readers<R> {
    columns = selection.columns
    let choices = selection.choices
    return Readers(
      key: fields.first { $0.column.path == key }?.comparedReader(inside: nil),
      values: choices.map { fields[$0.field].reader(inside: $0.inside, isFlat: !format.isJSON).value },
      plain: format == .csv || format == .tsv
        ? choices.map { fields[$0.field].reader(inside: $0.inside, isFlat: true).value } : [],
      shown: format == .table ? choices.map { fields[$0.field].shownReader(inside: $0.inside) } : [])
  }

  func append<R>(_ row: R, _ readers: Readers<R>) {
    let key = readers.key.map { $0(row).bareText } ?? ""
    let number = counts[key, default: 0] + 1
    counts[key] = number
    rows.append(
      CapturedRow(
        // Rows with the same key are distinguished by their order.
        key: number == 1 ? key : "\(key)\u{0}\(number)",
        values: readers.values.map { read in
          var bytes: [UInt8] = []
          read(row).appendJSON(to: &bytes)
          return bytes
        },
        plain: readers.plain.map { $0(row).bareText }, shown: readers.shown.map { $0(row) }))
  }
}

public struct RowEvent {
  public enum Kind: String, CaseIterable, Sendable {
    /// The row is new; in the first poll every row is.
    case added
    case changed
    case removed
  }

  public let kind: Kind
  public let row: CapturedRow

  /// Events between two polls, in the order of the new rows; removed ones come last.
  public static func between(_ old: [CapturedRow], _ new: [CapturedRow]) -> [RowEvent] {
    let before = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
    let after = Set(new.map { $0.key })
    let events = new.compactMap { row -> RowEvent? in
      guard let known = before[row.key] else { return RowEvent(kind: .added, row: row) }
      return known == row ? nil : RowEvent(kind: .changed, row: row)
    }
    return events + old.filter { !after.contains($0.key) }.map { RowEvent(kind: .removed, row: $0) }
  }

  public static let column = Column(
    "event", title: "Event", meaning: "what happened to the row since the poll before",
    type: .choice(Kind.allCases.map(\.rawValue)))
}

public struct RowEventWriter {
  private let output: Output
  private var writer: RowWriter
  private let append: JSONRow.Append<RowEvent>

  public init(_ output: Output, columns: [Column], format: Format) {
    self.output = output
    writer = RowWriter(output.layout(format, isSingle: false), columns: [RowEvent.column] + columns)
    let values: [JSONRow.Append<RowEvent>] = columns.indices.map { place in
      { event, bytes in bytes.append(contentsOf: event.row.values[place]) }
    }
    append = writer.object.joined([{ JSONWriter.appendString($0.kind.rawValue, to: &$1) }] + values)
  }

  public mutating func write(_ event: RowEvent) throws(Failure) {
    if writer.layout.format.isJSON {
      return try writer.write(rendered: { append(event, &$0) }, to: output.outlet)
    }
    let cells = [FieldValue.text(event.kind.rawValue)] + event.row.plain.map(FieldValue.text)
    try writer.write(cells, to: output.outlet)
  }
}

extension Output {
  public func write(captured rows: [CapturedRow], columns: [Column]) throws(Failure) {
    var writer = RowWriter(layout(.table, isSingle: false), columns: columns)
    for row in rows { try writer.write(shown: row.shown, to: outlet) }
    try writer.finish(to: outlet)
  }
}
