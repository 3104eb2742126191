import HTTP
import Output
import System
import Terminal

/// Environment of a running command: `output` for results, `messages` for reports, `host` for everything else.
public struct Context {
  public let program: Program
  /// Command line, for decisions outside the command: addresses, limits, colors.
  let call: Invocation
  public let host: Host
  public let output: Output
  public let messages: Messages
  public let failures: ReportedFailures
  public let deferredWork = DeferredWork()

  init(program: Program, call: Invocation, host: Host, output: Output) {
    self.program = program
    self.call = call
    self.host = host
    self.output = output
    let verbosity = call[StandardOptions.quiet] ? -1 : call[StandardOptions.verbose]
    messages = Messages(host.errors, verbosity: verbosity)
    failures = ReportedFailures(host.errors, asJSON: output.settings.format?.isJSON ?? false)
  }

  public var environment: Environment { host.environment }
  public var time: any TimeKeeper { host.time }

  public var input: any ByteSource { host.input.bytes }
  public var today: CalendarDay { time.local(time.now()).day }

  public var isExplaining: Bool { call[StandardOptions.explain] }
  /// Whether nothing is sent, so no secret is needed or read.
  public var isReplaying: Bool { call[StandardOptions.replay] != nil }

  /// Whether the command, after its success, has made a change. A preview, a replay and deferred work make none.
  var hasChanged: Bool {
    !isExplaining && !isReplaying && !deferredWork.isPending && !call.isGiven(Confirmation.dryRun)
      && (!call.command.needs.isDisjoint(with: [.writes, .loss]) || call.command.output.hintIfLost != nil)
  }

  /// Bytes of a file, or of standard input if the name is `-` or nil.
  public func open(_ file: String?) throws(Failure) -> any ByteSource {
    guard let file, file != "-" else { return input }
    return try FileSource(file)
  }

  /// First line of a file with a secret; `-` is standard input. `name` is for messages.
  public func secret(in file: String, called name: String) throws(Failure) -> String {
    var lines = LineReader(try open(file), name: file)
    while let line = try lines.nextText() {
      guard !line.isEmpty else { continue }
      while let rest = try lines.nextText() {
        guard rest.isEmpty else { throw Failure(.usage, "'\(file)' contains more than one line") }
      }
      return line
    }
    throw Failure(.usage, "'\(file)' contains no \(name)")
  }
}

// MARK: Other threads

extension Context {
  /// Makes contexts for other threads, whose output is discarded.
  public var makeForOtherThreads: @Sendable () -> Context {
    let (program, call, host, settings) = (program, call, host, output.settings)
    return {
      Context(program: program, call: call, host: host, output: Output(settings, Outlet(MemorySink())))
    }
  }

  /// Waits for the next outcome of another thread. A signal or the deadline ends the wait.
  public func outcome<Request, Outcome>(
    of work: BackgroundWork<Request, Outcome>, for subject: String, until deadline: Deadline? = nil
  ) throws(Failure) -> Outcome {
    while true {
      if let outcome = work.next() { return outcome }
      let left = deadline?.left(time)
      if let deadline, left == .zero { throw deadline.failure }
      _ = try waiting(for: subject) { () throws(SystemError) in
        try Waiting.forInput([work.descriptor], atMost: left)
      }
    }
  }
}

/// Converts a system error of a wait into a failure. A signal ends the command.
public func waiting<Value>(
  for subject: String, _ body: () throws(SystemError) -> Value
) throws(Failure) -> Value {
  do throws(SystemError) {
    return try body()
  } catch {
    throw error.failure(orElse: Failure(.storage, "cannot wait for \(subject): \(error.text)"))
  }
}

// MARK: Screens and progress

extension Context {
  /// Fails (`usage`) if the screen for the option cannot be shown.
  public func requireScreen(for option: any Declared, hint: String) throws(Failure) {
    guard let problem = host.screenProblem else { return }
    throw Failure(.usage, "'\(call.spelling(of: option))' \(problem)", hint: hint)
  }

