import HTTP
import JSON
import System

/// The bikes that a user has rented from a server without users, stored in the state folder: such a server does not
/// store who has rented a bike. A note belongs to the address of the server, and to the token if there was one. The
/// file is private, since it contains PINs.
struct RentedNotes {
  struct Note: Equatable, Sendable {
    var id: String
    var name: String
    var pin: Pin?
    var since: Timestamp
    /// The place where the bike was rented; nil if it is unknown.
    var place: Place?
  }

  private let folder: String
  private let service: String
  /// A hash of the token; nil without one.
  private let user: String?

  init(folder: String, service: URL, token: String? = nil) {
    self.folder = folder
    self.service = service.withoutTrailingSlash.description
    user = token.map { String(SHA256.hex(Array("bikes-rented \($0)".utf8)).prefix(16)) }
  }

  private var path: String { "\(folder)/bikes-rented.jsonl" }

  /// Each line has the version.
  private static let format = FileFormat("bikes-rented")

  func all() throws(Failure) -> [Note] {
    try read().filter(isOwn).map(\.note)
  }

  func first(_ id: String) throws(Failure) -> Note? { try all().first { $0.id == id } }

  /// Fails if a newer hw wrote notes. Reports nothing else: a damaged line is reported when the notes are read.
  func checkVersion() throws(Failure) {
    guard let bytes = try? contents() else { return }
    var lines = JSONStream(MemorySource(bytes))
    while let json = try? lines.next() { try RentedNotes.format.check(json, of: path) }
  }

  /// Adds a note, which replaces an older one of the same bike. It is not synced to the disk: the server has the rental.
  func add(_ note: Note) throws(Failure) {
    let line = RentedNotes.line((service, user, note))
    try locked { () throws(Failure) in
      try checkVersion()
      try DisposableFile.append(line, to: path)
    }
  }

  func remove(_ id: String) throws(Failure) {
    try locked { () throws(Failure) in
      let others = try read().filter { !isOwn($0) || $0.note.id != id }
      try DisposableFile.replace(path, with: others.flatMap(RentedNotes.line))
    }
  }

  private typealias Entry = (service: String, user: String?, note: Note)

  /// A note that was made without a token may be of any user of this machine's account.
  private func isOwn(_ entry: Entry) -> Bool {
    entry.service == service && (entry.user == nil || entry.user == user)
  }

  /// Two commands at once must not lose each other's note.
  private func locked(_ change: () throws(Failure) -> Void) throws(Failure) {
    try Folder.make(folder)
    let lock = try LockedFile("\(folder)/bikes-rented.lock")
    try change()
    _ = consume lock
  }

  /// Returns nil without a file.
  private func contents() throws(Failure) -> [UInt8]? { try File.read(path, limit: 16 << 20) }

  /// The newest note of each bike, in the order in which they were rented.
  private func read() throws(Failure) -> [Entry] {
    try checkVersion()
    guard let bytes = try contents() else { return [] }
    do throws(Failure) {
      var notes: [Entry] = []
      var lines = JSONStream(MemorySource(bytes))
      while let json = try lines.next() {
        let service = try URL(json["service"].string).withoutTrailingSlash.description
        let note = Note(
          id: try json["id"].string, name: try json["name"].string,
          pin: try json["pin"].orNull.flatMap { json throws(Failure) in Pin(try json.string) },
          since: Timestamp(seconds: Int64(try json["since"].int)),
          place: try json["location"].orNull.map { json throws(Failure) in try Place(json) })
        let user = try json["user"].orNull?.string
        notes.removeAll { $0.service == service && $0.user == user && $0.note.id == note.id }
        notes.append((service, user, note))
      }
      return notes
    } catch {
      throw Failure(
        .storage, "'\(path)' is damaged: \(error.message)",
        hint: "it holds the bikes you have out; move it away and name the bike: 'hw bikes return ID'")
    }
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    let note = entry.note
    var writer = JSONWriter()
    writer.object { writer in
      format.write(to: &writer)
      writer.member("service", entry.service)
      if let user = entry.user { writer.member("user", user) }
      writer.member("id", note.id)
      writer.member("name", note.name)
      writer.member("pin", note.pin?.digits)
      writer.member("since", note.since.seconds)
      if let place = note.place {
        writer.member("location", place.write)
      }
    }
    writer.newline()
    return writer.bytes
  }
}
