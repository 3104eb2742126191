import System

/// A program that shows long output page by page. Bytes go to its standard input as they are written, so it shows the
/// first page of endless output.
///
/// If the user quits early, `write` throws `closedPipe`, like any closed pipe. `finish` must always be called, also after
/// a failure: it waits until the pager has ended and the terminal is free.
final class Pager: ByteSink {
  private let child: ChildProcess
  private let input: FileDescriptor
  private let pipe: DescriptorSink
  private let plain: any ByteSink
  private var state = State.unproven

  private enum State {
    /// Nothing was read yet, as far as can be known: what was written is kept, in case the pager never ran.
    case unproven
    case running
    /// The pager never ran: output goes where it would have gone without one.
    case plain
    case finished
  }
  private var kept: [UInt8] = []
  /// Capacity of a pipe; a longer output can only have been written if somebody read.
  private static let pipeCapacity = 64 << 10

  /// Starts the pager of the environment's choice for output that would otherwise go to `plain`, a terminal. Nil when
  /// there is none: a chosen one that is missing is reported on `errors`.
  public static func start(
    _ choice: PagerChoice, environment: Environment, plain: any ByteSink, errors: any ByteSink
  ) throws(Failure) -> Pager? {
    switch choice {
    case .none: return nil
    case .missing(let name):
      try errors.write(
        "hw: there is no pager '\(name.terminalSafe)'; set HW_PAGER or PAGER, or use --no-pager\n")
      return nil
    case .command(let command):
      do throws(SystemError) {
        return try Pager(command, environment, plain)
      } catch {
        try errors.write("hw: cannot start the pager '\(command.terminalSafe)': \(error.text)\n")
        return nil
      }
    }
  }

  private init(_ command: String, _ environment: Environment, _ plain: any ByteSink) throws(SystemError) {
    let pipe = try Pipe()
    defer { pipe.reader.close() }
    // As git does: a `less` without options shows colors, and quits when one page is all.
    let wishes = ["LESS": "FRX", "LV": "-c"].filter { environment[$0.key] == nil }
    do throws(SystemError) {
      child = try .start(
        .init(
          ["sh", "-c", command], environment: environment.withoutSecrets.setting(wishes),
          descriptors: [0: pipe.reader]))
    } catch {
      pipe.writer.close()
      throw error
    }
    Interruption.allowLongCleanUp()
    input = pipe.writer
    self.pipe = DescriptorSink(pipe.writer, name: "pager", isInterruptible: true)
    self.plain = plain
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    switch state {
    case .running: try pipe.write(bytes)
    case .plain: try plain.write(bytes)
    case .finished: throw Failure(.closedPipe, "pager was closed")
    case .unproven: try writeUnproven(bytes)
    }
  }

  private func writeUnproven(_ bytes: RawSpan) throws(Failure) {
    unsafe bytes.withUnsafeBytes { unsafe kept.append(contentsOf: $0) }
    do throws(Failure) {
      try pipe.write(bytes)
    } catch {
      return try concludeUnproven(error)
    }
    guard kept.count > Pager.pipeCapacity else { return }
    state = .running
    kept = []
  }

  /// Handles a pipe that was closed early: the reader has quit, or the pager never ran and everything is on
  /// the screen now.
  private func concludeUnproven(_ failure: Failure) throws(Failure) {
    guard failure.kind == .closedPipe else { throw failure }
    try finish()
    guard case .plain = state else { throw failure }
  }

  public func awaitReader() throws(Failure) {
    switch state {
    case .plain: try plain.awaitReader()
    case .finished: throw Failure(.closedPipe, "pager was closed")
    case .running: try pipe.awaitReader()
    case .unproven:
      do throws(Failure) {
        try pipe.awaitReader()
      } catch {
        try concludeUnproven(error)
      }
    }
  }

  /// Ends the pager's input and waits until the reader is done with it.
  public func finish() throws(Failure) {
    let isProven: Bool
    switch state {
    case .plain, .finished: return
    case .unproven: isProven = false
    case .running: isProven = true
    }
    input.close()
    let status = child.waitThroughInterrupts()
    // The shell's words for a program that it could not run.
    let neverRan = !isProven && (status == .exited(126) || status == .exited(127))
    state = neverRan ? .plain : .finished
    if neverRan { try showHeldOutput() }
  }

  private func showHeldOutput() throws(Failure) {
    defer { kept = [] }
    try plain.write(kept)
  }
}

/// Standard output by way of the pager, which starts with the first byte.
final class PagedOutput: ByteSink {
  private let host: Host
  private var pager: Pager?
  /// The pager passes colors on to the terminal as they are.
  private var colors: ColorFilter
  private var hasStarted = false

  init(_ host: Host) {
    self.host = host
    colors = ColorFilter(ColorDepth(host.environment))
  }

  var hasPager: Bool { pager != nil }

  func write(_ bytes: RawSpan) throws(Failure) {
    if !hasStarted {
      hasStarted = true
      pager = try Pager.start(
        PagerChoice(host.environment), environment: host.environment, plain: host.output.bytes,
        errors: host.errors)
    }
    guard let pager else { return try host.output.bytes.write(bytes) }
    try pager.write(colors.adapt(unsafe bytes.withUnsafeBytes { unsafe Array($0) }))
  }

  func awaitReader() throws(Failure) {
    guard let pager else { return try host.output.bytes.awaitReader() }
    try pager.awaitReader()
  }

  /// Waits until the reader is done; to be called on every way out.
  func finish() throws(Failure) { try pager?.finish() }
}
