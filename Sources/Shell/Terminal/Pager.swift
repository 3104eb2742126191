import System

/// Program that shows long output page by page. It receives bytes as they are written, so it shows the first page of
/// endless output. If the user quits early, `write` throws `closedPipe`. `finish` must always be called, also after a
/// failure: it waits until the pager has ended and the terminal is free.
final class Pager: ByteSink {
  private let child: ChildProcess
  private let input: FileDescriptor
  private let pipe: DescriptorSink
  private var isFinished = false

  /// Starts the chosen pager; nil if there is none. A missing one is reported on `errors`.
  static func start(_ choice: PagerChoice, environment: Environment, errors: ErrorStream) -> Pager? {
    switch choice {
    case .none: return nil
    case .missing(let name):
      errors.report("there is no pager '\(name)'; set HW_PAGER or PAGER, or use --no-pager")
      return nil
    case .command(let command):
      do throws(SystemError) {
        return try Pager(command, environment)
      } catch {
        errors.report("cannot start the pager '\(command)': \(error.text)")
        return nil
      }
    }
  }

  private init(_ command: String, _ environment: Environment) throws(SystemError) {
    let pipe = try Pipe()
    defer { pipe.reader.close() }
    // Like git: `less` without options shows colors, and quits if the output fits one page.
    let defaults = ["LESS": "FRX", "LV": "-c"].filter { environment[$0.key] == nil }
    do throws(SystemError) {
      child = try .start(
        ["sh", "-c", command], environment: environment.withoutSecrets.setting(defaults),
        descriptors: [0: pipe.reader])
    } catch {
      pipe.writer.close()
      throw error
    }
    Interruption.allowLongCleanUp()
    input = pipe.writer
    self.pipe = DescriptorSink(pipe.writer, name: "pager", isInterruptible: true)
  }

  func write(_ bytes: RawSpan) throws(Failure) {
    try requireOpen()
    try pipe.write(bytes)
  }

  func awaitReader() throws(Failure) {
    try requireOpen()
    try pipe.awaitReader()
  }

  private func requireOpen() throws(Failure) {
    if isFinished { throw Failure(.closedPipe, "pager was closed") }
  }

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    input.close()
    _ = child.waitThroughInterrupts()
  }
}

/// Standard output through the pager, which starts with the first byte.
final class PagedOutput: ByteSink {
  private let host: Host
  private var pager: Pager?
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
      pager = .start(PagerChoice(host.environment), environment: host.environment, errors: host.errors)
    }
    guard let pager else { return try host.output.bytes.write(bytes) }
    try pager.write(colors.adapt(unsafe bytes.withUnsafeBytes { unsafe Array($0) }))
  }

  func awaitReader() throws(Failure) {
    guard let pager else { return try host.output.bytes.awaitReader() }
    try pager.awaitReader()
  }

  /// Waits for the end of the pager; must be called on every way out.
  func finish() { pager?.finish() }
}

enum PagerChoice: Equatable, Sendable {
  /// No person is present, the variable is empty or `cat`, or none is set and `less` is not installed.
  case none
  case command(String)
  case missing(String)

  /// `HW_PAGER`, then `PAGER`, then `less -FRX`, unless the terminal is dumb or unknown.
  init(_ environment: Environment) {
    guard environment.unattendedReason == nil else {
      self = .none
      return
    }
    // An empty variable is a choice here, but counts as unset in the subscript of `Environment`.
    let variables = environment.all
    guard let chosen = variables["HW_PAGER"] ?? variables["PAGER"] else {
      self =
        environment["TERM"] != nil && Executable.find("less", in: environment) != nil
        ? .command("less -FRX") : .none
      return
    }
    let words = chosen.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard let program = words.first, words != ["cat"] else {
      self = .none
      return
    }
    // Only the shell can find out whether anything but a plain name exists.
    let isPlain = program.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+-./_".utf8.contains($0) }
    let isMissing = isPlain && Executable.find(String(program), in: environment) == nil
    self = isMissing ? .missing(String(program)) : .command(chosen)
  }
}
