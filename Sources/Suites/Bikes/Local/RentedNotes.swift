import HTTP
import JSON
import System

/// Notes of bikes rented from servers without users, which do not store renters. A note belongs to the address of the
/// server, and to the token if there is one. The file is private, since it contains PINs.
struct RentedNotes {
  struct Note: Equatable, Sendable {
    var id: String
    var name: String
    var pin: Pin?
    var since: Timestamp
    /// The place of the rental's start; nil if it is unknown.
    var place: Place?
  }

  /// A request to rent or return a bike without a noted outcome: its command waits for the response, or was killed.
  struct Attempt: Equatable, Sendable {
    enum Action: String, Sendable {
      case rent
      case giveBack = "return"
    }

    let action: Action
    let id: String
    let key: String
    let since: Timestamp
  }

  private let folder: String
  private let service: String
  private let user: String?

  init(folder: String, service: URL, token: String? = nil) {
    self.folder = folder
    self.service = service.identity.description
    user = token.map { String(SHA256.hex(Array("bikes-rented \($0)".utf8)).prefix(16)) }
  }

  private var path: String { "\(folder)/bikes-rented.jsonl" }

  /// Commands that wait for a response share a lock on this file.
  private var waitingPath: String { "\(folder)/bikes-rented.waiting" }

  /// Each line has the version. Version 1 has no attempts.
  private static let format = FileFormat("bikes-rented", version: 2, oldest: 1)

  func all() throws(Failure) -> [Note] { try read().filter(mayBeOwn).compactMap(\.note) }

  func note(of id: String) throws(Failure) -> Note? { try all().first { $0.id == id } }

  /// Fails if a newer version wrote notes. Damaged lines are reported when the notes are read.
  func checkVersion() throws(Failure) { if let bytes = try? contents() { try checkVersion(of: bytes) } }

  private func checkVersion(of bytes: [UInt8]) throws(Failure) {
    var lines = JSONStream(MemorySource(bytes))
    while let json = try? lines.next() { try RentedNotes.format.check(json, of: path) }
  }

  /// Replaces an older note of the bike, and ends an attempt to rent it.
  func add(_ note: Note) throws(Failure) {
    try change { entries in
      entries.removeAll {
        isOwn($0)
          && ($0.note?.id == note.id || $0.attempt.map { $0.id == note.id && $0.action == .rent } == true)
      }
      entries.append(Entry(service: service, user: user, note: note))
    }
  }

  /// Removes the note of a bike, and the attempts to rent or return it.
  func remove(_ id: String) throws(Failure) {
    try change { entries in entries.removeAll { mayBeOwn($0) && ($0.note?.id ?? $0.attempt?.id) == id } }
  }

  /// Notes a request, and calls `body` to send it: with nil if the request cannot be noted, else with the attempt, which
  /// `body` ends.
  func attempt<Value>(
    _ attempt: Attempt, _ body: (Attempt?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let waiting = try? begin(attempt) else { return try body(nil) }
    let value = try body(attempt)
    // Other commands do not end this attempt while the lock is held.
    _ = consume waiting
    return value
  }

  private func begin(_ attempt: Attempt) throws(Failure) -> LockedFile {
    try Folder.make(folder)
    let waiting = try LockedFile(sharing: waitingPath)
    try change { $0.append(Entry(service: service, user: user, attempt: attempt)) }
    return waiting
  }

  /// Removes an attempt that had no effect, or whose result is stored.
  func end(_ attempt: Attempt) throws(Failure) {
    try change { entries in entries.removeAll { $0.attempt?.key == attempt.key } }
  }

  /// Attempts of killed commands; nil while another command waits for a response, because an attempt could be its own.
  func interrupted() throws(Failure) -> [Attempt]? {
    let attempts = try read().filter(isOwn).compactMap(\.attempt)
    guard !attempts.isEmpty, try LockedFile.isLocked(waitingPath) else { return attempts }
    return nil
  }

  private struct Entry: Equatable {
    var service: String
    var user: String?
    var note: Note?
    var attempt: Attempt?
  }

  private func isOwn(_ entry: Entry) -> Bool { entry.service == service && entry.user == user }

  /// Notes without a token can belong to every user of this account.
  private func mayBeOwn(_ entry: Entry) -> Bool {
    entry.service == service && (entry.user == nil || entry.user == user)
  }

  /// Changes the file under a lock and replaces it, so that an attempt is on the disk before its request is sent.
  private func change(_ change: (inout [Entry]) -> Void) throws(Failure) {
    try Folder.make(folder)
    let lock = try LockedFile("\(folder)/bikes-rented.lock")
    let before = try read()
    var entries = before
    change(&entries)
    if entries != before { try File.replace(path, with: entries.flatMap(RentedNotes.line)) }
    _ = consume lock
  }

  private func contents() throws(Failure) -> [UInt8]? { try File.read(path, limit: 16 << 20) }

  /// The newest note of each bike in the order of rentals, and the attempts.
  private func read() throws(Failure) -> [Entry] {
    guard let bytes = try contents() else { return [] }
    try checkVersion(of: bytes)
    do throws(Failure) {
      var entries: [Entry] = []
      var lines = JSONStream(MemorySource(bytes))
      while let json = try lines.next() {
        let entry = try RentedNotes.entry(json)
        if let note = entry.note {
          entries.removeAll {
            $0.service == entry.service && $0.user == entry.user && $0.note?.id == note.id
          }
        }
        entries.append(entry)
      }
      return entries
    } catch {
      throw Failure(
        .storage, "'\(path)' is damaged: \(error.message)",
        hint: "it holds the bikes you have out; move it away and name the bike: 'hw bikes return ID'")
    }
  }

  private static func entry(_ json: JSON) throws(Failure) -> Entry {
    var entry = Entry(
      service: try URL(json["service"].string).identity.description,
      user: try json["user"].orNull?.string)
    let (id, since) = (try json["id"].string, try json["since"].timestamp)
    if let text = try json["attempt"].orNull?.string {
      guard let action = Attempt.Action(rawValue: text) else {
        throw Failure(.invalidData, "unknown attempt '\(text)'")
      }
      entry.attempt = Attempt(action: action, id: id, key: try json["key"].string, since: since)
    } else {
      entry.note = Note(
        id: id, name: try json["name"].string,
        pin: try json["pin"].orNull.flatMap { json throws(Failure) in Pin(try json.string) }, since: since,
        place: try json["location"].orNull.map { json throws(Failure) in try Place(json) })
    }
    return entry
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    JSONWriter.object { writer in
      format.write(to: &writer)
      writer.member("service", entry.service)
      if let user = entry.user { writer.member("user", user) }
      if let attempt = entry.attempt {
        writer.member("attempt", attempt.action.rawValue)
        writer.member("id", attempt.id)
        writer.member("key", attempt.key)
        writer.member("since", attempt.since.seconds)
      }
      if let note = entry.note {
        writer.member("id", note.id)
        // A name of the service without a limit would make the file too large to be read.
        writer.member("name", String(note.name.unicodeScalars.prefix(1000)))
        writer.member("pin", note.pin?.digits)
        writer.member("since", note.since.seconds)
        if let place = note.place { writer.member("location", place.write) }
      }
    } + [UInt8(ascii: "\n")]
  }
}
