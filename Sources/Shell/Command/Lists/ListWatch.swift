import HTTP
import Output
import System
import Terminal

/// Repeated list command. Each poll runs the command with an output that captures its rows.
struct ListWatch {
  private let context: Context
  private let interval: Duration
  private let poll: Poll

  init(_ context: Context) throws(Failure) {
    var call = context.call
    guard let key = call.command.output.list?.key, let interval = call[ListOptions.watch] else {
      throw Failure(.defect, "'\(call.command.name)' is not watched")
    }
    self.context = context
    self.interval = interval
    if let age = call[StandardOptions.maxAge], .seconds(age) >= interval {
      // A poll must not repeat the response of the one before.
      call.set(StandardOptions.maxAge.declaration, to: max(0, Int(interval.components.seconds) - 1))
    }
    poll = Poll(
      program: context.program, call: call, host: context.host, settings: context.output.settings,
      deadline: call[StandardOptions.deadline].map { Deadline(in: $0, context.time) },
      format: context.output.settings.format ?? .table, key: key)
  }

  /// Runs until an interruption, or until the user leaves the screen.
  func run() throws(Failure) -> ExitStatus {
    guard !context.isExplaining else { return try context.call.command.run(context.call, context) }
    guard !context.isReplaying else {
      throw Failure(.usage, "'--watch' does not go with '--replay': a recording does not change")
    }
    guard context.call[StandardOptions.outputFile] == nil else {
      throw Failure(
        .usage, "'--watch' has no end, and '--output-file' needs one", hint: "redirect standard output")
    }
    switch poll.format {
    case .jsonl, .csv, .tsv: try printEvents()
    case .table where context.host.hasScreen: try showScreen()
    case .table: try printTables()
    case .json, .markdown:
      throw Failure(
        .usage, "'--watch' has no end, and '--output \(poll.format.rawValue)' needs one",
        hint: "use --jsonl, --csv or --tsv, which print events, or a table")
    }
    return .success
  }

  // MARK: Polls

  struct PollResult: Sendable {
    let columns: [Column]
    let rows: [CapturedRow]
  }

  /// Input of a poll, which can run on any thread.
  struct Poll: Sendable {
    let program: Program
    let call: Invocation
    let host: Host
    let settings: Output.Settings
    let deadline: Deadline?
    let format: Format
    let key: String

    func run() throws(Failure) -> PollResult {
      let capture = RowCapture(format, key: key)
      var settings = settings
      settings.format = format
      let output = Output(settings, capture: capture)
      var call = call
      if let deadline {
        let left = try deadline.bound(.seconds(86_400), host.time)
        call.set(StandardOptions.deadline.declaration, to: left)
      }
      let context = Context(program: program, call: call, host: host, output: output)
      do throws(Failure) {
        _ = try call.command.run(call, context)
      } catch {
        // Throws the failure of the deadline: that of the request would name only the time that was left for it.
        _ = try deadline?.bound(.zero, host.time)
        throw error
      }
      return PollResult(columns: capture.columns, rows: capture.rows)
    }
  }

  // MARK: Without a screen

  private func printEvents() throws(Failure) {
    var rows: [CapturedRow] = []
    var writer: RowEventWriter?
    try repeatedly { result throws(Failure) in
      if writer == nil {
        writer = RowEventWriter(context.output, columns: result.columns, format: poll.format)
      }
      for event in RowEvent.between(rows, result.rows) { try writer?.write(event) }
      rows = result.rows
    }
  }

  private func printTables() throws(Failure) {
    var shown: [CapturedRow]?
    try repeatedly { result throws(Failure) in
      guard result.rows != shown else { return }
      if shown != nil { try context.output.outlet.write("\n") }
      shown = result.rows
      try context.output.write(captured: result.rows, columns: result.columns)
    }
  }

  /// The first poll must succeed. If a later one fails, the last result stays and the failure is reported.
  private func repeatedly(_ use: (PollResult) throws(Failure) -> Void) throws(Failure) {
    try use(poll.run())
    while true {
      try context.output.outlet.flush()
      try context.time.sleep(for: poll.deadline?.bound(interval, context.time) ?? interval)
      // A closed output ends the watch, also if nothing changes.
      try context.output.outlet.awaitReader()
      let result: PollResult
      do throws(Failure) {
        result = try poll.run()
      } catch {
        guard error.mayEndByItself, poll.deadline?.left(context.time) != .zero else { throw error }
        let wait = min(interval, poll.deadline?.left(context.time) ?? interval)
        context.messages.report(
          "\(error.message); showing the last result, next request in \(wait.inSeconds)")
        continue
      }
      try use(result)
    }
  }

  // MARK: On a screen

  private func showScreen() throws(Failure) {
    let (poll, host) = (poll, context.host)
    var screen = WatchedTable(interval: interval, deadline: poll.deadline) {
      host.time.local(host.time.now()).clockWithSeconds
    }
    try context.show(&screen) { (_: Void) throws(Failure) in try poll.run() }
  }
}
