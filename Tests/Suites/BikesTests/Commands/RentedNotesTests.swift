import Foundation
import System
import TestSupport
import Testing

@testable import Bikes
@testable import HTTP

/// The notes of the bikes that are rented: of several servers, several commands at once, and where they cannot be written.
@Suite struct NotesOfRentedBikes {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func notes(_ url: String) throws -> RentedNotes {
    RentedNotes(folder: scratch.path, service: try HTTP.URL(url))
  }

  private func note(_ id: String, _ name: String = "Hans") -> RentedNotes.Note {
    RentedNotes.Note(id: id, name: name, pin: Pin("5678"), since: Timestamp(seconds: 7), place: place(50, 8))
  }

  @Test func notesOfTwoServersDoNotMix() throws {
    let (one, two) = (try notes("http://one"), try notes("http://two"))
    try one.add(note("1", "One"))
    try two.add(note("1", "Two"))
    try two.add(note("2"))
    #expect(try one.all() == [note("1", "One")])
    #expect(try two.all() == [note("1", "Two"), note("2")])
    try one.add(note("1", "One again"))
    try two.remove("1")
    #expect(try one.all() == [note("1", "One again")])
    #expect(try two.all() == [note("2")])
    #expect(try one.note(of: "2") == nil)
  }

  /// A service may send any name, and the file must stay small enough to be read.
  @Test func longNameIsCut() throws {
    let notes = try notes("http://one")
    try notes.add(note("1", String(repeating: "\u{301}", count: 9_000_000)))
    #expect(try notes.note(of: "1")?.name.unicodeScalars.count == 1000)
  }

  /// One server or one store has one list, however its address is written.
  @Test func notesDoNotDependOnSpelling() throws {
    let folder = scratch.file("data")
    try Folder.make(folder)
    try #require(symlink(folder, scratch.file("link")) == 0)
    for (one, other) in [
      ("http://127.0.0.1:7400", "http://localhost:7400/"), ("http://LOCALHOST:7400", "http://[::1]:7400"),
      ("embedded:\(folder)", "embedded:\(folder)/"),
      ("embedded:\(folder)", "embedded:\(scratch.file("link"))"),
    ] {
      try notes(one).add(note("1"))
      #expect(try notes(other).all() == [note("1")], "\(other)")
      try notes(other).remove("1")
      #expect(try notes(one).all().isEmpty)
    }
  }

  /// Those of hw before this one.
  @Test func aNoteOfOldIsRead() throws {
    let line = #"{"service":"http://one/","id":"1","name":"Hans","pin":null,"since":7}"#
    try scratch.write("\(line)\n", to: "bikes-rented.jsonl")
    let notes = try notes("http://one")
    #expect(try notes.all() == [.init(id: "1", name: "Hans", pin: nil, since: Timestamp(seconds: 7))])
    #expect(try notes.all().map { RentedBike(note: $0, time: FakeClock()) }.first?.note.place == nil)
  }

  /// A command that waits for its response is not killed.
  @Test(installed, .eachEngine) func attemptOfARunningCommandIsLeftAlone() throws {
    let server = try TestServer()
    let (user, other) = (
      try TestUser(of: server, notesIn: scratch.path), try TestUser(of: server, notesIn: scratch.path)
    )
    let attempt = RentedNotes.Attempt(action: .rent, id: "1", key: "k", since: server.time.now())
    try user.renting.notes?.attempt(attempt) { _ throws(Failure) in
      do {
        #expect(try other.renting.rented().isEmpty)
        #expect(try other.renting.rent("2").id == "2")
        #expect(try server.ask(.put, "/bikes/1/rented", headers: ["Idempotency-Key": "k"]).status == 200)
      } catch {
        Issue.record(error)
      }
    }
    #expect(other.said == ["another command is renting or returning a bike, whose outcome is not listed yet"])
    #expect(try Set(user.renting.rented().map(\.id)) == ["1", "2"])
  }

