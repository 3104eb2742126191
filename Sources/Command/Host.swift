import Output
import System
import Terminal

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
    func sink(_ descriptor: FileDescriptor, _ name: String) -> Stream<any ByteSink> {
      let sink = DescriptorSink(descriptor, name: name)
      let isTerminal = descriptor.isTerminal
      let bytes: any ByteSink = isTerminal ? ColorSink(sink, ColorDepth(.process)) : sink
      return Stream(bytes, isTerminal: isTerminal, size: { WindowSize.of(descriptor) })
    }
    return Host(
      environment: .process, time: SystemTime(),
      input: Stream(
        DescriptorSource(.standardInput, name: "standard input"),
        isTerminal: FileDescriptor.standardInput.isTerminal, size: { WindowSize.of(.standardInput) }),
      output: sink(.standardOutput, "standard output"), errors: sink(.standardError, "standard error"))
  }
}
