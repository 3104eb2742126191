import JSON
import System

/// Condition of `--where 'FIELD OP VALUE'`. Values compare as in JSON, never as they are displayed.
public struct Condition: Sendable {
  public enum Operator: String, CaseIterable, Sendable {
    case notEqual = "!="
    case atMost = "<="
    case atLeast = ">="
    /// Finds a part of a text, ignoring case.
    case contains = "*="
    case equal = "="
    case less = "<"
    case greater = ">"
  }

  public let field: String
  let operation: Operator
  /// Operator as it was typed: `==` is `=`.
  let spelling: String
  var comparesOrder: Bool { [.less, .atMost, .greater, .atLeast].contains(operation) }
  private(set) var value: String
  private var number: JSON.Number?
  /// Range of a time or of a text with a scale: the seconds of a day, an instant.
  private var range: ClosedRange<Int64>?
  private var scale: Scale?
  /// The value is a day, a month or a year, and is compared with that part of a day.
  private var isPartOfDay = false
  /// For columns of any type: the value as a day, month or year; as an instant; as a local time, read as UTC.
  private var day: String?
  private var instant: Timestamp?
  private var localTime: Timestamp?

  /// Parses a condition; nil without an operator, or without a field before it.
  public init?(_ text: String) {
    guard let (start, spelling) = Condition.firstOperator(in: text) else { return nil }
    let field = String(text[..<start]).trimmed
    let rest = text[text.utf8.index(start, offsetBy: spelling.text.utf8.count)...]
    guard !field.isEmpty else { return nil }
    self.field = field
    operation = spelling.operation
    self.spelling = spelling.text
    value = String(rest).trimmed
    number = JSON.Number(value)
  }

  /// Condition for a column whose values have several notations: a number with separators or a unit, a day or an
  /// instant for a time. Days are those of UTC; `today` is the current one.
  func resolved(for column: Column, today: CalendarDay) -> Condition {
    var condition = self
    condition.isPartOfDay = column.type == .day
    if let scale = column.scale {
      condition.scale = scale
      condition.range = scale.range(value, today)
      return condition
    }
    if column.type == .any {
      condition.day = CalendarDay.isBeginning(value) ? value : DayValue(value)?.day(today: today).description
    }
    // A heading names the unit of its numbers: 'Capacity (BTC)'.
    let isTitle = field.lowercased() == column.title.lowercased()
    let unit =
      column.units.first { value.hasSuffix($0.name) }
      ?? column.units.first { unit in
        isTitle && column.title.split { " ()".contains($0) }.contains { $0 == unit.name }
      }
    guard number == nil || unit != nil else { return condition }
    switch column.type {
    case .integer, .number:
      condition.number =
        if let unit { quantity(in: unit) } else { Condition.number(separated: value) }
    case .any:
      condition.number = Condition.number(separated: value)
      condition.instant = Timestamp(exactly: value)
      condition.localTime = Timestamp(exactly: value, isLocal: true)
    case .time:
      condition.number = Condition.number(separated: value)
      condition.range = Scale.instant.range(value, today)
    case .day:
      if let day = DayValue(value) { condition.value = day.day(today: today).description }
    default: break
    }
    return condition
  }

  /// Number of a value in a unit, which the value or the heading names.
  private func quantity(in unit: Column.Unit) -> JSON.Number? {
    let digits = value.hasSuffix(unit.name) ? String(value.dropLast(unit.name.count)).trimmed : value
    let whole = digits.prefix { $0 != "." }
    let isSeparated =
      Condition.hasSeparators(String(whole.drop { "+-".contains($0) }))
      && !digits.dropFirst(whole.count).contains(",")
    guard isSeparated || !digits.contains(",") else { return nil }
    return Condition.product(digits.split(by: ",").joined(), unit.factor).map(JSON.Number.int64)
  }

  /// A number with separated thousands, with a plus, or without the zero before its point.
  static func number(separated digits: String) -> JSON.Number? {
    let sign = digits.hasPrefix("-") ? "-" : ""
    let amount = digits.drop { "+-".contains($0) }
    guard digits.utf8.count - amount.utf8.count <= 1, amount.contains(where: \.isNumber) else { return nil }
    let whole = String(amount.prefix { $0 != "." })
    let joined = hasSeparators(whole) ? whole.split(by: ",").joined() : whole
    return JSON.Number("\(sign)\(joined.isEmpty ? "0" : joined)\(amount.dropFirst(whole.count))")
  }

