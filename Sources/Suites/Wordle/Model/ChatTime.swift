import System

/// A date or time in a chat, in any language: numbers, separators and a few words.
struct ChatTime: Equatable, Sendable {
  /// Numbers of the date as written; empty for `Today at 08:14`.
  private(set) var date: [Int] = []
  /// The month, if the date has it as a word.
  private var month: Int?
  private var isYearFirst = false
  /// Dates such as `12.03.22` begin with the day in all languages.
  private var isDotted = false
  /// Whether the text ends with `AM` or `PM`.
  private(set) var hasMeridiem = false

  /// Whether the numbers are only a time with an hour of one digit, without AM or PM: `2:45` may be a duration.
  private(set) var mayBeDuration = false

  private var hasYear = false

  /// Whether the time has a date. With a year, the month may be a word of any language.
  var hasDate: Bool { date.count + (month != nil || hasYear ? 1 : 0) >= 3 }

  /// Parses `12.03.22, 08.14`, `klo 8.14`, `上午8:14`, `heute um 08:14 Uhr`: a time of day and few other words.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 64, text.utf8.contains(where: { $0.isASCIIDigit || $0 > 0x7F }),
      let tokens = ChatTime.tokens(text), let clock = ChatTime.clock(tokens)
    else { return nil }
    // Only a date, or short words such as `PM`, `p. m.` or `Uhr` can follow the time.
    let behind = tokens[clock.upperBound...].filter { $0.number == nil }
    let most = behind.allSatisfy { $0.text.utf8.count == $0.text.count } ? 3 : 4  // `अपराह्न`
    guard behind.reduce(0, { $0 + $1.text.count }) <= most || clock.upperBound + behind.count < tokens.count
    else { return nil }
    let rest = tokens[..<clock.lowerBound] + tokens[clock.upperBound...]
    guard rest.count(where: { $0.number == nil }) <= 6 else { return nil }
    let numbers = rest.filter { $0.number != nil }
    guard numbers.count <= 3 else { return nil }
    date = numbers.compactMap(\.number)
    isYearFirst = numbers.first?.text.count == 4
    hasYear = numbers.contains { $0.text.count == 4 }
    isDotted = numbers.count == 3 && numbers.dropFirst().allSatisfy { $0.separator.first == "." }
    mayBeDuration = numbers.isEmpty && behind.isEmpty && tokens[clock.lowerBound].text.count == 1
    hasMeridiem = ["am", "pm"].contains(behind.last?.text.lowercased() ?? "")
    if numbers.count == 2 {
      month = rest.lazy.compactMap { ChatTime.months.firstIndex(of: $0.text.prefix(3).lowercased()) }.first
        .map { $0 + 1 }
    }
  }

  /// A date without a time of day, whose year has four digits: `12/03/2022`.
  init?(day text: Substring) {
    guard text.utf8.count <= 32, let tokens = ChatTime.tokens(text), tokens.count == 3,
      tokens.allSatisfy({ $0.number != nil }), tokens[0].text.count == 4 || tokens[2].text.count == 4
    else { return nil }
    (date, isYearFirst) = (tokens.compactMap(\.number), tokens[0].text.count == 4)
    isDotted = tokens.dropFirst().allSatisfy { $0.separator.first == "." }
  }

  /// A time that is written twice, with nothing in between: the second one is for screen readers, and may alone be dated.
  init?(doubled text: Substring) {
    let text = ChatText.trimmed(text)
    guard text.utf8.count <= 128,
      let time = text.indices.lazy.compactMap({ index in
        ChatTime(text[index...]).flatMap { long in ChatTime(text[..<index]).map { $0.hasDate ? $0 : long } }
      }).first
    else { return nil }
    self = time
  }

  /// Whether the line is a date with a year, which programs insert between the messages of two days.
  static func isDivider(_ line: Substring) -> Bool {
    guard (8...40).contains(line.utf8.count), let tokens = tokens(line) else { return false }
    if tokens.count == 7, [1, 3, 5].map({ tokens[$0].text }) == ["년", "월", "일"] { return true }
    guard tokens.count <= 5 else { return false }
    return tokens.contains { $0.text.count == 4 && $0.number.map { (2021...2100).contains($0) } ?? false }
      && tokens.count { $0.number == nil } <= 3
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private struct Token {
    var text: String
    var number: Int?
    var separator = ""
  }

  private static let separators: Set<Unicode.Scalar> = [" ", "/", ".", "-", ":", ",", "،", "'", "’"]

  /// Returns nil if the text has characters other than numbers, words and separators.
  private static func tokens(_ text: some StringProtocol) -> [Token]? {
    var tokens: [Token] = []
    var separator = ""
    for scalar in text.unicodeScalars {
      if let digit = ChatText.digit(scalar) {
        if separator.isEmpty, let last = tokens.last, let number = last.number {
          guard last.text.count < 4 else { return nil }
          tokens[tokens.count - 1].number = number * 10 + digit
          tokens[tokens.count - 1].text.unicodeScalars.append(scalar)
        } else {
          tokens.append(Token(text: String(scalar), number: digit, separator: separator))
        }
      } else if ChatText.isLetter(scalar)
        || !scalar.isASCII && scalar.properties.generalCategory == .nonspacingMark
      {
        if separator.isEmpty, let last = tokens.last, last.number == nil {
          tokens[tokens.count - 1].text.unicodeScalars.append(scalar)
        } else {
          tokens.append(Token(text: String(scalar), separator: separator))
        }
      } else if separators.contains(scalar) || scalar.properties.isWhitespace {
        separator.unicodeScalars.append(scalar)
        continue
      } else if ChatText.isInvisible(scalar) {
        continue
      } else {
        return nil
      }
      separator = ""
    }
    return tokens
  }

  /// The time of day: `8:14` or `08.14.59` at the end, or `08:14` at the beginning.
  private static func clock(_ tokens: [Token]) -> Range<Int>? {
    func isPart(_ index: Int, after separators: [String]) -> Bool {
      tokens.indices.contains(index) && tokens[index].number.map { $0 < 60 } ?? false
        && tokens[index].text.count == 2 && separators.contains(tokens[index].separator)
    }
    func isHour(_ index: Int) -> Bool {
      tokens[index].number.map { $0 < 25 } ?? false && tokens[index].text.count <= 2
    }
    func clock(at index: Int) -> Range<Int>? {
      guard isHour(index) else { return nil }
      if index + 2 < tokens.count, tokens[index + 1].text == "h", isPart(index + 2, after: ["", " "]) {
        return index..<index + 3
      }
      guard isPart(index + 1, after: [":", "."]) else { return nil }
      let hasSeconds = isPart(index + 2, after: [tokens[index + 1].separator])
      return index..<index + (hasSeconds ? 3 : 2)
    }
    let numbers = tokens.indices.filter { tokens[$0].number != nil }
    // Dates can have the separators of a time. The time is the first candidate that ends with the last number.
    for index in numbers {
      guard let clock = clock(at: index), clock.upperBound == (numbers.last ?? 0) + 1 else { continue }
      // `12.03.22` is a date.
      if index == 0 { return clock.count == 3 && tokens[1].separator == "." ? nil : clock }
      if !joinsDate(tokens[index].separator) || tokens[index - 1].number == nil { return clock }
    }
    guard let first = numbers.first, let clock = clock(at: first), tokens[first + 1].separator == ":" else {
      return nil
    }
    return clock
  }

  /// Whether a separator joins the numbers of a date: the number after it is not the hour.
  private static func joinsDate(_ separator: String) -> Bool { [".", ":", "/", "-"].contains(separator) }

  // MARK: Days

  enum Order: Sendable { case dayFirst, monthFirst }

  /// The order that the dates prove: numbers above 12 are days. Nil if they prove none, or both.
  static func order(of times: some Sequence<ChatTime>) -> Order? {
    var found: Order?
    for time in times where time.date.count == 3 && !time.isYearFirst {
      let order: Order? = time.date[0] > 12 ? .dayFirst : time.date[1] > 12 ? .monthFirst : nil
      guard let order else { continue }
      if let found, found != order { return nil }
      found = order
    }
    return found
  }

  /// The day; nil without a date, or if day and month are ambiguous.
  func day(_ order: Order?) -> CalendarDay? {
    func year(_ number: Int) -> Int { number < 100 ? 2000 + number : number }
    if let month, date.count == 2 {
      return isYearFirst
        ? CalendarDay(year: date[0], month: month, day: date[1])
        : CalendarDay(year: year(date[1]), month: month, day: date[0])
    }
    guard date.count == 3 else { return nil }
    if isYearFirst { return CalendarDay(year: date[0], month: date[1], day: date[2]) }
    let isSame = date[0] == date[1]
    switch isDotted || isSame ? .dayFirst : order {
    case .dayFirst: return CalendarDay(year: year(date[2]), month: date[1], day: date[0])
    case .monthFirst: return CalendarDay(year: year(date[2]), month: date[0], day: date[1])
    case nil: return nil
    }
  }
}
