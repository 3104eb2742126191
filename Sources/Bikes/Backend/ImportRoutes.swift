import HTTP
import JSON
import Server
import Store
import System

/// Bikes of an import on their way: sent in pieces, and made bikes all at once. Until then they are nobody's bikes, and
/// what is left of a broken import is gone after a day.
struct StagedTable {
  let bikes: BikeTable
  private var database: Database { bikes.database }

  init(bikes: BikeTable) {
    self.bikes = bikes
  }

  func clear(before time: Int) throws(Failure) {
    try database.run("DELETE FROM staged WHERE at < ?", [.integer(time)])
  }

  /// A piece that is sent again after a lost response replaces itself, but never a row of another user.
  func put(
    _ profile: BikeProfile, number: Int, of upload: String, owner: String?, at now: Int
  ) throws(Failure) {
    let changed = try database.run(
      """
      INSERT INTO staged (upload, owner, number, name, color, pin, latitude, longitude, cell, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (upload, number) DO UPDATE SET
        owner = excluded.owner, name = excluded.name, color = excluded.color, pin = excluded.pin,
        latitude = excluded.latitude, longitude = excluded.longitude, cell = excluded.cell, at = excluded.at
      WHERE coalesce(staged.owner, '') = coalesce(excluded.owner, '')
      """,
      [
        .text(upload), .optional(owner), .integer(number), .text(profile.name), .text(profile.color),
        .text(profile.pin.digits), .real(profile.place.latitude), .real(profile.place.longitude),
        .integer(Cell(Direction(profile.place)).number), .integer(now),
      ])
    guard changed == 1 else {
      throw .refused(409, .conflict, "an import of another user has this id")
    }
  }

  /// How many there are, and whether they are these numbers from 0 on.
  func count(_ upload: String, owner: String?) throws(Failure) -> (rows: Int, isWhole: Bool) {
    try database.first(
      "SELECT count(*), coalesce(max(number) + 1, 0) FROM staged WHERE upload = ? AND coalesce(owner, '') = ?",
      [.text(upload), .text(owner ?? "")]
    ) { row throws(Failure) in (try row[0].integer, try row[0].integer == row[1].integer) } ?? (0, true)
  }

  /// Makes the rows of this user bikes, in their order.
  func finish(_ upload: String, owner: String?, rows: Int) throws(Failure) {
    try database.run(
      """
      INSERT INTO bike (id, name, color, pin, latitude, longitude, cell, rented, owner, deleted, revision)
      SELECT (SELECT coalesce(max(id) + 1, 0) FROM bike) + number, name, color, pin, latitude, longitude,
        cell, 0, owner, 0, (SELECT revision FROM state) + 1 + number
      FROM staged WHERE upload = ? AND coalesce(owner, '') = ?
      """, [.text(upload), .text(owner ?? "")])
    try database.run("UPDATE state SET revision = revision + ? WHERE id = 1", [.integer(rows)])
    try drop(upload, owner: owner)
  }

  func drop(_ upload: String, owner: String?) throws(Failure) {
    try database.run(
      "DELETE FROM staged WHERE upload = ? AND coalesce(owner, '') = ?", [.text(upload), .text(owner ?? "")])
  }
}

extension BikesBackend {
  /// A piece: JSON lines, the first of them number `first` of the whole.
  func stage(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    let upload = try upload(call)
    var number = try count(call, "first")
    let start = number
    try group.change { () throws(Failure) in
      try staged.clear(before: now - AnsweredTable.kept)
      var rows = JSONStream(MemorySource(call.body))
      while let row = try rows.next() {
        try staged.put(BikeProfile(row), number: number, of: upload, owner: caller.name, at: now)
        number += 1
      }
    }
    return BikesBackend.counted("staged", number - start)
  }

  func finishImport(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    let upload = try upload(call)
    let wanted = try count(call, "rows")
    return try once(call, caller) { () throws(Failure) in
      let (rows, isWhole) = try staged.count(upload, owner: caller.name)
      guard rows == wanted else {
        throw .refused(409, .conflict, "\(rows) of \(wanted) bikes of this import are here")
      }
      guard isWhole else {
        throw .refused(
          409, .conflict,
          "the bikes of this import are not numbered 0 to \(rows - 1): 'first' is how many were sent before a piece"
        )
      }
      try staged.finish(upload, owner: caller.name, rows: rows)
      return BikesBackend.counted("added", rows).body
    }
  }

  func dropImport(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    let upload = try upload(call)
    try group.change { () throws(Failure) in try staged.drop(upload, owner: caller.name) }
    return Response(200)
  }

  private func upload(_ call: Call) throws(Failure) -> String {
    let upload = call["upload"]
    guard (8...64).contains(upload.utf8.count), upload.allSatisfy(\.isHexDigit) else {
      throw Failure(.usage, "an import is named by 8 to 64 hexadecimal digits")
    }
    return upload
  }

  private func count(_ call: Call, _ name: String) throws(Failure) -> Int {
    guard let text = call.query[name], let number = Int(text), (0...100_000_000).contains(number) else {
      throw Failure(.usage, "\(name) wants a whole number")
    }
    return number
  }

  private static func counted(_ name: String, _ count: Int) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key(name)
      writer.integer(count)
    }
    return Response(200, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
