import HTTP
import JSON
import Server
import Store
import System

/// The routes of imports: a file is sent in pieces and becomes bikes in one step.
struct ImportRoutes {
  private let staged: StagedTable
  private let changes: IdempotentChanges

  init(_ bikes: BikeTable, _ changes: IdempotentChanges) {
    staged = StagedTable(bikes: bikes)
    self.changes = changes
  }

  var routes: [Route] {
    [
      Route(.post, "/imports/:upload", handler: stage), Route(.put, "/imports/:upload", handler: finish),
      Route(.delete, "/imports/:upload", handler: drop),
    ]
  }

  /// Takes a piece of an import: JSON lines, the first of which has the number `first`.
  private func stage(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let upload = try upload(call)
    var number = try count(call, "first")
    let start = number
    try changes.apply { () throws(Failure) in
      number = start
      try staged.clear(before: IdempotencyTable.expiry(at: changes.now))
      var rows = JSONStream(MemorySource(call.body))
      while let row = try rows.next() {
        try staged.put(BikeProfile(row), number: number, of: upload, owner: caller.name, at: changes.now)
        number += 1
      }
      guard try staged.count(upload, owner: caller.name, in: start..<number) == number - start else {
        throw .refused(409, .conflict, "an import of another user has this id")
      }
    }
    return .json(bytes: ImportRoutes.counted("staged", number - start))
  }

  private func finish(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let upload = try upload(call)
    let wanted = try count(call, "rows")
    return try changes.respond(to: call, from: caller) { () throws(Failure) in
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
      try staged.finish(upload, owner: caller.name)
      return ImportRoutes.counted("added", rows)
    }
  }

  private func drop(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let upload = try upload(call)
    try changes.apply { () throws(Failure) in try staged.drop(upload, owner: caller.name) }
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

  private static func counted(_ name: String, _ count: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key(name)
      writer.integer(count)
    }
    return writer.bytes
  }
}

/// The rows of imports that are not finished. Rows of an import that was never finished are deleted after a day.
private struct StagedTable {
  let bikes: BikeTable
  private var database: Database { bikes.database }

  func clear(before time: Int) throws(Failure) {
    try database.run("DELETE FROM staged WHERE at < ?", [.integer(time)])
  }

  /// A piece that is sent again after a lost response replaces itself, but never a row of another user.
  func put(
    _ profile: BikeProfile, number: Int, of upload: String, owner: String?, at now: Int
  ) throws(Failure) {
    try database.enqueue(
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
        .integer(GridCell(Direction(profile.place)).number), .integer(now),
      ])
  }

  /// How many of these numbers are rows of this user.
  func count(_ upload: String, owner: String?, in numbers: Range<Int>) throws(Failure) -> Int {
    try database.first(
      """
      SELECT count(*) FROM staged WHERE upload = ? AND coalesce(owner, '') = ? AND number >= ? AND number < ?
      """,
      [.text(upload), .text(owner ?? ""), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
    ) { row throws(Failure) in try row[0].integer } ?? 0
  }

  /// How many there are, and whether they are these numbers from 0 on.
  func count(_ upload: String, owner: String?) throws(Failure) -> (rows: Int, isWhole: Bool) {
    try database.first(
      "SELECT count(*), coalesce(max(number) + 1, 0) FROM staged WHERE upload = ? AND coalesce(owner, '') = ?",
      [.text(upload), .text(owner ?? "")]
    ) { row throws(Failure) in (try row[0].integer, try row[0].integer == row[1].integer) } ?? (0, true)
  }

  /// Makes the rows of this user bikes, in their order. Each takes the next number: bikes that are added meanwhile may
  /// come between.
  func finish(_ upload: String, owner: String?) throws(Failure) {
    try database.run(
      """
      INSERT INTO bike (id, name, color, pin, latitude, longitude, cell, rented, owner, deleted, revision, writer)
      SELECT nextval('bike_id'), name, color, pin, latitude, longitude, cell, 0, owner, 0,
        nextval('bike_revision'), txid_current()
      FROM (SELECT * FROM staged WHERE upload = ? AND coalesce(owner, '') = ? ORDER BY number) AS rows
      """, [.text(upload), .text(owner ?? "")])
    try drop(upload, owner: owner)
  }

  func drop(_ upload: String, owner: String?) throws(Failure) {
    try database.run(
      "DELETE FROM staged WHERE upload = ? AND coalesce(owner, '') = ?", [.text(upload), .text(owner ?? "")])
  }
}
