import System

/// The edge of the process: everything a command meets outside it. `main` makes it of the real things, a test of
/// doubles, so a test runs the whole program in its own process. It can be used from every thread.
public struct Host: Sendable {
  public let environment: Environment
  public var time: any TimeKeeper
  public let input: InputStream
  public var output: OutputStream
  public let errors: ErrorStream

  /// Standard input.
  public struct InputStream: Sendable {
    public let bytes: any ByteSource & Sendable
    public let isTerminal: Bool

    public init(_ bytes: any ByteSource & Sendable, isTerminal: Bool = false) {
      self.bytes = bytes
      self.isTerminal = isTerminal
    }
  }

  /// Standard output.
  public struct OutputStream: Sendable {
    public let bytes: any ByteSink & Sendable
    public let isTerminal: Bool
    /// Columns and rows, where it is a terminal that knows them.
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

  /// The process's own streams, clocks and environment.
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
  /// Whether a person is present who can be asked: at the keyboard, with the question in sight.
  public var isInteractive: Bool { input.isTerminal && errors.isTerminal && environment.absence == nil }

  /// Whether a full screen can be shown and used.
  public var hasScreen: Bool { screenProblem == nil }

  /// Why a full screen cannot be shown, as a part of a message; nil if it can.
  public var screenProblem: String? {
    guard input.isTerminal && output.isTerminal else { return "requires a terminal" }
    guard let absence = environment.absence ?? (environment["TERM"] == nil ? "TERM is not set" : nil) else {
      return nil
    }
    return "requires a terminal with a screen, and \(absence)"
  }

  /// Whether progress can be shown without disturbing the output.
  public var showsProgress: Bool { errors.isTerminal && !output.isTerminal }

  /// Whether standard input is a pipe or a file, from which a filter may read without an operand.
  public var hasPipedInput: Bool { !input.isTerminal }

  /// The terminal's size, for pictures; nil where standard output is no terminal.
  public var screenSize: WindowSize? {
    output.isTerminal ? output.size() ?? WindowSize(columns: 80, rows: 24) : nil
  }

  /// Questions to the person at the terminal.
  public func prompt() throws(Failure) -> Prompt { Prompt(try TerminalDevice.controlling(), errors: errors) }

  /// Starts the person's browser with an address; returns why it cannot.
  public func openInBrowser(_ address: String) -> String? { Browser.open(address, environment) }

  /// Shows a screen until the user quits it. `work` performs the screen's requests on a background thread, one at
  /// a time. Messages are muted meanwhile where they would be written over the screen.
  public func show<Screen: InteractiveScreen>(
    _ screen: inout Screen, color: Bool,
    performing work: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Outcome
  ) throws(Failure) {
    let terminal = try TerminalDevice.controlling()
    errors.mute()
    defer { errors.unmute() }
    try FullScreen(on: terminal, time: time, color: color).run(&screen, performing: work)
  }
}

// MARK: Time

extension Host {
  /// The date and time at that instant in the local time zone.
  public func localTime(_ instant: Timestamp) -> WallTime { time.local(instant) }
}

// MARK: Paging

extension Host {
  /// Runs `body` with a sink whose bytes go through the pager of the person's choice, and waits until the pager ends.
  /// The pager starts with the first byte: a command that fails before it writes starts none. A person who quits the
  /// pager has read enough, which is no failure: the result is nil then.
  public func paged<Result>(_ body: (any ByteSink) throws(Failure) -> Result) throws(Failure) -> Result? {
    let sink = PagedOutput(self)
    do throws(Failure) {
      let result = try body(sink)
      try sink.finish()
      return result
    } catch {
      try sink.finish()
      if error.kind == .closedPipe, sink.hasPager { return nil }
      throw error
    }
  }
}
