import Command
import System

/// Records races in the history. A failure of the history is reported, and the race continues without it.
final class RaceRecorder {
  private var history: RaceHistory?
  private let time: any TimeKeeper
  private let url: String
  private let report: (String) -> Void

  convenience init(_ call: Invocation, _ context: Context, url: String, report: @escaping (String) -> Void) {
    self.init(url: url, time: context.time, report: report)
    // Races of sample data and recorded ones are not added to the history.
    guard call[Race.keepsHistory], !call[StandardOptions.explain], !context.isReplaying,
      !url.hasPrefix("demo:")
    else { return }
    attempt { () throws(Failure) in
      history = try RaceHistory(context.raceStore)
    }
  }

  init(history: RaceHistory? = nil, url: String, time: any TimeKeeper, report: @escaping (String) -> Void) {
    self.history = history
    self.url = url
    self.time = time
    self.report = report
  }

  func add(_ events: [RaceEvent]) {
    guard let history, let first = events.first else { return }
    attempt { () throws(Failure) in
      // A watch can join a race in the middle.
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
