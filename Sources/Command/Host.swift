import Output
import System

/// The edge of the program: everything a command line meets outside the process. `main` makes it of the real things,
/// a test of doubles, and so a test drives the whole program in its own process.
public struct Host {
  public var environment: Environment
  public var time: any TimeKeeper
  public var input: Stream<any ByteSource>
  public var output: Stream<any ByteSink>
  public var errors: Stream<any ByteSink>

  /// One of the three standard streams.
  public struct Stream<Bytes> {
    public var bytes: Bytes
    public var isTerminal: Bool
    /// Columns and rows, where it is a terminal that knows.
    public var size: @Sendable () -> WindowSize?

    public init(
      _ bytes: Bytes, isTerminal: Bool = false, size: @escaping @Sendable () -> WindowSize? = { nil }
    ) {
      self.bytes = bytes
      self.isTerminal = isTerminal
      self.size = size
    }
  }

  public init(
    environment: Environment, time: any TimeKeeper, input: Stream<any ByteSource>,
    output: Stream<any ByteSink>, errors: Stream<any ByteSink>
  ) {
    self.environment = environment
    self.time = time
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// The process's own streams, clocks and environment.
  public static func process() -> Host {
    func stream<Bytes>(_ descriptor: FileDescriptor, _ bytes: Bytes) -> Stream<Bytes> {
      Stream(bytes, isTerminal: descriptor.isTerminal, size: { WindowSize.of(descriptor) })
    }
    return Host(
      environment: .process, time: SystemTime(),
      input: stream(.standardInput, DescriptorSource(.standardInput, name: "standard input")),
      output: stream(.standardOutput, DescriptorSink(.standardOutput, name: "standard output")),
      errors: stream(.standardError, DescriptorSink(.standardError, name: "standard error")))
  }
}
