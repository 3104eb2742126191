import Command
import Store
import System

/// Keeps what is seen of a race: in the history, and in the file of `--save`.
///
/// The file was asked for, so a failure to write it is the command's. The history is a service to the user: where it
/// cannot be had, that is said, and the race goes on.
final class RaceKeeper {
  private let tape: RaceTape?
  private var history: RaceHistory?
  private let messages: Messages
  private let time: any TimeKeeper
  private let url: String
  private var hasBegun = false

  init(_ call: Invocation, _ context: Context, url: String) throws(Failure) {
    tape = if let file = call[Race.save] { try RaceTape(file) } else { nil }
    messages = context.messages
    time = context.time
    self.url = url
    guard call[Race.keeps], !call[StandardOptions.explain] else { return }
    attempt { () throws(Failure) in
      history = try RaceHistory(context.races)
    }
  }

  func add(_ events: [RaceEvent]) throws(Failure) {
    try tape?.write(events)
    guard let history, !events.isEmpty else { return }
    attempt { () throws(Failure) in
      if !hasBegun { try history.begin(at: time.now(), url: url) }
      hasBegun = true
      try history.add(events)
    }
  }

  /// Another race of the same run.
  func beginAnew() { hasBegun = false }

  private func attempt(_ body: () throws(Failure) -> Void) {
    do throws(Failure) {
      try body()
    } catch {
      history = nil
      messages.report("this race is not kept in the history: \(error.message)")
    }
  }
}

extension Context {
  /// Where the history of races is kept.
  var races: Store {
    get throws(Failure) { Store(folder: try Folders(host.environment).data, time: time) }
  }
}
