/// Name, type and meaning of a field, without its reader.
public struct Column: Equatable, Sendable {
  /// Name in the service's API, dotted for a nested value: `home_team.full_name`.
  public let path: String
  public let title: String
  /// Meaning in one phrase, for the manual.
  public let meaning: String
  public let type: CellType
  /// Whether tables, CSV and TSV contain the field by default.
  public var isShown: Bool
  public var isOptional: Bool
  /// JSON has an object where other formats have one value of it.
  public internal(set) var isFlattened = false
  /// Units in which a condition may give the number: `300BTC`.
  public var units: [Unit] = []

  public struct Unit: Equatable, Sendable {
    let name: String
    /// Power of ten.
    let factor: Int64
  }

  /// All values of a text, or all members of an object. A condition on another one is an error.
  public var values: [String] = []
  /// Order of a text that is a quantity.
  var scale: Scale?
  /// Hint of the error that refuses conditions on the order of a text; nil if texts compare by their characters.
  var hintForOrder: String?
  /// Whether the texts are numbers, such as ids.
  var isNumericText = false
  /// Whether `--sort` compares another value than the printed one.
  var hasSortValue = false

  public var isSortable: Bool {
    if isFlattened || hasSortValue { return true }
    return switch type {
    case .list, .object, .record, .byName: false
    case .text, .choice, .integer, .number, .flag, .time, .day, .any: true
    }
  }

  private var separateNames: [String]?

  /// Names of the nested objects in JSON, the outermost first; by default the parts of `path`.
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

  static let any = Column("", title: "", meaning: "", type: .any)

  /// Whether the values are right-aligned, so that digits line up. A service can send a number as a text.
  var isNumeric: Bool { type == .integer || type == .number || isNumericText }

  init(undeclared name: String, memberNames: [String]) {
    self.init(name, title: name, meaning: "", type: .any)
    separateNames = memberNames
  }
}

public indirect enum CellType: Equatable, Sendable {
  case text
  case choice([String])
  case integer, number, flag
  /// Unix seconds.
  case time
  case day
  case list(CellType)
  case record([Column])
  /// Object with arbitrary names and values of one type.
  case byName(CellType)
  case object
  case any

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