  public func show<Screen: InteractiveScreen>(_ screen: inout Screen) throws(Failure)
  where Screen.Request == Never {
    try show(&screen) { (_: Never) -> Screen.Outcome in }
  }

  /// Shows a screen until the user quits it; `work` performs its requests on a background thread, one at a time.
  public func show<Screen: InteractiveScreen>(
    _ screen: inout Screen,
    performing work: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Outcome
  ) throws(Failure) {
    try host.show(&screen, color: output.settings.screen?.color ?? false, performing: work)
  }

  /// Whether progress can be shown while rows are written: only standard error is a terminal, and without `--quiet`.
  public var showsProgress: Bool {
    host.errors.isTerminal && !host.output.isTerminal && messages.verbosity >= 0
  }

  /// Shows progress, for a command that writes no output meanwhile.
  public func showProgress(_ text: () -> String) {
    if messages.verbosity >= 0 { host.errors.showProgress(at: time.uptime(), text) }
  }

  public func clearProgress() { host.errors.clearProgress() }
}

public struct Messages: Sendable {
  private let errors: ErrorStream
  /// Number of `-v`; below 0 with `--quiet`, which omits all messages.
  public let verbosity: Int

  init(_ errors: ErrorStream, verbosity: Int) {
    self.errors = errors
    self.verbosity = verbosity
  }

  public func report(_ line: String, verbosity needed: Int = 0) {
    if verbosity >= needed { errors.report(line) }
  }
}

extension Failure {
  /// Failure of invalid JSON in standard input or a file, which is an error of usage and not of a service.
  public var asInput: Failure {
    guard kind == .invalidData else { return self }
    var failure = self
    failure.kind = .usage
    return failure
  }
}

/// Work that runs after the output was written, and not if it is lost: the next run then reports the same.
public final class DeferredWork {
  private var work: [() throws(Failure) -> Void] = []

  var isPending: Bool { !work.isEmpty }

  public func add(_ work: @escaping () throws(Failure) -> Void) { self.work.append(work) }

  func run() throws(Failure) {
    for step in work { try step() }
    work = []
  }
}

/// Confirmation before data is deleted. Without a terminal, a command may delete only what its command line names.
public enum Confirmation {
  public static let yes = Option("yes", short: "y", "Skip the confirmation")
  public static let dryRun = Option("dry-run", "Print what would be done, but do nothing")
}

/// Row of a deleted object: its fields, and as text a sentence with its name.
public struct Deleted<Item: Row>: Row {
  let item: Item
  let name: String
  let isDryRun: Bool

  public init(_ item: Item, _ name: String, isDryRun: Bool) {
    (self.item, self.name, self.isDryRun) = (item, name, isDryRun)
  }

  public static var fields: Fields<Deleted> { Item.fields.map { $0.of { $0.item } } }

  public static var text: (@Sendable (Deleted, Screen?) -> String)? {
    { row, _ in "\(row.name.terminalSafe) \(row.isDryRun ? "would be" : "is") deleted" }
  }
}

extension Context {
  /// Returns if `--yes` was given or the user confirms. Without a terminal, `--yes` is required.
  public func confirm(_ question: String) throws(Failure) {
    guard !call[Confirmation.yes] else { return }
    guard host.isInteractive else {
      throw Failure(
        .usage, "'\(call.commandName)' requires '--yes' without a terminal",
        hint: "add '--yes', or '--dry-run' to print what would be done")
    }
    try ask(question)
  }

  /// Asks before the deletion of named objects. Without a terminal, naming them is sufficient.
  public func confirmIfInteractive(_ question: String) throws(Failure) {
    if host.isInteractive, !call[Confirmation.yes] { try ask(question) }
  }

  private func ask(_ question: String) throws(Failure) {
    guard try host.prompt().confirm(question) else { throw Failure(.no, "nothing was changed") }
  }
}
