import Store
import System

/// The rows of imports that are not finished, and how far their last step is. Rows of an import that was never finished
/// are deleted after a day.
struct StagedTable {
  let bikes: BikeTable
  private var database: Database { bikes.database }

  /// The last imports of a user that are known again.
  private static let digestsPerUser = 100
  /// Rows that one step of an import adds or deletes. Few, where each step is a transaction between the requests of
  /// others; many, where all are in one transaction, since each step passes over what those before it have changed.
  let rowsPerStep: Int

  func clear(before time: Int) throws(Failure) {
    // What became of the rows of an import is decided when its last step begins.
    try database.run(
      """
      DELETE FROM staged WHERE at < ?
        AND upload NOT IN (SELECT upload FROM importing WHERE state IN ('adding', 'dropping'))
      """, [.integer(time)])
    try database.run(
      "DELETE FROM importing WHERE at < ? AND state IN ('done', 'repeated')", [.integer(time)])
  }

  /// A piece that is sent again after a lost response replaces itself, but never a row of another user.
  func put(
    _ bike: ImportedBike, number: Int, of upload: String, asker: String?, at now: Int
  ) throws(Failure) {
    let profile = bike.profile
    try database.enqueue(
      """
      INSERT INTO staged
        (upload, owner, number, name, color, pin, latitude, longitude, cell, at, bike, bike_owner)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (upload, number) DO UPDATE SET
        owner = excluded.owner, name = excluded.name, color = excluded.color, pin = excluded.pin,
        latitude = excluded.latitude, longitude = excluded.longitude, cell = excluded.cell, at = excluded.at,
        bike = excluded.bike, bike_owner = excluded.bike_owner
      WHERE coalesce(staged.owner, '') = coalesce(excluded.owner, '')
      """,
      [
        .text(upload), .optional(asker), .integer(number), .text(profile.name), .text(profile.color),
        .text(profile.pin.digits), .real(profile.place.latitude), .real(profile.place.longitude),
        .integer(GridCell(Direction(profile.place)).number), .integer(now),
        bike.number.map(SQLValue.integer) ?? .null, .optional(bike.owner),
      ])
  }

  /// How many of these numbers are rows of this user.
  func count(_ upload: String, asker: String?, in numbers: Range<Int>) throws(Failure) -> Int {
    try database.count(
      """
      SELECT count(*) FROM staged WHERE upload = ? AND coalesce(owner, '') = ? AND number >= ? AND number < ?
      """,
      [.text(upload), .text(asker ?? ""), .integer(numbers.lowerBound), .integer(numbers.upperBound)])
  }

  /// How many there are, and whether they are these numbers from 0 on.
  func count(_ upload: String, asker: String?) throws(Failure) -> (rows: Int, isWhole: Bool) {
    try database.first(
      "SELECT count(*), coalesce(max(number) + 1, 0) FROM staged WHERE upload = ? AND coalesce(owner, '') = ?",
      [.text(upload), .text(asker ?? "")]
    ) { row throws(Failure) in (try row[0].integer, try row[0].integer == row[1].integer) } ?? (0, true)
  }

  /// The rows of all imports of a user, counted up to a limit.
  func count(of asker: String, upTo limit: Int) throws(Failure) -> Int {
    try database.count(
      """
      SELECT count(*) FROM
        (SELECT 1 FROM staged WHERE owner = ? AND owner IS NOT NULL LIMIT ?) AS own
      """,
      [.text(asker), .integer(limit)])
  }

  // MARK: The last step

  /// How far the last step of an import is.
  struct Progress {
    fileprivate(set) var state: State
    fileprivate(set) var added: Int
    fileprivate(set) var present: Int
    fileprivate var digest: String?

    var isRepeated: Bool { state == .dropping || state == .repeated }
  }

  enum State: String {
    /// The rows become bikes.
    case adding
    /// The file was imported before: the rows are deleted.
    case dropping
    case done
    case repeated
  }

  /// Whether the last step of an import has begun, whoever it belongs to.
  func isFinishing(_ upload: String) throws(Failure) -> Bool {
    try database.count("SELECT count(*) FROM importing WHERE upload = ?", [.text(upload)]) > 0
  }

  func progress(of upload: String, asker: String?) throws(Failure) -> Progress? {
    try database.first(
      "SELECT state, added, present, digest FROM importing WHERE upload = ? AND asker = ?",
      [.text(upload), .text(asker ?? "")]
    ) { row throws(Failure) in
      Progress(
        state: State(rawValue: try row[0].text) ?? .done, added: try row[1].integer,
        present: try row[2].integer, digest: try row[3].orNull?.text)
    }
  }

  func begin(
    _ upload: String, asker: String?, isRepeated: Bool, digest: String?, at now: Int
  ) throws(Failure) {
    if !isRepeated {
      // New ids are larger than those of the file.
      let largest = try database.first(
        "SELECT max(bike) FROM staged WHERE upload = ? AND bike IS NOT NULL", [.text(upload)]
      ) { row throws(Failure) in try row[0].orNull?.integer }
      if let largest = largest ?? nil { try database.raise("bike_id", above: largest) }
    }
    try database.run(
      "INSERT INTO importing (upload, asker, state, added, present, digest, at) VALUES (?, ?, ?, 0, 0, ?, ?)",
      [
        .text(upload), .text(asker ?? ""),
        .text((isRepeated ? State.dropping : .adding).rawValue), .optional(digest), .integer(now),
      ])
  }

