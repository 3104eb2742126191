import Output
import System

/// A command: what it is called, what may be said to it, what it prints, what it looks like in use, and what it does.
/// Parser, help, manual, completions, schema and the README's list are all made from this one value.
public final class Command: Sendable {
  public typealias Run = @Sendable (Invocation, Context) throws(Failure) -> ExitStatus

  public let name: String
  public let summary: String
  /// Paragraphs, separated by empty lines.
  public let discussion: String
  public let needs: Needs
  public let run: Run

  // Made when they are asked for: finding a command by its name must not pay for what the others say of themselves.
  private let declaredUsage: @Sendable () -> [String]
  private let declaredOperands: @Sendable () -> [any DeclaredOperand]
  private let declaredOptions: @Sendable () -> [any Declared]
  private let declaredOutput: @Sendable () -> Answer
  private let declaredExamples: @Sendable () -> [Example]
  private let declaredFailures: @Sendable () -> [Failure.Kind]

  /// Lines of usage after the name, where the operands alone do not say it: `[GUESS WORD]`.
  public var usage: [String] { declaredUsage() }
  public var operands: [any DeclaredOperand] { declaredOperands() }
  public var options: [any Declared] { declaredOptions() }
  public var output: Answer { declaredOutput() }
  public var examples: [Example] { declaredExamples() }
  /// The kinds of failure it can end with, beside those that every command can.
  public var failures: [Failure.Kind] { declaredFailures() }

  public convenience init(
    _ name: String, _ summary: String, discussion: String = "",
    usage: @autoclosure @escaping @Sendable () -> [String] = [],
    operands: @autoclosure @escaping @Sendable () -> [any DeclaredOperand] = [],
    options: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    output: @autoclosure @escaping @Sendable () -> Answer, needs: Needs = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    failures: @autoclosure @escaping @Sendable () -> [Failure.Kind] = [],
    run: @escaping @Sendable (Invocation, Context) throws(Failure) -> Void
  ) {
    self.init(
      withStatus: name, summary, discussion: discussion, usage: usage(), operands: operands(),
      options: options(), output: output(), needs: needs, examples: examples(), failures: failures()
    ) { call, context throws(Failure) -> ExitStatus in
      try run(call, context)
      return .success
    }
  }

  /// A command that decides its exit status itself: `diff`, `check`, and those that run another program.
  public init(
    withStatus name: String, _ summary: String, discussion: String = "",
    usage: @autoclosure @escaping @Sendable () -> [String] = [],
    operands: @autoclosure @escaping @Sendable () -> [any DeclaredOperand] = [],
    options: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    output: @autoclosure @escaping @Sendable () -> Answer, needs: Needs = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    failures: @autoclosure @escaping @Sendable () -> [Failure.Kind] = [],
    run: @escaping Run
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    declaredUsage = usage
    declaredOperands = operands
    declaredOptions = options
    declaredOutput = output
    self.needs = needs
    declaredExamples = examples
    declaredFailures = failures
    self.run = run
  }
}

extension Command {
  /// Every option it takes, its own first.
  var allOptions: [OptionDeclaration] { options.map(\.declaration) + standardOptions(StandardOptions.all) }

  /// The standard options as this command has them: without those that one of its own is meant to hide, such as the colour
  /// of a bike, and without a letter that one of its own has instead, such as the `-o` of a command that writes a file.
  func standardOptions(_ standard: [any Declared]) -> [OptionDeclaration] {
    let taken = options.compactMap(\.declaration.letterOf)
    let hidden = options.map(\.declaration).filter(\.hidesStandard).map(\.name)
    return standard.map(\.declaration).filter { !hidden.contains($0.name) }.map { option in
      taken.contains(option.name) ? option.withoutLetter : option
    }
  }
}

/// The status a process ends with.
public struct ExitStatus: Equatable, Sendable {
  public let code: Int32

  public init(_ code: Int32) {
    self.code = code
  }

  public static let success = ExitStatus(0)
  /// The answer is no.
  public static let no = ExitStatus(Failure.Kind.no.exitCode)
}

/// What a command prints.
public enum Answer: Sendable {
  /// Rows of these columns; `text` says what the command's own text looks like, for those that have one.
  case rows([Column], text: String?)
  /// One row of these columns.
  case one([Column], text: String?)
  /// One row for what the operands name, or rows for what is read: a filter.
  case oneOrRows([Column], text: String?)
  /// Rows whose columns are the input's.
  case anyRows
  /// Text for people, or nothing.
  case plain(String)

  public static func rows<R: Row>(_ row: R.Type, text: String? = nil) -> Answer {
    .rows(R.fields.map(\.column), text: text)
  }

  public static func one<R: Row>(_ row: R.Type, text: String? = nil) -> Answer {
    .one(R.fields.map(\.column), text: text)
  }

  public static func oneOrRows<R: Row>(_ row: R.Type, text: String? = nil) -> Answer {
    .oneOrRows(R.fields.map(\.column), text: text)
  }

  /// How JSON holds it; nil for plain text.
  public var shape: Schema.Shape? {
    switch self {
    case .rows: .rows
    case .one: .one
    case .oneOrRows: .oneOrRows
    case .anyRows: .anything
    case .plain: nil
    }
  }

  public var columns: [Column] {
    switch self {
    case .rows(let columns, _), .one(let columns, _), .oneOrRows(let columns, _): columns
    case .anyRows, .plain: []
    }
  }
}

/// What must be there before a command can run, as data: the runner sees to it, help and manual tell of it.
public struct Needs: OptionSet, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// It asks a service.
  public static let network = Needs(rawValue: 1 << 0)
  /// It reads standard input when it is given no operands; on a terminal it prints its usage instead of waiting.
  public static let input = Needs(rawValue: 1 << 1)
  /// It keeps something on this machine.
  public static let store = Needs(rawValue: 1 << 2)
  /// It shows or changes the configuration, and does not go by it: so it also mends one that is wrong.
  public static let configuration = Needs(rawValue: 1 << 3)
  /// It changes something at the service.
  public static let writes = Needs(rawValue: 1 << 4)
  /// Its answer may be long: on a terminal it goes through the pager.
  public static let pager = Needs(rawValue: 1 << 5)
  /// Its answer is a list that is had whole: whoever gets it may order and cut it, with --sort and --limit.
  public static let list = Needs(rawValue: 1 << 6)
  /// Its answer is a list that comes page by page, in the service's order, as far as it is read: --limit cuts it.
  public static let pages = Needs(rawValue: 1 << 7)
  /// Its rows answer what was asked item by item, or tell what happens or was done: all of them are wanted, in that
  /// order. Every answer of rows is one of these three, or made of its input.
  public static let report = Needs(rawValue: 1 << 9)
  /// Something is lost by it for good: it asks a person first, and has --yes and --dry-run.
  public static let loss = Needs(rawValue: 1 << 8)
}

/// A command line that works, as help shows it and the tests run it.
public struct Example: Sendable {
  public let command: String
  public let meaning: String
  public let exits: Int32

  public init(_ command: String, _ meaning: String, exits: Int32 = 0) {
    self.command = command
    self.meaning = meaning
    self.exits = exits
  }
}