  /// The file has whole seconds, and the clock of an attempt has not.
  @Test func endedAttemptIsNotInterrupted() throws {
    let notes = try notes("http://one")
    let attempt = RentedNotes.Attempt(action: .rent, id: "1", key: "k", since: Timestamp(milliseconds: 7500))
    try notes.attempt(attempt) { noted throws(Failure) in #expect(noted == attempt) }
    #expect(try notes.interrupted()?.map(\.key) == ["k"])
    try notes.end(attempt)
    #expect(try notes.interrupted() == [])
  }

  /// A note that was made without a token may be of anybody here.
  @Test func notesOfTwoUsersDoNotMix() throws {
    func notes(_ token: String?) throws -> RentedNotes {
      RentedNotes(folder: scratch.path, service: try HTTP.URL("http://one"), token: token)
    }
    let (ada, ben, nobody) = (try notes("a"), try notes("b"), try notes(nil))
    try nobody.add(note("1"))
    try ada.add(note("2"))
    try ben.add(note("3"))
    try ada.add(note("1", "Ada's"))
    #expect(try ada.all() == [note("1"), note("2"), note("1", "Ada's")])
    #expect(try ben.all() == [note("1"), note("3")])
    #expect(try nobody.all() == [note("1")])
    #expect(try ada.note(of: "1") == note("1") && ada.note(of: "3") == nil)
    try ada.remove("1")
    #expect(try ada.all() == [note("2")])
    #expect(try ben.all() == [note("3")])
    #expect(try nobody.all().isEmpty)
  }

  @Test func theNewestNoteOfABikeIsTheLast() throws {
    let one = try notes("http://one")
    for (id, name) in [("1", "A"), ("2", "B"), ("1", "C")] { try one.add(note(id, name)) }
    #expect(try one.all() == [note("2", "B"), note("1", "C")])
    #expect(try notes("http://one/").all() == one.all())
    var bare = note("4")
    (bare.pin, bare.place) = (nil, nil)
    try one.add(bare)
    #expect(try one.note(of: "4") == bare)
  }

  /// Later versions read it.
  @Test func aNoteIsALine() throws {
    func line(_ token: String?, _ note: RentedNotes.Note) throws -> String {
      let scratch = try ScratchDirectory()
      let folder = scratch.file("state/hw")
      try RentedNotes(folder: folder, service: try HTTP.URL("http://one/"), token: token).add(note)
      return scratch.text("state/hw/bikes-rented.jsonl")
    }
    #expect(
      try line("a", note("1")) == #"""
        {"version":2,"service":"http://one","user":"b199ccebf92e521f","id":"1","name":"Hans","pin":"5678",\#
        "since":7,"location":{"latitude":50,"longitude":8}}

        """#)
    var bare = note("1", "")
    (bare.pin, bare.place) = (nil, nil)
    #expect(
      try line(nil, bare) == #"""
        {"version":2,"service":"http://one","id":"1","name":"","pin":null,"since":7}

        """#)
  }

  @Test(
    installed,
    arguments: [
      (
        #"{"version":3,"service":"http://server","id":"1"}"#,
        "is of a newer hw: version 3, and this one reads up to 2"
      ),
      (#"{"version":1,"service":5}"#, "at service: expected a string, found a number"),
    ])
  func notesThatCannotBeReadAreLeftAlone(text: String, words: String) throws {
    try scratch.write("\(text)\n", to: "bikes-rented.jsonl")
    let member = try TestUser(of: TestServer(), notesIn: scratch.path)
    let notes = try #require(member.renting.notes)
    let isNewer = text.contains(":3")
    for found in [failure { try notes.all() }, failure { try notes.remove("1") }] {
      #expect(found?.kind == .storage && found?.message.contains(words) == true, "\(found as Any)")
    }
    #expect((failure { try notes.checkVersion() } != nil) == isNewer)
    if isNewer {
      #expect(failure { try notes.add(note("2")) }?.kind == .storage)
      #expect(failure { try member.renting.rent("1") }?.kind == .storage)
      #expect(member.transport.requests.isEmpty)
    }
    #expect(scratch.text("bikes-rented.jsonl") == "\(text)\n")
  }

  @Test(installed) func damagedNotesAreReportedBesideTheResponse() throws {
    try scratch.write("x\n", to: "bikes-rented.jsonl")
    let server = try TestServer()
    try server.ask(.put, "/bikes/1/rented")
    let member = try TestUser(of: server, notesIn: scratch.path)
    #expect(failure { try member.renting.rent("1") }?.message == "bike 1 is rented")
    #expect(member.said.count == 1)
    #expect(
      member.said.first?.hasPrefix("'\(scratch.path)/bikes-rented.jsonl' is damaged: ") == true,
      "\(member.said)")
  }

  /// What a recording says is no rental of today.
  @Test(installed) func aReplayChangesNoNotes() throws {
    let server = try TestServer()
    func session(isReplayed: Bool) throws -> RentalSession {
      RentalSession(
        client: server.client, notes: try notes("http://server"), isReplayed: isReplayed, time: server.time,
        report: { Issue.record("\($0)") },
        reportInterruption: { Issue.record("\($0)") })
    }
    #expect(try session(isReplayed: true).rent("1").id == "1")
    #expect(try notes("http://server").all() == [])
    #expect(try session(isReplayed: false).rent("2").id == "2")
    #expect(try session(isReplayed: true).returnBike("2", at: place(50.2, 8.7)).place == place(50.2, 8.7))
    #expect(try notes("http://server").all().map(\.id) == ["2"])
  }

  @Test func notesWrittenAtOnceAreAllKept() throws {
    let (folder, example) = (scratch.path, note(""))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        let notes = RentedNotes(folder: folder, service: try HTTP.URL("http://server"))
        for number in 0..<20 {
          var note = example
          note.id = "\(thread)-\(number)"
          try notes.add(note)
          if number % 2 == 1 { try notes.remove(note.id) }
        }
      } catch {
        Issue.record(error)
      }
    }
    let expected = (0..<8).flatMap { thread in (0..<10).map { "\(thread)-\(2 * $0)" } }
    #expect(try Set(notes("http://server").all().map(\.id)) == Set(expected))
    #expect(try notes("http://server").all().count == expected.count)
  }

  @Test(installed) func aNoteThatCannotBeWrittenIsReported() throws {
    try File.replace("\(scratch.path)/file", with: [])
    let member = try TestUser(of: TestServer(), notesIn: "\(scratch.path)/file/state")
    #expect(try member.renting.rent("1").pin?.digits == "5678", "it is rented all the same")
    #expect(member.said.count == 1)
    #expect(
      member.said.first?.hasPrefix("bike 1 is yours, but that could not be noted: ") == true, "\(member.said)"
    )
  }

  @Test(installed) func aNoteThatCannotBeRemovedIsReported() throws {
    let member = try TestUser(of: TestServer(), notesIn: scratch.path)
    _ = try member.renting.rent("1")
    try FileManager.default.removeItem(atPath: "\(scratch.path)/bikes-rented.lock")
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/bikes-rented.lock", withIntermediateDirectories: false)
    #expect(try member.renting.returnBike("1", at: place(50.2, 8.7)).isRented == false)
    #expect(
      member.said.first?.hasPrefix("bike 1 is returned, but still noted as yours: ") == true,
      "\(member.said)")
  }
}
