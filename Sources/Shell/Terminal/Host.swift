import System

/// Edge of the process: everything outside it that a command uses. `main` passes the real things; a test passes
/// doubles, and runs the whole program in its own process. Every thread may use the host.
public struct Host: Sendable {
  public let environment: Environment
  public var time: any TimeKeeper
  public let input: InputStream
  public var output: OutputStream
  public let errors: ErrorStream

  public struct InputStream: Sendable {
    public let bytes: any ByteSource & Sendable
    public let isTerminal: Bool

    public init(_ bytes: any ByteSource & Sendable, isTerminal: Bool = false) {
      self.bytes = bytes
      self.isTerminal = isTerminal
    }
  }

  public struct OutputStream: Sendable {
    public let bytes: any ByteSink & Sendable
    public let isTerminal: Bool
    /// Columns and rows; nil if the output is no terminal, or one that does not report them.
    public let size: @Sendable () -> WindowSize?

    public init(
      _ bytes: any ByteSink & Sendable, isTerminal: Bool = false,
      size: @escaping @Sendable () -> WindowSize? = { nil }
    ) {
      self.bytes = bytes
      self.isTerminal = isTerminal
      self.size = size
    }
  }

  public init(
    environment: Environment, time: any TimeKeeper, input: InputStream, output: OutputStream,
    errors: ErrorStream
  ) {
    self.environment = environment
    self.time = time
    self.input = input
    self.output = output
    self.errors = errors
  }

  public static func process() -> Host {
    func sink(_ descriptor: FileDescriptor, _ name: String, isTerminal: Bool) -> any ByteSink & Sendable {
      let sink = DescriptorSink(descriptor, name: name, isInterruptible: descriptor == .standardOutput)
      return isTerminal ? ColorSink(sink, ColorDepth(.process)) : sink
    }
    let isInputTerminal = FileDescriptor.standardInput.isTerminal
    let isOutputTerminal = FileDescriptor.standardOutput.isTerminal
    let isErrorTerminal = FileDescriptor.standardError.isTerminal
    return Host(
      environment: .process, time: SystemTime(),
      input: InputStream(
        DescriptorSource(.standardInput, name: "standard input"), isTerminal: isInputTerminal),
      output: OutputStream(
        sink(.standardOutput, "standard output", isTerminal: isOutputTerminal), isTerminal: isOutputTerminal,
        size: { WindowSize.of(.standardOutput) }),
      errors: ErrorStream(
        sink(.standardError, "standard error", isTerminal: isErrorTerminal), isTerminal: isErrorTerminal,
        columns: { WindowSize.of(.standardError)?.columns }))
  }
}

// MARK: The person

extension Host {
  /// Whether a person can be asked: at the keyboard, with the question in sight.
  public var isInteractive: Bool {
    input.isTerminal && errors.isTerminal && environment.unattendedReason == nil
  }

  public var hasScreen: Bool { screenProblem == nil }

  /// Why a full screen cannot be shown, as a part of a message; nil if it can.
  public var screenProblem: String? {
    guard input.isTerminal && output.isTerminal else { return "requires a terminal" }
    let unset = environment["TERM"] == nil ? "TERM is not set" : nil
    guard let reason = environment.unattendedReason ?? unset else { return nil }
    return "requires a terminal with a screen, and \(reason)"
  }

  /// Whether standard input is a pipe or a file, from which a filter may read without an operand.
  public var hasPipedInput: Bool { !input.isTerminal }

  public func prompt() throws(Failure) -> Prompt { Prompt(try TerminalDevice.controlling(), errors: errors) }

  /// Shows a screen until the user quits it. `work` performs its requests on a background thread, one at a time.
  /// Messages that would overwrite the screen are discarded.
  public func show<Screen: InteractiveScreen>(
    _ screen: inout Screen, color: Bool,
    performing work: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Outcome
  ) throws(Failure) {
    let terminal = try TerminalDevice.controlling()
    errors.mute()
    defer { errors.unmute() }
    try FullScreen.run(
      &screen, on: terminal, time: time, color: color, depth: ColorDepth(environment), performing: work)
  }
}

// MARK: Paging

extension Host {
  /// Runs `body` with a sink for the pager, and waits until the pager ends. The pager starts with the first byte: a
  /// command that fails before starts none. If the user quits the pager early, the result is nil, and no failure.
  public func paged<Result>(_ body: (any ByteSink) throws(Failure) -> Result) throws(Failure) -> Result? {
    let sink = PagedOutput(self)
    defer { sink.finish() }
    do throws(Failure) {
      return try body(sink)
    } catch {
      if error.kind == .closedPipe, sink.hasPager { return nil }
      throw error
    }
  }
}
