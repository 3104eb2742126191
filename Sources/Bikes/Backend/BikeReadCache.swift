import JSON
import Store
import System

/// The bikes as `GET /bikes` reads them: from the database for the first few requests, since a command makes one and ends;
/// then from a grid in memory, which follows the revisions of the database, whichever process wrote them.
final class BikeReadCache {
  private let bikes: BikeTable
  private let publicPin: @Sendable (BikeTable.Record) -> Pin?
  private var grid: BikeGrid?
  private var requests = 0
  private var dataVersion = 0
  /// Something was written here, so the grid may be out of date.
  private var isStale = false
  /// Other writers are looked for once a turn: the requests of one turn may all read the same state.
  private var isChecked = false

  private static let requestsBeforeGrid = 3

  /// `publicPin` returns the PIN that anybody may see.
  init(_ bikes: BikeTable, publicPin: @escaping @Sendable (BikeTable.Record) -> Pin?) {
    self.bikes = bikes
    self.publicPin = publicPin
  }

  /// A class, so that passing one on counts one reference and not those of its members.
  final class Entry {
    let number: Int
    fileprivate let direction: Direction
    let revision: Int
    let owner: String?
    let renter: String?
    /// The JSON that anybody may see.
    let json: [UInt8]

    fileprivate init(_ record: BikeTable.Record, pin: Pin?) {
      number = record.number
      direction = Direction(record.bike.place)
      revision = record.revision
      owner = record.bike.owner
      renter = record.renter
      json = record.json(pin: pin)
    }
  }

  /// The bikes in a circle, or all, ordered by number.
  func entries(in circle: Circle?) throws(Failure) -> [Entry] {
    if grid == nil {
      requests += 1
      guard requests > BikeReadCache.requestsBeforeGrid else { return try read(circle) }
      grid = BikeGrid()
      isStale = true
    }
    try update()
    return grid?.entries(in: circle) ?? []
  }

  /// Called after a change was written.
  func noteChange() { isStale = true }

  /// Called at the end of each turn of the server.
  func turnEnded() { isChecked = false }

  /// Drops what was read, for instance from changes that were rolled back.
  func clear() {
    grid = nil
    requests = 0
  }

  private func entry(_ record: BikeTable.Record) -> Entry { Entry(record, pin: publicPin(record)) }

  private func read(_ circle: Circle?) throws(Failure) -> [Entry] {
    guard let circle else {
      var entries: [Entry] = []
      try bikes.each { entries.append(entry($0)) }
      return entries
    }
    return try bikes.within(circle).map(entry)
  }

  private func update() throws(Failure) {
    if !isChecked {
      let version = try bikes.database.dataVersion()
      if version != dataVersion { isStale = true }
      dataVersion = version
      isChecked = true
    }
    guard isStale, var grid = self.grid else { return }
    // Taken out meanwhile, so that it is changed in place.
    self.grid = nil
    try bikes.changes(after: grid.revision) { record in
      grid.update(record.number, to: record.isDeleted ? nil : entry(record), revision: record.revision)
    }
    self.grid = grid
    isStale = false
  }
}

/// The entries by number and by grid cell.
private struct BikeGrid {
  /// By number; nil for a bike that was deleted.
  private var entries: [BikeReadCache.Entry?] = []
  private var cells: [Int: [Int32]] = [:]
  private(set) var revision = 0

  /// Replaces the entry of a bike; nil removes it.
  mutating func update(_ number: Int, to entry: BikeReadCache.Entry?, revision: Int) {
    self.revision = max(self.revision, revision)
    guard let key = Int32(exactly: number), number >= 0 else { return }
    if entries.indices.contains(number), let old = entries[number] {
      cells[GridCell(old.direction).number]?.removeAll { $0 == key }
      entries[number] = nil
    }
    guard let entry else { return }
    if entries.count <= number {
      entries.append(contentsOf: repeatElement(nil, count: number + 1 - entries.count))
    }
    entries[number] = entry
    cells[GridCell(entry.direction).number, default: []].append(key)
  }

  /// The entries in a circle, or all, ordered by number.
  func entries(in circle: Circle?) -> [BikeReadCache.Entry] {
    guard let circle, let ranges = circle.cells else {
      return entries.compactMap { entry in
        guard let entry, circle?.contains(entry.direction) ?? true else { return nil }
        return entry
      }
    }
    var found: [BikeReadCache.Entry] = []
    for range in ranges {
      for cell in range {
        for number in cells[cell] ?? [] {
          if let entry = entries[Int(number)], circle.contains(entry.direction) { found.append(entry) }
        }
      }
    }
    if found.count > 1 { found.sort { $0.number < $1.number } }
    return found
  }
}