  /// The imports whose last step has begun and not ended.
  func interrupted() throws(Failure) -> [(upload: String, asker: String?)] {
    try database.rows("SELECT upload, asker FROM importing WHERE state IN ('adding', 'dropping')") {
      row throws(Failure) in
      let asker = try row[1].text
      return (try row[0].text, asker.isEmpty ? nil : asker)
    }
  }

  /// Does a part of the last step; false after the last part.
  func step(_ upload: String, asker: String?, at now: Int) throws(Failure) -> Bool {
    guard var progress = try progress(of: upload, asker: asker) else { return false }
    switch progress.state {
    case .done, .repeated: return false
    case .dropping:
      guard try !drop(upload, asker: asker) else { return true }
      progress.state = .repeated
    case .adding:
      let (added, rows) = try add(
        upload, asker: asker, from: progress.added + progress.present, at: now)
      progress.added += added
      progress.present += rows - added
      if rows < rowsPerStep {
        progress.state = .done
        let bikes = progress.added + progress.present
        if let digest = progress.digest, bikes > 0 {
          try remember(digest, of: asker, bikes: bikes, at: now)
        }
      }
    }
    try database.run(
      "UPDATE importing SET state = ?, added = ?, present = ? WHERE upload = ? AND asker = ?",
      [
        .text(progress.state.rawValue), .integer(progress.added), .integer(progress.present), .text(upload),
        .text(asker ?? ""),
      ])
    return progress.state == .adding
  }

  /// Makes the rows from this number on bikes, in their order. A row without an id takes the next one: bikes that are
  /// added meanwhile may come between. A row whose id a bike has adds nothing; a bike that was deleted is there again.
  private func add(
    _ upload: String, asker: String?, from number: Int, at now: Int
  ) throws(Failure) -> (added: Int, rows: Int) {
    // The numbers of the rows have no gaps.
    let selection: [SQLValue] = [
      .text(upload), .text(asker ?? ""), .integer(number), .integer(number + rowsPerStep),
    ]
    let before = try database.nextValue(of: "bike_revision")
    let added = try database.run(
      """
      INSERT INTO bike (id, name, color, pin, latitude, longitude, cell, rented, owner, deleted, revision, writer)
      SELECT coalesce(bike, nextval('bike_id')), name, color, pin, latitude, longitude, cell, 0, bike_owner, 0,
        nextval('bike_revision'), txid_current()
      FROM (
        SELECT * FROM staged
        WHERE upload = ? AND coalesce(owner, '') = ? AND number >= ? AND number < ? ORDER BY number) AS rows
      WHERE NOT EXISTS (
        SELECT 1 FROM staged AS earlier
        WHERE earlier.upload = rows.upload AND earlier.bike = rows.bike AND earlier.number < rows.number)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, color = excluded.color, pin = excluded.pin, latitude = excluded.latitude,
        longitude = excluded.longitude, cell = excluded.cell, owner = excluded.owner, deleted = 0,
        revision = excluded.revision, writer = excluded.writer
      WHERE bike.deleted = 1
      """, selection)
    try database.run(
      """
      INSERT INTO rental
        (bike, renter, rented_at, from_latitude, from_longitude, returned_at, action, bike_owner)
      SELECT id, ?, ?, latitude, longitude, ?, 'add', owner FROM bike
      WHERE writer = txid_current() AND revision > ? ORDER BY id
      """, [.optional(asker), .integer(now), .integer(now), .integer(before)])
    let rows = try database.run(
      """
      DELETE FROM staged WHERE upload = ? AND coalesce(owner, '') = ? AND number >= ? AND number < ?
      """, selection)
    return (added, rows)
  }

  /// Deletes some rows; false after the last ones.
  func drop(_ upload: String, asker: String?) throws(Failure) -> Bool {
    try database.run(
      """
      DELETE FROM staged WHERE upload = ? AND number IN
        (SELECT number FROM staged WHERE upload = ? AND coalesce(owner, '') = ? LIMIT ?)
      """,
      [.text(upload), .text(upload), .text(asker ?? ""), .integer(rowsPerStep)])
      == rowsPerStep
  }

  // MARK: What was imported before

  func knows(_ digest: String, of asker: String?) throws(Failure) -> Bool {
    try database.first(
      "SELECT 1 FROM imported WHERE asker = ? AND digest = ?", [.text(asker ?? ""), .text(digest)]
    ) { _ throws(Failure) in true } ?? false
  }

  private func remember(_ digest: String, of asker: String?, bikes: Int, at now: Int) throws(Failure) {
    try database.run(
      """
      INSERT INTO imported (asker, digest, bikes, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (asker, digest) DO UPDATE SET bikes = excluded.bikes, at = excluded.at
      """, [.text(asker ?? ""), .text(digest), .integer(bikes), .integer(now)])
    try database.run(
      """
      DELETE FROM imported WHERE asker = ? AND digest NOT IN
        (SELECT digest FROM imported WHERE asker = ? ORDER BY at DESC, digest LIMIT ?)
      """, [.text(asker ?? ""), .text(asker ?? ""), .integer(StagedTable.digestsPerUser)])
  }
}
