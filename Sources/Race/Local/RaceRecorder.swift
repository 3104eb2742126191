import Command
import Store
import System

/// Records the events of a race in the history and in the file of `--save`.
///
/// A failure to write the file is the command's failure. A failure of the history is reported, and the race goes on
/// without it.
final class RaceRecorder {
  private let log: EventLog?
  private var history: RaceHistory?
  private let messages: Messages
  private let time: any TimeKeeper
  private let url: String
  private var hasBegun = false

  init(_ call: Invocation, _ context: Context, url: String) throws(Failure) {
    log = if let file = call[Race.save] { try EventLog(file) } else { nil }
    messages = context.messages
    time = context.time
    self.url = url
    guard call[Race.keepsHistory], !call[StandardOptions.explain] else { return }
    attempt { () throws(Failure) in
      history = try RaceHistory(context.raceStore)
    }
  }

  func add(_ events: [RaceEvent]) throws(Failure) {
    try log?.write(events)
    guard let history, !events.isEmpty else { return }
    attempt { () throws(Failure) in
      if !hasBegun { try history.begin(at: time.now(), url: url) }
      hasBegun = true
      try history.add(events)
    }
  }

  private func attempt(_ body: () throws(Failure) -> Void) {
    do throws(Failure) {
      try body()
    } catch {
      history = nil
      messages.report("this race is not kept in the history: \(error.message)")
    }
  }
}

/// The file of `--save`. Events are written as they happen, so they survive however the program ends.
final class EventLog {
  private let file: FileDescriptor
  private let name: String

  /// An existing file is not replaced.
  init(_ name: String) throws(Failure) {
    self.name = name
    do throws(SystemError) {
      file = try File.open(name, .createNew, mode: .shared)
    } catch .fileExists {
      throw Failure(.usage, "'\(name)' exists already", hint: "name another file, or remove it")
    } catch {
      throw error.failure("write", name)
    }
  }

  deinit { file.close() }

  func write(_ events: [RaceEvent]) throws(Failure) {
    guard !events.isEmpty else { return }
    do throws(SystemError) {
      try file.writeAll(events.flatMap(\.line))
    } catch {
      throw error.failure("write", name)
    }
  }
}
