import JSON
import Store
import System
import TestSupport
import Testing

@testable import Race

private func recorded() -> [RaceEvent] {
  var race = WatchDriver.race(5)
  race.wait()
  race.fail(.limited(1))
  race.wait()
  race.answer(.standings([WatchDriver.b], nil))
  race.wait()
  race.answer(.standings([WatchDriver.b, WatchDriver.a], nil))
  return race.events
}

@Suite struct Recordings {
  @Test func areWhatWasSeenAgain() throws {
    let events = recorded()
    #expect(events.last?.kind == .finish)
    let source = MemorySource(events.flatMap(\.line), chunk: 7)
    let recording = try #require(try RaceRecording.read(source, name: "f").first)
    #expect(recording.events == events)
    #expect(recording.duration == .seconds(5))
    #expect(recording.finish?.winner == "B")
    #expect(recording.events.compactMap(\.end) == [.finished])
  }

  @Test func mayBeAnArrayWithNullsAsJSONHasIt() throws {
    let text =
      #"[{"event":"start","seq":1,"elapsed":0,"duration":2,"winner":null,"beeList":null},{"event":"finish","seq":2,"elapsed":2,"winner":"B","provisional":true}]"#
    let recording = try #require(try RaceRecording.read(MemorySource(text.utf8), name: "f").first)
    #expect(recording.events.compactMap(\.end) == [.provisional])
    #expect(recording.events.count == 2)
    // A recording of a former hw has the leader of a provisional result as its winner.
    #expect(recording.finish?.winner == nil && recording.finish?.leader == "B")
  }

  @Test func theLengthIsThatOfTheStart() throws {
    let text =
      #"{"event":"start","seq":1,"elapsed":0,"duration":2}{"event":"standings","seq":2,"elapsed":1,"duration":9,"beeList":[]}"#
    let recording = try #require(try RaceRecording.read(MemorySource(text.utf8), name: "f").first)
    #expect(recording.duration == .seconds(2))
  }

  @Test(
    arguments: [
      (0, .zero), (0.0004, .zero), (1_000_000, .seconds(1_000_000)), (1_000_000.01, nil), (-0.001, nil),
    ]
      as [(Double, Duration?)])
  func theSecondsOfARace(seconds: Double, time: Duration?) {
    #expect(Duration(seconds: seconds) == time)
  }

  @Test(arguments: [
    "", "{}", "nonsense", "{\"event\":\"explosion\",\"seq\":1}", "{\"event\":\"start\"}", "[1]",
    "{\"event\":\"start\",\"seq\":1,\"elapsed\":-1}", "{\"event\":\"start\",\"seq\":1,\"elapsed\":1e300}",
    "{\"event\":\"start\",\"seq\":1,\"elapsed\":5}{\"event\":\"start\",\"seq\":2,\"elapsed\":4}",
    #"{"event":"start","seq":1,"elapsed":1}{"event":"retry","seq":2,"elapsed":5}{"event":"retry","seq":3,"elapsed":4}"#,
    "{\"event\":\"standings\",\"seq\":1,\"beeList\":[{}]}",
    #"{"event":"start","seq":1}{"event":"retry","seq":3}"#,
    #"{"event":"start","seq":2}{"event":"retry","seq":2}"#,
    #"{"event":"start","seq":2}{"event":"retry","seq":-9223372036854775808}"#,
  ])
  func fileWithoutRecordingIsRefused(text: String) {
    let failure = failure { try RaceRecording.read(MemorySource(text.utf8), name: "race.jsonl") }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.hasPrefix("'race.jsonl' is not a recording of a race") == true)
  }

  @Test func thatBeginInTheMiddleAreOneAttempt() throws {
    let text = #"{"event":"retry","seq":5,"elapsed":3}{"event":"retry","seq":6,"elapsed":3}"#
    let recordings = try RaceRecording.read(MemorySource(text.utf8), name: "f")
    #expect(recordings.map { $0.events.map(\.seq) } == [[5, 6]])
  }

  /// Not called invalid: a newer hw reads it.
  @Test func ofANewerVersionAreRefusedAsSuch() {
    let text = #"{"event":"start","seq":1,"version":2}"#
    let failure = failure { try RaceRecording.read(MemorySource(text.utf8), name: "f") }
    #expect(failure?.kind == .storage)
    #expect(failure?.message == "'f' is of a newer hw: version 2, and this one reads up to 1")
  }

  @Test func theFinishIsTheLastOne() {
    let finishes = ["A", "B"].map { name in
      var event = RaceEvent(kind: .finish)
      event.winner = name
      return event
    }
    #expect(RaceRecording(events: finishes + [RaceEvent(kind: .retry)]).finish?.winner == "B")
  }

  @Test func oneFileMayContainTwoAttempts() throws {
    var lost = WatchDriver.race(20) { $0.deadline = (after: .seconds(10), failure: .offline) }
    while !lost.watch.isOver {
      lost.wait()
      lost.answer(.standings([WatchDriver.b], nil))
    }
    let attempts = [lost.events, recorded()]
    let source = MemorySource(attempts.flatMap { $0.flatMap(\.line) })
    let recordings = try RaceRecording.read(source, name: "f")
    #expect(recordings.map(\.events) == attempts)
    #expect(recordings.map(\.events.last?.end) == [.failed, .finished])
  }
}

