import Output
import System

public struct CommandOutput: Sendable {
  enum Kind: Sendable {
    /// Rows that the list options sort, filter and limit.
    case list(ListDeclaration)
    /// Rows without list options: each belongs to an operand, or reports what was done.
    case rows
    case one
    /// Rows of the input, whose fields are undeclared.
    case anyRows
    /// Text, or nothing.
    case plain
    case plainOrJSON
    /// A JSON document, of which no field can be selected.
    case document
  }

  let kind: Kind
  /// Made on demand: most runs never need the columns.
  private let makeColumns: @Sendable () -> [Column]
  public var columns: [Column] { makeColumns() }
  /// Sentences for the help about the output, before those about its rows.
  let text: String?
  /// Version of the output's JSON Schema; each change of the schema needs a new one.
  public private(set) var version = 1
  /// Hint for a change that was made, but whose output could not be written.
  private(set) var hintIfLost: String?

  init(kind: Kind, columns: @autoclosure @escaping @Sendable () -> [Column], text: String?) {
    self.kind = kind
    makeColumns = columns
    self.text = text
  }

  /// List: `order` describes the order of its rows without `--sort`. `key` is the path of the field that identifies a
  /// row: it orders rows that are equal otherwise, and a watch recognizes a row by it. `today` returns the current
  /// day in the time zone of the fields that are days; the default is the day in UTC.
  public static func list<R: Row>(
    _ row: R.Type, order: String, key: String? = nil, limit: Int? = nil,
    arrival: ListDeclaration.Arrival = .whole, watch: ListDeclaration.Watch? = nil,
    today: (@Sendable (any TimeKeeper) -> CalendarDay)? = nil, text: String? = nil
  ) -> CommandOutput {
    let list = ListDeclaration(
      columns: R.columns, order: order, key: key, limit: limit, arrival: arrival, watch: watch, today: today)
    return CommandOutput(kind: .list(list), columns: R.columns, text: text)
  }

  public static func rows<R: Row>(_ row: R.Type, text: String? = nil) -> CommandOutput {
    CommandOutput(kind: .rows, columns: R.columns, text: text)
  }

  public static func one<R: Row>(_ row: R.Type, text: String? = nil) -> CommandOutput {
    CommandOutput(kind: .one, columns: R.columns, text: text)
  }

  /// Row that contains a list, to which the list options apply.
  public static func one<R: Row, Part: Row>(
    _ row: R.Type, listing part: Part.Type, order: String, text: String? = nil
  ) -> CommandOutput {
    let list = ListDeclaration(columns: Part.columns, order: order, arrival: .inside)
    return CommandOutput(kind: .list(list), columns: R.columns, text: text)
  }

  public static var anyRows: CommandOutput { CommandOutput(kind: .anyRows, columns: [], text: nil) }

  public static func plain(_ help: String) -> CommandOutput {
    CommandOutput(kind: .plain, columns: [], text: help)
  }

  /// Text, and with --json one row.
  public static func plain<R: Row>(_ help: String, orJSON row: R.Type) -> CommandOutput {
    CommandOutput(kind: .plainOrJSON, columns: R.columns, text: help)
  }

  public static func document(_ help: String) -> CommandOutput {
    CommandOutput(kind: .document, columns: [], text: help)
  }

  public func schemaVersion(_ version: Int) -> CommandOutput {
    var output = self
    output.version = version
    return output
  }

  public func hintIfLost(_ hint: String) -> CommandOutput {
    var output = self
    output.hintIfLost = hint
    return output
  }

  var hasSecrets: Bool { columns.contains { ["pin", "token"].contains($0.path) } }

  /// Refuses a format or field that the output lacks before the command runs: a script must not parse text as JSON.
  func check(_ settings: Output.Settings, of command: String) throws(Failure) {
    try checkFields(settings.fields, of: command)
    try settings.checkTerminator()
    guard let format = settings.format else { return }
    switch kind {
    case .plain: throw Failure(.usage, "'\(command)' prints text, and has no \(format.rawValue)")
    case .plainOrJSON where !format.isJSON:
      throw Failure(.usage, "'\(command)' prints text or JSON, and has no \(format.rawValue)")
    case .document where format != .json:
      throw Failure(.usage, "'\(command)' prints one JSON document, and has no \(format.rawValue)")
    case .list, .rows, .one, .anyRows, .plainOrJSON, .document: return
    }
  }

