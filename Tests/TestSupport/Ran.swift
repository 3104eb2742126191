import Command
import System
import Terminal

/// A run of a program in the test's own process, on doubles of everything outside it, and what the run left.
public struct Ran {
  public let status: Int32
  public let output: String
  public let errors: String

  public enum Stream {
    case input
    case output
    case errors
  }

  /// `chunk` is how many bytes of the input one read gets at most; `terminal` lists the streams that are a terminal. What
  /// goes to a given sink is not in this value.
  public init(
    _ program: Program, _ words: [String], environment: [String: String] = [:],
    time: any TimeKeeper = SystemTime(), input: String = "", chunk: Int = .max, terminal: Set<Stream> = [],
    columns: Int? = nil, output given: (any ByteSink & Sendable)? = nil, errors: MemorySink = MemorySink()
  ) {
    let output = MemorySink()
    let host = Host(
      environment: Environment(environment), time: time,
      input: Host.InputStream(MemorySource(input.utf8, chunk: chunk), isTerminal: terminal.contains(.input)),
      output: Host.OutputStream(
        given ?? output, isTerminal: terminal.contains(.output),
        size: { columns.map { WindowSize(columns: $0, rows: 24) } }),
      errors: ErrorStream(errors, isTerminal: terminal.contains(.errors)))
    switch Runner(program, host).run({ () throws(Failure) in words }) {
    case .success(let status): self.status = status.code
    case .failure(let failure): status = failure.kind.exitCode
    }
    self.output = output.text
    self.errors = errors.text
  }

  public var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }

  /// The message and the hint of the failure, on one line.
  public var complaint: String {
    errors.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " | ")
  }
}

extension Program {
  /// The program `hw` with this suite alone.
  public static func only(_ name: String, _ suite: @autoclosure @escaping @Sendable () -> Suite) -> Program {
    Program(
      "hw", version: "1", "Test", suites: [.init(name, suite())], tools: Suite("", "None", commands: []))
  }
}
