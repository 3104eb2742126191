import Command
import Store
import System

/// Records the events of races in the history and in the file of `--save`. The first event of an attempt, number 1,
/// begins another race in the history.
///
/// A failure to write the file is the command's failure. A failure of the history is reported, and the race goes on
/// without it.
final class RaceRecorder {
  private let log: EventLog?
  private var history: RaceHistory?
  private let time: any TimeKeeper
  private let url: String
  private let report: (String) -> Void

  convenience init(
    _ call: Invocation, _ context: Context, url: String, report: @escaping (String) -> Void
  ) throws(Failure) {
    let isExplained = call[StandardOptions.explain]
    let log: EventLog? = if let file = call[Race.save], !isExplained { try EventLog(file) } else { nil }
    self.init(log: log, url: url, time: context.time, report: report)
    // A race of sample data, or a recorded one, does not belong in the history.
    guard call[Race.keepsHistory], !isExplained, !context.isReplaying, !url.hasPrefix("demo:") else { return }
    attempt { () throws(Failure) in
      history = try RaceHistory(context.raceStore)
    }
  }

  init(
    log: EventLog?, history: RaceHistory? = nil, url: String, time: any TimeKeeper,
    report: @escaping (String) -> Void
  ) {
    self.log = log
    self.history = history
    self.url = url
    self.time = time
    self.report = report
  }

  func add(_ events: [RaceEvent]) throws(Failure) {
    try log?.write(events)
    guard let history, let first = events.first else { return }
    attempt { () throws(Failure) in
      // A watch may join a race in the middle.
      let start = Timestamp(seconds: time.now().seconds - first.elapsed.components.seconds)
      if first.seq == 1 { try history.begin(at: start, url: url) }
      try history.add(events)
    }
  }

  private func attempt(_ body: () throws(Failure) -> Void) {
    do throws(Failure) {
      try body()
    } catch {
      history = nil
      report("this race is not added to the history: \(error.message)")
    }
  }
}

/// The file of `--save`. Events are written as they happen, so they survive however the program ends.
final class EventLog {
  private let file: FileDescriptor
  private let name: String

  /// An existing file is not replaced; a device or a FIFO is written to.
  init(_ name: String) throws(Failure) {
    guard name != "-" else {
      throw Failure(
        .usage, "'--save' requires a file, not '-'", hint: "'--jsonl' prints the events on standard output")
    }
    self.name = name
    do throws(SystemError) {
      file = try File.openNew(name, mode: .shared)
    } catch .fileExists {
      guard !File.isFolder(name) else { throw SystemError(EISDIR).failure("write", name) }
      throw Failure(.usage, "'\(name)' already exists", hint: "choose another file, or remove it")
    } catch {
      throw error.failure("write", name)
    }
  }

  deinit { file.close() }

  func write(_ events: [RaceEvent]) throws(Failure) {
    do throws(SystemError) {
      try file.writeAll(events.flatMap(\.line))
    } catch {
      throw error.failure("write", name)
    }
  }
}
