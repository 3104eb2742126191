import HTTP
import System

/// Parser of the text of an option or an operand, with its description for help, errors and completion.
public struct ValueKind<Value: Sendable>: Sendable {
  private(set) var description: @Sendable () -> ValueDescription
  /// Reads a value; nil rejects the text.
  let read: @Sendable (String) -> Value?
  /// Inverse of `read`, for defaults in help.
  let show: @Sendable (Value) -> String

  /// The description is made on first use: most runs never need it.
  public init(
    _ valueName: @autoclosure @escaping @Sendable () -> String,
    expects: @autoclosure @escaping @Sendable () -> String,
    choices: @autoclosure @escaping @Sendable () -> [Choice] = [],
    completion: Completion = .none, isSecret: Bool = false, hint: String? = nil,
    problem: (@Sendable (String) -> String?)? = nil,
    show: @escaping @Sendable (Value) -> String = { "\($0)" },
    read: @escaping @Sendable (String) -> Value?
  ) {
    description = {
      ValueDescription(
        valueName: valueName(), expects: expects(), choices: choices(), completion: completion,
        isInput: false, isSecret: isSecret, hint: hint, problem: problem)
    }
    self.read = read
    self.show = show
  }

  public func completed(with source: WordSource) -> ValueKind { changed { $0.completion = .words(source) } }

  /// Returns the kind with a check of the text and the setting's name for the configuration file.
  public func checkedInFile(
    _ check: @escaping @Sendable (String, String) throws(Failure) -> Void
  ) -> ValueKind {
    changed { $0.checkInFile = check }
  }

  public var orInput: ValueKind { changed { $0.isInput = true } }

  private func changed(_ change: @escaping @Sendable (inout ValueDescription) -> Void) -> ValueKind {
    var kind = self
    let inner = description
    kind.description = {
      var description = inner()
      change(&description)
      return description
    }
    return kind
  }
}

public struct ValueDescription: Sendable {
  /// Name in a synopsis: `N`, `FILE`, `auto|always|never`.
  public let valueName: String
  /// Expected value, for errors: `a whole number from 1 to 100`.
  public let expects: String
  public let choices: [Choice]
  public fileprivate(set) var completion: Completion
  /// Whether `-` is standard input.
  public fileprivate(set) var isInput: Bool
  /// No message repeats the text, since a mistyped secret is almost the secret.
  public let isSecret: Bool
  public let hint: String?
  /// Why a text is rejected, if that is more precise than `expects`.
  let problem: (@Sendable (String) -> String?)?
  fileprivate(set) var checkInFile: (@Sendable (String, String) throws(Failure) -> Void)? = nil
}

public struct Choice: Equatable, Sendable {
  public let name: String
  public let meaning: String

  public init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

/// Completion of a value, besides its choices.
public enum Completion: Sendable {
  case none, files, folders
  case fields
  /// Suites and tools, then the commands of the chosen suite.
  case commands
  /// Everything that `hw help` describes: suites, commands and topics.
  case subjects
  /// Words that the completion script requests from `hw`.
  case words(WordSource)
  /// Words of a source, or the name of a file.
  case wordsOrFiles(WordSource)

  public var source: WordSource? {
    switch self {
    case .words(let source), .wordsOrFiles(let source): source
    case .none, .files, .folders, .fields, .commands, .subjects: nil
    }
  }
}

public protocol ChoiceValue: CaseIterable, RawRepresentable, Sendable where RawValue == String {
  var meaning: String { get }
}

extension ValueKind where Value: ChoiceValue {
  private static var names: [String] { Value.allCases.map(\.rawValue) }

  public static var choice: ValueKind {
    ValueKind(
      names.joined(separator: "|"), expects: "one of \(names.joined(separator: ", "))",
      choices: Value.allCases.map { Choice($0.rawValue, $0.meaning) }, show: { $0.rawValue }
    ) { Value(rawValue: $0) }
  }
}

extension ValueKind where Value == Int {
  public static func count(_ range: ClosedRange<Int>, _ valueName: String = "N") -> ValueKind {
    whole(range, valueName, "a whole number", units: ["": 1])
  }

  /// Whole number of seconds, also in minutes or hours: `90`, `90s`, `2m`, `1h`.
  public static func seconds(_ range: ClosedRange<Int>) -> ValueKind {
    whole(range, "SECONDS", "a whole number of seconds", units: ["": 1, "s": 1, "m": 60, "h": 3600])
  }

  private static func whole(
    _ range: ClosedRange<Int>, _ valueName: String, _ noun: String, units: [String: Int]
  ) -> ValueKind {
    let limits =
      range.upperBound == .max
      ? ", \(range.lowerBound) or more" : " from \(range.lowerBound) to \(range.upperBound)"
    return ValueKind(valueName, expects: noun + limits) { text in
      // Digits only: scripts do not write a count as `+5`, ` 5` or `0x5`.
      let digits = text.prefix { ("0"..."9").contains($0) }
      guard let factor = units[String(text.dropFirst(digits.count))], let number = Int(digits),
        number <= range.upperBound / factor, number * factor >= range.lowerBound
      else { return nil }
      return number * factor
    }
  }
}

extension ValueKind where Value == String {
  public static func text(_ valueName: String, _ completion: Completion = .none) -> ValueKind {
    ValueKind(valueName, expects: "a text that is not empty", completion: completion) {
      $0.isEmpty ? nil : $0
    }
  }

  static func fieldText(_ valueName: String) -> ValueKind {
    ValueKind(
      valueName, expects: "a text that is not empty",
      problem: { text in
        text.utf8.allSatisfy(\.isFieldText) ? nil : "it contains a line break or another control character"
      }
    ) { $0.isEmpty || !$0.utf8.allSatisfy(\.isFieldText) ? nil : $0 }
  }

  public static var file: ValueKind { text("FILE", .files) }
  /// Name of a file that is read; `-` is standard input.
  public static var inputFile: ValueKind { file.orInput }
  public static var folder: ValueKind { text("DIR", .folders) }
}

extension ValueKind where Value == Duration {
  /// Time in seconds, with decimals to the millisecond, or in another unit: `500ms`, `5s`, `2m`, `1h`.
  public static var seconds: ValueKind { seconds(from: .milliseconds(1)) }

  static func seconds(from shortest: Duration, hint: String? = nil) -> ValueKind {
    let show: @Sendable (Duration) -> String = { duration in
      let (seconds, rest) = duration.components
      return rest == 0 ? "\(seconds)" : "\(Double(seconds) + Double(rest) / 1e18)"
    }
    return ValueKind(
      "SECONDS", expects: "a number of seconds from \(show(shortest)) to 86400", hint: hint, show: show
    ) { text in
      let digits = text.prefix { $0 == "." || ("0"..."9").contains($0) }
      let unit = text[digits.endIndex...]
      guard let factor = ["": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3600][unit], let number = Double(digits),
        case let seconds = number * factor, seconds <= 86_400,
        case let duration = Duration.milliseconds(Int64((seconds * 1000).rounded())), duration >= shortest
      else { return nil }
      return duration
    }
  }
}

extension ValueKind where Value == DayValue {
  /// Day: `2022-03-08`, `today`, `yesterday`, or `7d` for seven days ago. Every option for a day has this kind.
  public static var day: ValueKind {
    ValueKind(
      "DAY", expects: "a day such as 2022-03-08, today, yesterday or 7d (seven days ago)",
      problem: DayValue.problem
    ) { DayValue($0) }
  }
}