  /// Whether all commas separate thousands: `1,000,000`.
  private static func hasSeparators(_ text: String) -> Bool {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard groups.count > 1, (1...3).contains(groups[0].utf8.count) else { return false }
    return groups.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) }
      && groups.dropFirst().allSatisfy { $0.utf8.count == 3 }
  }

  /// Decimal number times a power of ten, if that is an integer.
  private static func product(_ text: String, _ factor: Int64) -> Int64? {
    let sign = text.prefix { "+-".contains($0) }
    let parts = text.dropFirst(sign.count).split(separator: ".", omittingEmptySubsequences: false).map(
      String.init)
    guard sign.count <= 1, parts.count <= 2,
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }), parts.last?.isEmpty == false
    else { return nil }
    let places = String(factor).count - 1
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= places else { return nil }
    return Int64("\(sign)\(parts[0])\(fraction)" + String(repeating: "0", count: places - fraction.count))
  }

  public var text: String { "\(field)\(spelling)\(value)" }

  /// Whether the cell meets the condition. A missing value is neither less nor greater.
  func matches(_ cell: FieldValue) -> Bool {
    let isMet =
      if !value.isEmpty, let elements = cell.elements {
        elements.contains { matchesPositively($0) }
      } else {
        matchesPositively(cell)
      }
    return operation == .notEqual ? !isMet : isMet
  }

  private var isEquality: Bool { operation == .equal || operation == .notEqual }

  /// Compares with `!=` read as `=`.
  private func matchesPositively(_ cell: FieldValue) -> Bool {
    if value.isEmpty, isEquality { return cell.isEmpty }
    switch SortValue(cell) {
    case .nothing: return isEquality && value == "null" && cell.isNull
    case .flag(let flag): return isEquality && value.lowercased() == (flag ? "true" : "false")
    // `SortValue(ordering:)` alone makes instants.
    case .instant: return false
    case .number(let found):
      if operation == .contains { return cell.bareText.contains(value) }
      if let range, case .int64(let found) = found { return compare(found, with: range) }
      guard let number else { return false }
      return compare(found, number)
    case .text(let found):
      if operation == .contains {
        return TextMatch.contains(TextMatch.folded(found), TextMatch.folded(value))
      }
      if let scale {
        guard let range, let found = scale.range(found, CalendarDay(daysSinceEpoch: 0)) else { return false }
        return compare(found.lowerBound, with: range)
      }
      if let day, let start = Condition.beginning(of: found, like: day) {
        return compare(SortValue.text(start), .text(day))
      }
      if let number,
        let found = comparesOrder ? SortValue.orderedNumber(found) : SortValue.number(found)
      {
        return compare(found, number)
      }
      if let instant, let found = Timestamp(exactly: found) { return compare(found, instant) }
      if let localTime, let found = Timestamp(exactly: found, isLocal: true) {
        return compare(found, localTime)
      }
      if isEquality, value == "null" { return false }
      if isPartOfDay { return compare(SortValue.text(String(found.prefix(value.count))), .text(value)) }
      // Other texts come neither before nor after a number or a time.
      if comparesOrder, number != nil || isTime { return false }
      // Texts that differ only in case are equal, also for `<` and `>=`.
      if TextMatch.areEqual(TextMatch.withoutBlanks(found), value) { return compare(value, value) }
      return !isEquality && compare(SortValue.text(found), .text(value))
    }
  }

  /// Whether the value is a quantity in another form than a number: `90kg`, `1,00`.
  private var isNearlyNumber: Bool { number == nil && value.utf8.first?.isASCIIDigit == true }

  /// Whether the value has only digits and separators of numbers: `1,00`, `1.234,5`, `5|7`; a version has no comma.
  private var isForeignNumber: Bool {
    isNearlyNumber && !isTime && value.contains(where: { ",'|".contains($0) })
      && value.utf8.allSatisfy { $0.isASCIIDigit || ".,'|".utf8.contains($0) }
  }

  /// Whether the number can be a year or a day: `2025`, `20250115`.
  private var isYearOrDay: Bool {
    guard value.utf8.allSatisfy(\.isASCIIDigit) else { return false }
    let parts = [value.prefix(4), value.dropFirst(4).prefix(2), value.dropFirst(6)]
    return value.utf8.count == 4 || value.utf8.count == 8 && CalendarDay(parts.joined(separator: "-")) != nil
  }

  /// Whether a value that meets the condition needs no `problem(with:)`: it was compared as a number or a time.
  var needsNoCheckIfMet: Bool { operation != .notEqual && (number != nil || isTime) }

  private var isTime: Bool { day != nil || instant != nil || localTime != nil }

  /// The year, month or day of a time, as exact as `day`: of UTC for an instant, else as written. Nil for other texts.
  private static func beginning(of text: String, like day: String) -> String? {
    var found = String(text.prefix(10))
    if let instant = Timestamp(exactly: text) {
      if !text.hasSuffix("Z") { found = WallTime(instant).day.description }
    } else if text.utf8.count > 10, Timestamp(exactly: text, isLocal: true) == nil {
      return nil
    }
    // A season, `2012-13`, has the order of months.
    let isMonth =
      found.utf8.count == 7 && found.utf8.suffix(2).allSatisfy(\.isASCIIDigit)
      && CalendarDay.isBeginning(String(found.prefix(5)) + "01")
    guard found.utf8.count >= day.utf8.count, isMonth || CalendarDay.isBeginning(found) else { return nil }
    return String(found.prefix(day.utf8.count))
  }

  /// Why a cell of any type cannot be compared with the value; nil if it can, or if it is surely another value. A text
  /// with digits may be a quantity or a time in a form that hw does not read, and so has no place in an order of them.
  func problem(with cell: FieldValue) -> String? {
    guard !value.isEmpty else { return nil }
    if case .json(let json) = cell, json.kind == .object, value != "null" { return "'\(field)' is an object" }
    // Without digits the value is no other form of a number or a time.
    let isPlain = isEquality && !isTime && !value.utf8.contains(where: \.isASCIIDigit)
    guard operation != .contains, !isPlain else { return nil }
    // A number is comparable, whatever it is: most are not read.
    if number != nil, case .json(let json) = cell, json.kind == .number { return nil }
    switch SortValue(cell) {
    case .number:
      guard number == nil, comparesOrder || isTime || isForeignNumber else { return nil }
      return notNumber
    case .text(let found): return problemWithText(found)
    case .flag: return comparesOrder ? "'\(field)' is true or false" : nil
    case .nothing, .instant: return nil
    }
  }

  private var notNumber: String { "'\(field)' is a number, and '\(value)' is not" }

  private func problemWithText(_ found: String) -> String? {
    if let day, Condition.beginning(of: found, like: day) != nil { return nil }
    let hasDay = found.utf8.count >= 10 && CalendarDay(String(found.prefix(10))) != nil
    if day == nil || !hasDay {
      let isNumber = (comparesOrder ? SortValue.orderedNumber(found) : SortValue.number(found)) != nil
      if number != nil {
        guard !isNumber, comparesOrder ? found.contains(where: \.isNumber) : hasDay else { return nil }
        return "'\(field)' is '\(found)', which is no number"
      }
      if isNumber, comparesOrder && isNearlyNumber || isTime { return notNumber }
      guard isTime else { return problemWithoutTime(found, hasDay: hasDay) }
      guard mayBeTime(found, hasDay: hasDay) else { return nil }
    }
    return "'\(field)' is '\(found)', which is not comparable with the time '\(value)'"
  }

  /// Why a text cannot be compared with the value, if neither is a number and the value is no time, but may be the day
  /// of the text in another form.
  private func problemWithoutTime(_ found: String, hasDay: Bool) -> String? {
    if hasDay, Condition.beginning(of: found, like: "YYYY") != nil {
      return "'\(field)' is '\(found)', and '\(value)' is no day or time"
    }
    return comparesOrder && QuantityOrder.isUnknown(found, value)
      ? "'\(field)' is '\(found)', which is not comparable with '\(value)'" : nil
  }

  /// Whether a text may be a time in a form that hw does not read. For `=` and `!=`, only a text with a day or with the
  /// year of the value could be the same time.
  private func mayBeTime(_ found: String, hasDay: Bool) -> Bool {
    if day == nil, Timestamp(exactly: found, isLocal: localTime != nil) != nil { return false }
    if comparesOrder { return found.contains(where: \.isNumber) }
    return hasDay || found.contains((day ?? value).prefix(4))
  }

  private func compare<Value: Comparable>(_ found: Value, with range: ClosedRange<Value>) -> Bool {
    switch operation {
    case .equal, .notEqual: range.contains(found)
    case .less: found < range.lowerBound
    case .atMost: found <= range.upperBound
    case .greater: found > range.upperBound
    case .atLeast: found >= range.lowerBound
    case .contains: false
    }
  }

  private func compare<Value: Comparable>(_ found: Value, _ value: Value) -> Bool {
    // Sound: equal bounds are in order.
    compare(found, with: unsafe ClosedRange(uncheckedBounds: (value, value)))
  }

  func refused(_ problem: String, hint: String? = nil) -> Failure {
    Failure(.usage, "'--where \(text)': \(problem)", hint: hint)
  }

  /// Refuses conditions that are never true, such as the comparison of a number with a text.
  func check(against column: Column) throws(Failure) {
    if operation == .contains, !column.isFlattened, let reason = column.type.reasonAgainstParts {
      throw refused(
        "'*=' finds a part of a text, and '\(field)' is \(reason)", hint: "operators: =, !=, <, <=, >, >=")
    }
    guard !value.isEmpty || comparesOrder, operation != .contains, !(isEquality && value == "null") else {
      return
    }
    if let scale = column.scale, range == nil {
      throw refused("'\(value)' is no value of '\(field)'", hint: "write \(scale.example)")
    }
    switch column.type {
    case .integer, .number:
      guard number == nil else { return }
      throw refused(
        notNumber,
        hint: column.units.first.map {
          "write it in \($0.name) with at most \(String($0.factor).count - 1) decimals, as in '1.5\($0.name)'"
        })
    case .time:
      // Years and days would be read as seconds of 1970.
      guard isYearOrDay || number == nil && range == nil else { return }
      throw refused("'\(field)' is a time, and '\(value)' is not", hint: "write \(Scale.instant.example)")
    case .flag:
      guard !(["true", "false"] + column.values).contains(value.lowercased()) else { return }
      throw refused("'\(field)' is true or false")
    case .choice(let names): try check(among: names)
    case .day:
      guard !CalendarDay.isBeginning(value) else { return }
      throw refused(
        "'\(field)' is a day, and '\(value)' is not",
        hint: "write YYYY-MM-DD, YYYY-MM, YYYY, today, yesterday or 7d")
    case .text:
      if comparesOrder, let hint = column.hintForOrder {
        throw refused("the values of '\(field)' have no order", hint: hint)
      }
      try check(among: column.values)
    case .list(.text) where comparesOrder:
      throw refused("'\(field)' is a list of texts, which have no order", hint: "operators: =, !=, *=")
    case .list(.list), .byName, .object:
      if !column.isFlattened { throw refused("the values of '\(field)' cannot be compared") }
    case .list, .record, .any: return
    }
  }

  /// Refuses a value that is none of the names; an empty list accepts any text.
  private func check(among names: [String]) throws(Failure) {
    guard isEquality, !names.isEmpty, !names.contains(where: { TextMatch.areEqual($0, value) }),
      !value.trimmed.isEmpty
    else { return }
    throw refused(
      "'\(field)' is never '\(value)'",
      hint: Suggestion.phrase(for: value, among: names) ?? "values: \(names.joined(separator: ", "))")
  }
}

extension CellType {
  /// Type of a value that is no text, for the error about a search in it.
  fileprivate var reasonAgainstParts: String? {
    switch self {
    case .integer, .number: "a number"
    case .time: "a time"
    case .flag: "true or false"
    case .list(.list), .byName, .object: "no text"
    case .text, .choice, .day, .list, .record, .any: nil
    }
  }
}
