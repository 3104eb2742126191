/// Name, type and meaning of a field: everything except its reader.
public struct Column: Equatable, Sendable {
  /// The upstream name, dotted where the value is nested: `home_team.full_name`.
  public let path: String
  /// The table's heading.
  public let title: String
  /// Meaning in one phrase, for the manual.
  public let meaning: String
  public let type: CellType
  /// The table, CSV and TSV show it without being asked; `--fields` and JSON have the others too.
  public var isShown: Bool
  /// Whether the value may be null.
  public var isOptional: Bool
  /// JSON has an object where tables, CSV and TSV have one value of it.
  public internal(set) var isFlattened = false
  /// The unit in which a condition may give the number: `300BTC`.
  public var unit: Unit?

  public struct Unit: Equatable, Sendable {
    let name: String
    /// A power of ten.
    let factor: Int64
  }

  /// All values of a text, or all members of an object. A condition on another one would find nothing.
  public var values: [String] = []
  /// How the text is compared, if it stands for a quantity.
  var scale: Scale?

  /// `--sort` compares another value than the one that is printed.
  var hasSortValue = false
  /// The names of the nested objects in JSON, where the dots of `path` do not separate them.
  private var separateNames: [String]?

  /// The names of the nested objects in JSON, the outermost first.
  var memberNames: [String] {
    separateNames ?? path.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
  }

  public init(
    _ path: String, title: String, meaning: String, type: CellType, isShown: Bool = true,
    isOptional: Bool = false
  ) {
    self.path = path
    self.title = title
    self.meaning = meaning
    self.type = type
    self.isShown = isShown
    self.isOptional = isOptional
  }

  /// A column of values that are not declared.
  static let any = Column("", title: "", meaning: "", type: .any)

  /// A column of rows whose fields are not declared.
  init(foreign name: String, memberNames: [String]) {
    self.init(name, title: name, meaning: "", type: .any)
    separateNames = memberNames
  }
}

public indirect enum CellType: Equatable, Sendable {
  case text
  case choice([String])
  case integer
  case number
  case flag
  /// Seconds since 1970, an integer.
  case time
  /// `YYYY-MM-DD`.
  case day
  case list(CellType)
  /// An object of these members.
  case record([Column])
  /// An object whose names are the data's own, with a value of this type each.
  case byName(CellType)
  /// An object of the service's own making.
  case object
  case any

  /// Numbers are right-aligned, so that their digits line up.
  var isNumeric: Bool { self == .integer || self == .number }

  /// The word the manual uses.
  public var name: String {
    switch self {
    case .text: "text"
    case .choice(let names): names.joined(separator: " | ")
    case .integer: "integer"
    case .number: "number"
    case .flag: "true or false"
    case .time: "unix seconds"
    case .day: "day, YYYY-MM-DD"
    case .list(let element): "list of \(element.name)"
    case .record(let members): "object with \(members.map(\.path).joined(separator: ", "))"
    case .byName(let element): "object, \(element.name) by name"
    case .object: "object"
    case .any: "any value"
    }
  }
}