  /// Whether an option that chooses a format or fields has an effect.
  func accepts(_ option: OptionDeclaration) -> Bool {
    let forRows = [
      StandardOptions.jsonl.declaration, StandardOptions.csv.declaration, StandardOptions.tsv.declaration,
      StandardOptions.header.declaration, StandardOptions.null.declaration,
    ]
    let forFields = [
      StandardOptions.output.declaration, StandardOptions.json.declaration,
      StandardOptions.fields.declaration,
    ]
    return switch kind {
    case .list, .rows, .one, .anyRows: true
    case .plainOrJSON: !forRows.contains { $0 === option }
    case .plain, .document: !(forRows + forFields).contains { $0 === option }
    }
  }

  private func checkFields(_ fields: String?, of command: String) throws(Failure) {
    guard let fields, fields != "help" else { return }
    switch kind {
    case .anyRows: return
    case .list(let list)
    where list.arrival == .inside && (try? FieldSelection.check(fields, of: list.columns)) != nil:
      // JSON prints the one row, other formats print its list: the fields may be those of either.
      return
    case .list, .rows, .one, .plainOrJSON: try FieldSelection.check(fields, of: columns)
    case .plain: throw Failure(.usage, "'\(command)' prints text, which has no fields")
    case .document: throw Failure(.usage, "'\(command)' prints one JSON document, of which all is printed")
    }
  }

  /// Whether a terminal shows the output in the pager: lists, documents and help. Commands with another output print
  /// during their work or ask questions, which a pager would hide.
  var isPaged: Bool {
    switch kind {
    case .list, .anyRows, .plainOrJSON, .document: true
    case .rows, .one, .plain: false
    }
  }

  public var schemaRoot: Schema.Root? {
    switch kind {
    case .list(let list) where list.arrival == .inside: .one
    case .list, .rows: .rows
    case .one, .plainOrJSON: .one
    case .anyRows: .anything
    case .plain, .document: nil
    }
  }

  public var list: ListDeclaration? {
    switch kind {
    case .list(let list): list
    case .anyRows: .ofInput
    case .rows, .one, .plain, .plainOrJSON, .document: nil
    }
  }
}

/// Declaration of a list. All lists share the implementation of their options.
public struct ListDeclaration: Sendable {
  /// How the rows of the list arrive, by which its options and its JSON differ.
  public enum Arrival: Sendable {
    case whole
    /// Rows are printed while the pages of a service arrive, so they cannot be sorted.
    case paged
    /// Rows are a member of one row: JSON prints an object, other formats the rows.
    case inside
    /// Rows of the input, whose fields are undeclared.
    case input
  }

  private let makeColumns: @Sendable () -> [Column]
  /// Columns to filter and sort by; empty for rows of the input.
  var columns: [Column] { makeColumns() }
  let order: String
  let key: String?
  let limit: Int?
  let arrival: Arrival
  public let watch: Watch?
  let today: (@Sendable (any TimeKeeper) -> CalendarDay)?

  public struct Watch: Sendable {
    let shortest: Duration
    /// Reason of the shortest time, as a hint.
    let reason: String?

    public init(atLeast shortest: Duration = .milliseconds(100), because reason: String? = nil) {
      self.shortest = shortest
      self.reason = reason
    }
  }

  init(
    columns: @autoclosure @escaping @Sendable () -> [Column], order: String, key: String? = nil,
    limit: Int? = nil, arrival: Arrival, watch: Watch? = nil,
    today: (@Sendable (any TimeKeeper) -> CalendarDay)? = nil
  ) {
    makeColumns = columns
    self.order = order
    self.key = key
    self.limit = limit
    self.arrival = arrival
    self.watch = watch
    self.today = today
  }

  static let ofInput = ListDeclaration(columns: [], order: "in the order of the input", arrival: .input)
}

extension Row {
  fileprivate static var columns: [Column] { fields.map { $0.column } }
}
