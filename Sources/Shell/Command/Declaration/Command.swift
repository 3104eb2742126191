import System

/// Declaration of a command: parser, help, manual, completions, schema and the README's list are derived from it.
public final class Command: Sendable {
  public typealias Run = @Sendable (Invocation, Context) throws(Failure) -> ExitStatus

  public let name: String
  public let summary: String
  public let discussion: String
  public let needs: Needs
  public let run: Run
  private let decidesStatus: Bool

  // Made on demand: finding a command must not pay for the declarations of the others.
  private let declaredUsage: @Sendable () -> [String]
  private let declaredOperands: @Sendable () -> [any DeclaredOperand]
  private let declaredOptions: @Sendable () -> [any Declared]
  private let declaredSimulation: @Sendable () -> [any Declared]
  private let declaredSettings: @Sendable () -> [any Declared]
  private let declaredExclusions: @Sendable () -> [Exclusion]
  private let declaredOutput: @Sendable () -> CommandOutput
  private let declaredExamples: @Sendable () -> [Example]
  private let declaredFailures: @Sendable () -> [Failure.Kind]

  /// Usage lines after the name, if the operands alone are insufficient: `[GUESS WORD]`.
  public var usage: [String] { declaredUsage() }
  public var operands: [any DeclaredOperand] { declaredOperands() }
  /// Declared options, then those of the printed list.
  public var options: [any Declared] {
    let list = output.list?.options ?? []
    // A command that decides its status has no `--exit-status`: its own status has another meaning.
    return declaredOptions() + simulation
      + list.filter { !decidesStatus || $0.name != ListOptions.exitStatus.declaration.name }
  }
  /// Options that simulate a service; help lists them in a section of their own.
  var simulation: [any Declared] { declaredSimulation() }
  /// Settings without an option, besides those of every command.
  public var settings: [any Declared] { declaredSettings() }
  var exclusions: [Exclusion] { declaredExclusions() }
  public var output: CommandOutput { declaredOutput() }
  public var examples: [Example] { declaredExamples() }
  /// Kinds of failure, besides those that follow from the needs and the output.
  public var failures: [Failure.Kind] { declaredFailures() }

  /// A `run` that returns an `ExitStatus` decides the exit status of the command, as those of `diff` and `check` do.
  /// After any other result the status is 0.
  public init<Result>(
    _ name: String, _ summary: String, discussion: String = "",
    usage: @autoclosure @escaping @Sendable () -> [String] = [],
    operands: @autoclosure @escaping @Sendable () -> [any DeclaredOperand] = [],
    options: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    simulation: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    settings: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    exclusions: @autoclosure @escaping @Sendable () -> [Exclusion] = [],
    output: @autoclosure @escaping @Sendable () -> CommandOutput, needs: Needs = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    failures: @autoclosure @escaping @Sendable () -> [Failure.Kind] = [],
    run: @escaping @Sendable (Invocation, Context) throws(Failure) -> Result
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    declaredUsage = usage
    declaredOperands = operands
    declaredOptions = options
    declaredSimulation = simulation
    declaredSettings = settings
    declaredExclusions = exclusions
    declaredOutput = output
    self.needs = needs
    declaredExamples = examples
    declaredFailures = failures
    self.run = { call, context throws(Failure) in try run(call, context) as? ExitStatus ?? .success }
    decidesStatus = Result.self == ExitStatus.self
  }

  /// Command with the standard options alone, for command lines without a command.
  static let withoutOwnOptions = Command("", "", output: .plain(""), examples: []) { _, _ in }

  var allOptions: [OptionDeclaration] { options.map(\.declaration) + StandardOptions.all }

  /// Whether the command runs with invalid settings: it uses no service, stores nothing and has no setting of its
  /// own, or it shows and corrects settings.
  var runsWithInvalidSettings: Bool {
    if needs.contains(.configuration) || needs.contains(.invalidSettings) { return true }
    return needs.isDisjoint(with: [.network, .store]) && settings.isEmpty
      && !options.contains { $0.declaration.isSetting }
  }

  var allSettings: [OptionDeclaration] { settings.map(\.declaration) + StandardSettings.all }
}

public struct ExitStatus: Equatable, Sendable {
  public let code: Int32

  public init(_ code: Int32) { self.code = code }

  public static let success = ExitStatus(0)
  public static let no = ExitStatus(Failure.Kind.no.exitCode)
}

/// Requirements and effects of a command, by which the runner checks it and the help describes it.
public struct Needs: OptionSet, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let network = Needs(rawValue: 1 << 0)
  /// Reads standard input without operands; on a terminal it prints its usage instead of waiting.
  public static let input = Needs(rawValue: 1 << 1)
  public static let store = Needs(rawValue: 1 << 2)
  /// Shows or changes the configuration, and ignores its settings, so it can repair an invalid file.
  public static let configuration = Needs(rawValue: 1 << 3)
  /// Changes data of the service.
  public static let writes = Needs(rawValue: 1 << 4)
  /// Deletes data irreversibly: asks a person first, and has --yes and --dry-run.
  public static let loss = Needs(rawValue: 1 << 5)
  /// Uses data of this machine that belongs to one address of the service, so it accepts `--url`.
  public static let address = Needs(rawValue: 1 << 6)
  /// Runs with invalid settings, reports them itself, and fails only where it uses one (`Context.forSuite`).
  public static let invalidSettings = Needs(rawValue: 1 << 7)
}

public struct Example: Sendable {
  public let command: String
  public let meaning: String
  public let exits: Int32
  /// Shell code that the tests run before the example: a rental to return, a running server.
  public let setup: String

  public init(_ command: String, _ meaning: String, exits: Int32 = 0, after setup: String = "") {
    self.command = command
    self.meaning = meaning
    self.exits = exits
    self.setup = setup
  }
}
