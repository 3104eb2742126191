import JSON
import Store
import System

/// The bikes as `GET /bikes` reads them: from the database for the first few requests, since a command makes one and ends;
/// then from a grid in memory, which follows the changes of the database, whichever process wrote them.
final class BikeReadCache {
  private let bikes: BikeTable
  /// Whether everybody sees the PINs: on a server without users.
  private var showsPins = true
  private var grid: BikeGrid?
  private var requests = 0
  /// What the grid has of others' changes, and what it could have.
  private var readMark = ChangeMark.none
  private var mark = ChangeMark.none
  /// Something was written, so the grid may be out of date.
  private var isStale = false
  /// Other writers are looked for once a turn: the requests of one turn may all read the same state.
  private var isChecked = false

  private static let requestsBeforeGrid = 3

  init(_ bikes: BikeTable) {
    self.bikes = bikes
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

  /// The bikes in a circle, or all, ordered by number. A server may get its first user while it runs: then the entries
  /// with PINs are dropped.
  func entries(in circle: Circle?, showsPins: Bool) throws(Failure) -> [Entry] {
    if showsPins != self.showsPins {
      clear()
      self.showsPins = showsPins
    }
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
    readMark = .none
  }

  private func entry(_ record: BikeTable.Record) -> Entry {
    Entry(record, pin: showsPins ? record.bike.pin : nil)
  }

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
      mark = try bikes.database.changeMark()
      if mark != readMark { isStale = true }
      isChecked = true
    }
    if isStale {
      var changes: [BikeGrid.Change] = []
      if readMark == .none {
        try bikes.each { changes.append(BikeGrid.Change(number: $0.number, entry: entry($0))) }
      } else {
        try bikes.changes(from: readMark.floor) { record in
          // Some are read twice.
          guard grid?.revision(of: record.number) != record.revision else { return }
          changes.append(
            BikeGrid.Change(number: record.number, entry: record.isDeleted ? nil : entry(record)))
        }
      }
      grid?.apply(changes)
      isStale = false
    }
    readMark = mark
  }
}

/// The entries by number and by grid cell. Their memory depends on how many bikes there are, not on their numbers: one
/// row with a huge number costs no more than any other.
private struct BikeGrid {
  /// Sorted. A number stays after its bike was deleted, until `removeGaps`.
  private var numbers: [Int] = []
  /// By the index of the number; nil for a bike that was deleted.
  private var entries: [BikeReadCache.Entry?] = []
  private var gaps = 0
  private var cells: [Int: [Located]] = [:]

  /// An entry with its direction beside it: most entries of a cell are looked at for that alone.
  private struct Located {
    let direction: Direction
    let entry: BikeReadCache.Entry
  }

  /// One bike that has changed; `entry` is nil if it was deleted.
  struct Change {
    let number: Int
    let entry: BikeReadCache.Entry?
  }

  /// The revision of a bike that is here.
  func revision(of number: Int) -> Int? {
    let index = index(of: number)
    return index < numbers.count && numbers[index] == number ? entries[index]?.revision : nil
  }

  /// Applies changes of different bikes. New bikes usually have the largest numbers; only for others the list is sorted
  /// again, once for all of them.
  mutating func apply(_ changes: [Change]) {
    var unsorted: [BikeReadCache.Entry] = []
    for change in changes {
      let index = index(of: change.number)
      if index < numbers.count, numbers[index] == change.number {
        replace(index, with: change.entry)
      } else if let entry = change.entry {
        if index == numbers.count {
          numbers.append(entry.number)
          entries.append(entry)
        } else {
          unsorted.append(entry)
        }
        addToCell(entry)
      }
    }
    if !unsorted.isEmpty || gaps > numbers.count / 2 { removeGaps(adding: unsorted) }
  }

  private mutating func replace(_ index: Int, with entry: BikeReadCache.Entry?) {
    if let old = entries[index] { removeFromCell(old) } else { gaps -= 1 }
    entries[index] = entry
    if let entry {
      addToCell(entry)
    } else {
      gaps += 1
    }
  }

  private mutating func addToCell(_ entry: BikeReadCache.Entry) {
    cells[GridCell(entry.direction).number, default: []].append(
      Located(direction: entry.direction, entry: entry))
  }

  private mutating func removeFromCell(_ entry: BikeReadCache.Entry) {
    let cell = GridCell(entry.direction).number
    guard var inCell = cells.removeValue(forKey: cell) else { return }
    if let index = inCell.firstIndex(where: { $0.entry === entry }) {
      // The order within a cell has no meaning.
      inCell.swapAt(index, inCell.count - 1)
      inCell.removeLast()
    }
    if !inCell.isEmpty { cells[cell] = inCell }
  }

  private mutating func removeGaps(adding others: [BikeReadCache.Entry]) {
    let present = (entries.compactMap { $0 } + others).sorted { $0.number < $1.number }
    numbers = present.map(\.number)
    entries = present
    gaps = 0
  }

  /// The index of a number, or where it belongs.
  private func index(of number: Int) -> Int {
    if let last = numbers.last, last < number { return numbers.count }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
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
        guard let inCell = cells[cell] else { continue }
        for located in inCell where circle.contains(located.direction) { found.append(located.entry) }
      }
    }
    if found.count > 1 { found.sort { $0.number < $1.number } }
    return found
  }
}
