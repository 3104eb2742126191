import Store
import System
import Terminal
import TestSupport
import Testing

@testable import Race

/// A recorder with a history of its own.
private final class Recording {
  let history: RaceHistory
  let recorder: RaceRecorder
  private let messages = RecordedMessages()

  init() throws {
    history = try RaceHistory(.memory(time: FakeClock.at18()))
    recorder = RaceRecorder(history: history, url: "demo:", time: FakeClock.at18(), report: messages.add)
  }

  var reported: [String] { messages.lines }
}

@Suite(.needs(.libsqlite3)) struct TheRecorder {
  /// On the screen, as `r` does it: the second attempt has the same recorder.
  @Test func aRaceAfterAFailedOneIsAnotherRace() throws {
    let recording = try Recording()
    var settings = RaceWatch.Settings()
    settings.retries = 0
    var screen = RaceScreen(settings, startsAtOnce: true) { events in
      recording.recorder.add(events)
    }
    var now = Duration.seconds(100)
    var request: RaceWatch.Request?
    func send(_ event: ScreenEvent<RaceWatch.Reply>) throws {
      if case .request(let next) = try screen.handle(event, at: now) { request = next }
    }
    func reply(_ result: Result<RaceWatch.Response, Failure>) throws {
      let number = try #require(request).number
      request = nil
      try send(.completed(.success(.init(number: number, result: result))))
    }
    try send(.resized(WindowSize(columns: 60, rows: 16)))
    try reply(.failure(.offline))
    try send(.key(.character("r")))
    try reply(.success(.duration(.seconds(2), nil)))
    try reply(.success(.standings([WatchDriver.a, WatchDriver.b], nil)))
    now += .seconds(2)
    try send(.tick)
    try reply(.success(.standings([WatchDriver.b, WatchDriver.a], nil)))

    #expect(recording.reported == [])
    let entries = try recording.history.entries()
    #expect(entries.map(\.end) == [.finished, .failed])
    #expect(entries.map(\.winner) == ["B", nil])
    let attempts = [try recording.history.recording(1).events, try recording.history.recording(2).events]
    #expect(attempts.map { $0.map(\.kind) } == [[.error], [.start, .standings, .standings, .finish]])
  }

  /// A watch that joins a race in the middle has a first event that is not at its beginning.
  @Test func historyHasTheStartOfARaceThatIsJoined() throws {
    let recording = try Recording()
    var start = RaceEvent(kind: .start)
    (start.seq, start.elapsed) = (1, .seconds(4))
    recording.recorder.add([start])
    let now = FakeClock.at18().now().seconds
    #expect(try recording.history.entries().map(\.started.seconds) == [now - 4])
  }

  @Test func failureOfTheHistoryIsReportedOnce() throws {
    let recording = try Recording()
    let events = (2...4).map { number in
      var event = RaceEvent(kind: .retry)
      event.seq = number
      return event
    }
    var start = RaceEvent(kind: .start)
    start.seq = 1
    recording.recorder.add([start, events[0]])
    // The same number again is refused by the history.
    recording.recorder.add([events[0]])
    recording.recorder.add([events[1]])
    recording.recorder.add([events[2]])
    #expect(recording.reported.count == 1)
    #expect(recording.reported.first?.hasPrefix("this race is not added to the history") == true)
    #expect(try recording.history.recording(1).events == [start, events[0]])
  }

  @Test func aRaceThatIsDeletedWhileItRunsIsReported() throws {
    let recording = try Recording()
    var (start, retry) = (RaceEvent(kind: .start), RaceEvent(kind: .retry))
    (start.seq, retry.seq) = (1, 2)
    recording.recorder.add([start])
    _ = try recording.history.delete(recording.history.entries())
    recording.recorder.add([retry])
    #expect(recording.reported == ["this race is not added to the history: it was deleted meanwhile"])
    #expect(try recording.history.entries().isEmpty)
  }
}
