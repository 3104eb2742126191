import Foundation
import Store
import System
import Terminal
import TestSupport
import Testing

@testable import Race

/// A recorder with a file and a history of its own.
private final class Recording {
  let history: RaceHistory
  let recorder: RaceRecorder
  let scratch: ScratchDirectory
  private let messages = RecordedMessages()

  init() throws {
    scratch = try ScratchDirectory()
    history = try RaceHistory(.memory(time: FakeClock.at18()))
    recorder = RaceRecorder(
      log: try EventLog(scratch.file("race.jsonl")), history: history, url: "demo:", time: FakeClock.at18(),
      report: messages.add)
  }

  var reported: [String] { messages.lines }
  var mode: Int? { scratch.mode("race.jsonl") }

  func saved() throws -> [[RaceEvent]] {
    try RaceRecording.read(MemorySource(scratch.bytes("race.jsonl")), name: "race.jsonl").map(\.events)
  }
}

@Suite(.needs(.libsqlite3)) struct TheRecorder {
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
    #expect(try recording.saved() == attempts)
  }

  /// A watch that joins a race in the middle has a first event that is not at its beginning.
  @Test func historyHasTheStartOfARaceThatIsJoined() throws {
    let recording = try Recording()
    var start = RaceEvent(.start)
    (start.seq, start.elapsed) = (1, .seconds(4))
    try recording.recorder.add([start])
    let now = FakeClock.at18().now().seconds
    #expect(try recording.history.entries().map(\.started.seconds) == [now - 4])
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
    #expect(recording.reported.first?.hasPrefix("this race is not added to the history") == true)
    let saved = Array([start, events[0], events[0], events[1], events[2]].map(\.line).joined())
    #expect(Array(try recording.scratch.bytes("race.jsonl")) == saved)
    #expect(try recording.history.recording(1).events == [start, events[0]])
  }

  @Test func anExistingFileIsNotWrittenTo() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("mine", to: "f")
    let taken = failure { try EventLog(scratch.file("f")) }
    #expect(taken?.kind == .usage && taken?.message == "'\(scratch.file("f"))' already exists")
    #expect(taken?.hint == "choose another file, or remove it")
    #expect(scratch.text("f") == "mine")
    let nowhere = failure { try EventLog(scratch.file("none/f")) }
    #expect(nowhere?.kind == .storage)
    #expect(nowhere?.message.hasPrefix("cannot write '\(scratch.file("none/f"))': ") == true)
  }

  /// Only a file is made, and removing a device or a folder is no advice.
  @Test func aDeviceIsWrittenToAndAFolderIsNot() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    // Both ways, so that neither opening waits for the other.
    let pipe = try File.open(path, .readWrite)
    defer { pipe.close() }
    try EventLog(path).write([RaceEvent(.start)])
    #expect(try String(decoding: pipe.read(atMost: 4096), as: UTF8.self).hasPrefix("{\"event\":\"start\""))
    try EventLog("/dev/fd/\(pipe.rawValue)").write([RaceEvent(.start)])
    #expect(try !pipe.read(atMost: 4096).isEmpty)
    #expect(
      failure { try EventLog("/dev/full").write([RaceEvent(.start)]) }
        == Failure(.storage, "cannot write '/dev/full': no space left on device"))
    let folder = scratch.file("folder")
    try Folder.make(folder)
    #expect(
      failure { try EventLog(folder) } == Failure(.storage, "cannot write '\(folder)': is a directory"))
    #expect(
      failure { try EventLog("-") }
        == Failure(
          .usage, "'--save' requires a file, not '-'", hint: "'--jsonl' prints the events on standard output")
    )
  }

  @Test func aRaceThatIsDeletedWhileItRunsIsReported() throws {
    let recording = try Recording()
    var (start, retry) = (RaceEvent(.start), RaceEvent(.retry))
    (start.seq, retry.seq) = (1, 2)
    try recording.recorder.add([start])
    // Others may read the file, and it is complete while the race runs.
    #expect(recording.mode == 0o644)
    #expect(try recording.saved() == [[start]])
    _ = try recording.history.delete(recording.history.entries())
    try recording.recorder.add([retry])
    #expect(recording.reported == ["this race is not added to the history: it was deleted meanwhile"])
    #expect(try recording.history.entries().isEmpty)
    #expect(try recording.saved() == [[start, retry]])
  }
}
