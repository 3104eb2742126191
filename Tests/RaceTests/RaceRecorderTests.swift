import Foundation
import Store
import System
import Terminal
import Testing

@testable import Race

/// A recorder with a file and a history of its own.
private final class Recording {
  let history: RaceHistory
  let recorder: RaceRecorder
  private let path: String
  private let reports: Reports

  private final class Reports { var lines: [String] = [] }

  init() throws {
    path = NSTemporaryDirectory() + "hw-recorder-\(UInt64.random(in: 0 ... .max))"
    history = try RaceHistory(.memory(time: StoppedTime()))
    let reports = Reports()
    self.reports = reports
    recorder = RaceRecorder(
      log: try EventLog(path), history: history, url: "demo:", time: StoppedTime(),
      report: { reports.lines.append($0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var reported: [String] { reports.lines }

  func saved() throws -> [[RaceEvent]] {
    let bytes = try #require(FileManager.default.contents(atPath: path))
    return try RaceRecording.read(MemorySource(bytes), name: path).map(\.events)
  }
}

@Suite(.enabled(if: Database.isAvailable)) struct TheRecorder {
  /// On the screen, as `r` does it: the second attempt has the same recorder.
  @Test func aRaceAfterAFailedOneIsAnotherRace() throws {
    let recording = try Recording()
    var settings = RaceWatch.Settings()
    settings.retries = 0
    var screen = RaceScreen(settings, startsAtOnce: true) { events throws(Failure) in
      try recording.recorder.add(events)
    }
    var now = Duration.seconds(100)
    var request: RaceWatch.Request?
    func send(_ event: ScreenEvent<RaceWatch.Reply>) throws {
      if case .ask(let next) = try screen.handle(event, at: now) { request = next }
    }
    func reply(_ result: Result<RaceWatch.Response, Failure>) throws {
      let number = try #require(request).number
      request = nil
      try send(.answered(.success(.init(number: number, result: result))))
    }
    try send(.resized(WindowSize(columns: 60, rows: 16)))
    try reply(.failure(.offline))
    try send(.key(.character("r")))
    try reply(.success(.duration(.seconds(2), nil)))
    try reply(.success(.standings([WatchDriver.a], nil)))
    now += .seconds(2)
    try send(.tick)
    try reply(.success(.standings([WatchDriver.b, WatchDriver.a], nil)))

    #expect(recording.reported == [])
    let entries = try recording.history.entries()
    #expect(entries.map(\.end) == [.finished, .failed])
    #expect(entries.map(\.winner) == ["B", nil])
    let attempts = [try recording.history.recording(1).events, try recording.history.recording(2).events]
    #expect(attempts.map { $0.map(\.kind) } == [[.error], [.start, .standings, .standings, .finish]])
    #expect(try recording.saved() == attempts)
  }

  @Test func withoutAHistoryTheFileGoesOnAndThatIsReportedOnce() throws {
    let recording = try Recording()
    let events = (2...4).map { number in
      var event = RaceEvent(.retry)
      event.seq = number
      return event
    }
    var start = RaceEvent(.start)
    start.seq = 1
    try recording.recorder.add([start, events[0]])
    // The same number again is refused by the history.
    try recording.recorder.add([events[0]])
    try recording.recorder.add([events[1]])
    try recording.recorder.add([events[2]])
    #expect(recording.reported.count == 1)
    #expect(recording.reported.first?.hasPrefix("this race is not kept in the history") == true)
    #expect(try recording.saved() == [[start, events[0], events[0], events[1], events[2]]])
    #expect(try recording.history.recording(1).events == [start, events[0]])
  }
}