@Suite(.needs(.libsqlite3)) struct TheHistory {
  private func history() throws -> RaceHistory { try RaceHistory(.memory(time: FakeClock.at18())) }

  private func keep(_ events: [RaceEvent], in history: RaceHistory) throws {
    try history.begin(at: Timestamp(seconds: 1000), url: "demo:")
    for event in events { try history.add([event]) }
  }

  @Test func aStartWithoutADurationHasNone() throws {
    let history = try history()
    var start = RaceEvent(kind: .start)
    start.seq = 1
    try keep([start], in: history)
    #expect(try history.entries().map(\.duration) == [nil])
  }

  @Test func standingsBeyondALimitAreNotAdded() throws {
    let history = try history()
    var standings = RaceEvent(kind: .standings)
    standings.bees = [Bee(name: String(repeating: "b", count: 200_000))]
    #expect(
      failure { try keep([standings], in: history) }?.message.hasPrefix("its standings have 2000") == true)
  }

  @Test func keepsHowARaceEnded() throws {
    let history = try history()
    for kinds in [[.start], [.start, .error], [.start, .error, .finish]] as [[RaceEvent.Kind]] {
      var events = kinds.map { RaceEvent(kind: $0) }
      for index in events.indices { events[index].seq = index + 1 }
      if kinds.last == .finish { events[2].isProvisional = true }
      try keep(events, in: history)
    }
    #expect(try history.entries().map(\.end) == [.provisional, .failed, .interrupted])
  }

  @Test func anEndThatIsNotKnownIsAnInterruption() throws {
    let scratch = try ScratchDirectory()
    let history = try RaceHistory(Store(folder: scratch.path, time: FakeClock()))
    try history.begin(at: Timestamp(seconds: 1000), url: "demo:")
    let database = try Database(.file("\(scratch.path)/races.db"), time: FakeClock())
    try database.run("UPDATE race SET ending = 'abandoned'")
    #expect(try history.entries().map(\.end) == [.interrupted])
  }

  @Test func twoRacesAreTwo() throws {
    let history = try history()
    let first = recorded()
    var other = WatchDriver.race(9) { $0.retries = 0 }
    other.wait()
    other.answer(.standings([WatchDriver.a], nil))
    try keep(first, in: history)
    try keep(other.events, in: history)
    #expect(try history.recording(1).events == first)
    #expect(try history.recording(2).events == other.events)
    let entries = try history.entries()
    #expect(entries.map(\.id) == [2, 1])
    #expect(entries.map(\.winner) == [nil, "B"])
    #expect(entries.map(\.end) == [.interrupted, .finished])
    #expect(entries.map(\.duration) == [9, 5])
    #expect(entries.map(\.changes) == [2, 2])
    #expect(entries.map(\.started) == [1000, 1000].map { Timestamp(seconds: $0) })
  }

  @Test func twoProcessesKeepTheirRacesApart() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: FakeClock.at18())
    let (one, two) = (try RaceHistory(store), try RaceHistory(store))
    let events = recorded()
    try one.begin(at: Timestamp(seconds: 1000), url: "demo:")
    try two.begin(at: Timestamp(seconds: 2000), url: "embedded:")
    for event in events {
      try one.add([event])
      if event.kind != .finish { try two.add([event]) }
    }
    let entries = try one.entries()
    #expect(entries.map(\.end) == [.interrupted, .finished])
    #expect(entries.map(\.url) == ["embedded:", "demo:"])
    #expect(try two.recording(1).events == events)
    #expect(try two.recording(2).events == events.dropLast())
  }

  @Test func podiumsPositionsAndRacesAreCountedForEachBee() throws {
    let history = try history()
    func finish(
      _ names: [String], _ time: Int64, url: String = "https://a.example", provisional: Bool = false,
      race: String? = nil
    ) throws {
      var event = RaceEvent(kind: .finish)
      event.race = race
      (event.seq, event.winner, event.isProvisional) = (1, names.first, provisional)
      event.bees = names.map { Bee(name: $0, color: "") }
      try history.begin(at: Timestamp(seconds: time), url: url)
      try history.add([event])
    }
    try finish(["A", "B", "C", "D"], 1)
    try finish(["B", "A", "D", "C", "A"], 2)
    try finish(["B", "C", "D", "A"], 3, url: "http://127.0.0.1:7400")
    try finish(["D", "C", "B", "A"], 4, provisional: true)
    // Two watchers of one race, and a race of another service with its id.
    let services = ["c", "c", "d"]
    for service in services { try finish(["E"], 5, url: "https://\(service).example", race: "2-7") }
    #expect(
      try history.records(of: "c.example").map { [$0.races, $0.wins, $0.podiums, $0.positions] } == [
        [1, 1, 1, 1]
      ])
    #expect(try history.records(of: "d.example").map(\.races) == [1])
    #expect(try history.entries().count == 7)
    #expect(try history.delete(history.entries().filter { $0.id > 4 }).count == 3)
    let records = try history.records()
    // Each service separately.
    #expect(records.map(\.bee) == ["A", "B", "B", "C", "C", "D", "D", "A"])
    #expect(records.map(\.wins) == [1, 1, 1, 0, 0, 0, 0, 0])
    #expect(records.map(\.podiums) == [2, 2, 1, 1, 1, 1, 1, 0])
    #expect(records.map(\.races) == [2, 2, 1, 1, 2, 1, 2, 1])
    #expect(records.map(\.positions) == [3, 3, 1, 2, 7, 3, 7, 4])
    #expect(records.map(\.lastWin?.seconds) == [1, 2, 3, nil, nil, nil, nil, nil])
    #expect(try history.records(of: "A.EXAMPLE").map(\.races) == [2, 2, 2, 2])
    #expect(try history.latest() == 4)
    let races = try history.entries().filter { [4, 1].contains($0.id) }
    #expect(try history.delete(races).map(\.id) == [4, 1])
    #expect(try history.delete(races).isEmpty)
    #expect(try history.entries().map(\.id) == [3, 2])
    #expect(throws: Failure.self) { try history.recording(4) }
    #expect(try history.latest() == 3)
  }

  @Test func equalRecordsStandByNameAndTheLastWinIsTheLatestOne() throws {
    let history = try history()
    // The second race began before the first: its clock was set back.
    for (names, time) in [(["C", "B"], 9), (["C", "A"], 3), (["B", "A"], 5)] as [([String], Int64)] {
      var event = RaceEvent(kind: .finish)
      (event.seq, event.winner, event.isProvisional) = (1, names.first, false)
      event.bees = names.map { Bee(name: $0, color: "") }
      try history.begin(at: Timestamp(seconds: time), url: "demo:")
      try history.add([event])
    }
    var records = try history.records()
    #expect(records.map(\.bee) == ["C", "B", "A"])
    #expect(records.map(\.lastWin?.seconds) == [9, 5, nil])
    #expect(records.map(\.positions) == [2, 3, 4])
    _ = try history.delete(history.entries().filter { $0.id < 3 })
    try history.begin(at: Timestamp(seconds: 6), url: "demo:")
    var event = RaceEvent(kind: .finish)
    (event.seq, event.winner) = (1, "A")
    event.bees = [Bee(name: "A", color: ""), Bee(name: "B", color: "")]
    try history.add([event])
    records = try history.records()
    #expect(records.map(\.bee) == ["A", "B"] && records.map(\.wins) == [1, 1])
    #expect(records.map(\.podiums) == [2, 2])
  }

  @Test func withoutRacesThereIsNoLatestOne() throws {
    let history = try history()
    let failure = failure { try history.latest() }
    #expect(failure?.kind == .notFound && failure?.message == "the history has no races")
    #expect(try history.entries().isEmpty && history.records().isEmpty)
  }

  @Test func nothingIsKeptBeforeARaceBegins() throws {
    let history = try history()
    try history.add(recorded())
    #expect(try history.entries().isEmpty)
    try history.begin(at: Timestamp(seconds: 1), url: "demo:")
    try history.add([])
    #expect(failure { try history.recording(1) }?.message == "race 1 is not in the history")
  }
}

extension RaceEvent {
  /// A line of a file.
  var line: [UInt8] { JSONWriter.bytes { write(to: &$0) } + [UInt8(ascii: "\n")] }
}
