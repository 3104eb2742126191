import JSON
import Server
import Store
import System

/// The bikes for `GET /bikes`. The first few requests read the database, because a command sends one request. Later
/// ones read a grid in memory, which follows the changes of the database by any process.
final class BikeReadCache {
  private let bikes: BikeTable
  /// The secret for ids of the feed. The epoch itself is never sent.
  let secret: String
  private(set) var changeCount = 0
  /// The number of the last loaded bike; nil when the grid is complete.
  private var loaded: Int?
  /// Everybody sees PINs on a server without users.
  private var showsPins = true
  private var grid: BikeGrid?
  /// Free bikes in the order of their changes; nil after a change.
  private var ordered: [Entry]?
  private var requests = 0
  /// The grid is current up to this mark; `mark` is the latest one of the database.
  private var readMark = ChangeMark.none
  private var mark = ChangeMark.none
  /// Set by writes: the grid may be out of date.
  private var isStale = false
  /// Whether changes of other writers were looked up in this turn. Requests of a turn may read the same state.
  private var isChecked = false

  private static let requestsBeforeGrid = 3
  private static let bikesPerStep = 500

  init(_ bikes: BikeTable, epoch: String) {
    self.bikes = bikes
    secret = "gbfs \(epoch)"
  }

  /// A class, so that a copy retains one reference instead of all members.
  final class Entry {
    let number: Int
    fileprivate let direction: Direction
    let place: Place
    let revision: Int
    let isRented: Bool
    let state: BikeState
    let owner: String?
    let renter: String?
    /// The JSON for all users. Has the PIN only on a server without users.
    let json: [UInt8]
    /// The index of the PIN in `json`, `null` on a server with users.
    private let pinPosition: Int
    /// The PIN as a JSON value, for users who may see it.
    private let pin: String
    private var prepared: [View: [UInt8]] = [:]
    private var temporaryID: String?

    fileprivate init(_ record: BikeTable.Record, showsPin: Bool) {
      number = record.number
      direction = Direction(record.bike.place)
      place = record.bike.place
      revision = record.revision
      isRented = record.bike.isRented
      state = record.bike.state
      owner = record.bike.owner
      renter = record.renter
      pin = record.bike.pin.map { "\"\($0.digits)\"" } ?? "null"
      var writer = JSONWriter()
      pinPosition = record.bike.write(to: &writer, pin: showsPin ? record.bike.pin : nil)
      json = writer.bytes
    }

    /// Appends the JSON with PIN and renter.
    func appendWithPin(to body: inout [UInt8]) {
      let length = json[pinPosition] == UInt8(ascii: "n") ? 4 : pin.utf8.count
      body += json[..<pinPosition]
      body += pin.utf8
      body += json[(pinPosition + length)...]
      guard let renter else { return }
      body.removeLast()
      body += #","renter":"#.utf8
      JSONWriter.appendString(renter, to: &body)
      body.append(UInt8(ascii: "}"))
    }

    /// The JSON for readers who must not be able to track the bike. The id in it changes with each change of the bike.
    fileprivate func json(for view: View, secret: String) -> [UInt8] {
      if let ready = prepared[view] { return ready }
      let id = temporaryID(secret: secret)
      let json =
        switch view {
        case .feed: GBFS.Vehicle(id: id, place: place, isDisabled: state != .available).json
        case .stranger: Entry.jsonForStrangers(id, place)
        }
      prepared[view] = json
      return json
    }

    fileprivate func temporaryID(secret: String) -> String {
      if let temporaryID { return temporaryID }
      let id = GBFS.Vehicle.id(of: String(number), "\(revision)", secret: secret)
      temporaryID = id
      return id
    }

    fileprivate func isPrepared(for view: View) -> Bool { prepared[view] != nil }

    private static func jsonForStrangers(_ id: String, _ place: Place) -> [UInt8] {
      let bike = Bike(id: id, name: "", color: "", pin: nil, place: place, isRented: false, owner: nil)
      return JSONWriter.bytes { bike.write(to: &$0, pin: nil) }
    }
  }

  /// Representations of a free bike that do not identify it.
  enum View {
    /// A vehicle of the feed, from the value of its id on.
    case feed
    case stranger
  }

  /// The bikes in a circle, or all, by number; nil while the grid is incomplete. Drops PINs once users exist.
  func entries(in circle: Circle?, _ dividedRead: DividedRead, _ call: Call) throws(Failure) -> [Entry]? {
    setShowsPins(!call.serverHasUsers)
    if grid == nil {
      requests += 1
      // On a server the complete list waits for the grid, which is read as fast.
      guard requests > BikeReadCache.requestsBeforeGrid || circle == nil && dividedRead.divides(call) else {
        return try read(circle)
      }
    }
    guard try load(dividedRead, call) else { return circle == nil ? nil : try read(circle) }
    return grid?.entries(in: circle) ?? []
  }

  /// Free bikes with prepared JSON for `view`; nil while that is incomplete. Strangers see only available bikes.
  func free(
    in circle: Circle?, for view: View, _ dividedRead: DividedRead, _ call: Call
  ) throws(Failure) -> [Entry]? {
    guard try load(dividedRead, call) else { return nil }
    var free = circle == nil ? freeByChange() : BikeReadCache.sortedFree(grid?.entries(in: circle) ?? [])
    if view == .stranger { free.removeAll { $0.state != .available } }
    var rest = free[...]
    let isPrepared = try dividedRead.run(call) { () throws(Failure) in
      rest = rest.drop { $0.isPrepared(for: view) }
      for entry in rest.prefix(BikeReadCache.bikesPerStep) { _ = entry.json(for: view, secret: secret) }
      return !rest.isEmpty
    }
    return isPrepared ? free : nil
  }

  /// The entries by number, with nil for deleted bikes.
  var snapshot: [Entry?] { grid?.entries ?? [] }

  /// Free bikes, latest change last. In the order of numbers, a returned bike would be identified by its position.
  func freeByChange() -> [Entry] {
    if let ordered { return ordered }
    let free = BikeReadCache.sortedFree(snapshot.compactMap(\.self))
    ordered = free
    return free
  }

  private static func sortedFree(_ entries: [Entry]) -> [Entry] {
    entries.filter { !$0.isRented }.sorted { $0.revision < $1.revision }
  }

  func json(of entry: Entry, for view: View) -> [UInt8] { entry.json(for: view, secret: secret) }

  /// The id of a bike until its next change. Does not identify the bike.
  func temporaryID(of entry: Entry) -> String { entry.temporaryID(secret: secret) }

  private func setShowsPins(_ showsPins: Bool) {
    guard showsPins != self.showsPins else { return }
    clear()
    self.showsPins = showsPins
  }

  /// Loads the grid and applies changes. Returns false if the grid is not complete yet.
  func load(_ dividedRead: DividedRead, _ call: Call) throws(Failure) -> Bool {
    setShowsPins(!call.serverHasUsers)
    try check()
    if grid == nil {
      readMark = mark
      grid = BikeGrid()
      loaded = .min
    }
    guard try dividedRead.run(call, { () throws(Failure) in try loadStep() }) else { return false }
    try update()
    return true
  }

  private func loadStep() throws(Failure) -> Bool {
    guard let last = loaded else { return false }
    var changes: [BikeGrid.Change] = []
    try bikes.each(after: last, atMost: BikeReadCache.bikesPerStep) {
      changes.append(BikeGrid.Change(number: $0.number, entry: entry($0)))
    }
    grid?.apply(changes)
    // Changes during the load are read afterwards.
    isStale = true
    loaded = changes.count < BikeReadCache.bikesPerStep ? nil : changes.last?.number
    return loaded != nil
  }

  func noteChange() { isStale = true }

  func turnEnded() { isChecked = false }

  private func clear() {
    grid = nil
    ordered = nil
    requests = 0
    changeCount += 1
  }

  private func entry(_ record: BikeTable.Record) -> Entry { Entry(record, showsPin: showsPins) }

  private func read(_ circle: Circle?) throws(Failure) -> [Entry] {
    guard let circle else {
      var entries: [Entry] = []
      try bikes.each { entries.append(entry($0)) }
      return entries
    }
    return try bikes.within(circle).map(entry)
  }

  /// Checks for changes of others. In another history of the database the grid is invalid.
  private func check() throws(Failure) {
    guard !isChecked else { return }
    mark = try bikes.database.changeMark()
    isChecked = true
    if mark.history != readMark.history { clear() }
    if mark != readMark { isStale = true }
  }

  private func update() throws(Failure) {
    if isStale {
      var changes: [BikeGrid.Change] = []
      try bikes.changes(from: readMark.floor) { record in
        // Some changes are read twice.
        guard grid?.revision(of: record.number) != (record.isDeleted ? nil : record.revision) else { return }
        changes.append(BikeGrid.Change(number: record.number, entry: record.isDeleted ? nil : entry(record)))
      }
      grid?.apply(changes)
      if !changes.isEmpty {
        changeCount += 1
        ordered = nil
      }
      isStale = false
    }
    readMark = mark
  }
}

/// Entries by number and by grid cell. The memory depends on the number of bikes, and not on their ids.
private struct BikeGrid {
  /// Sorted. Contains numbers of deleted bikes until `removeGaps`.
  private var numbers: [Int] = []
  /// Entries by index of the number; nil for deleted bikes.
  private(set) var entries: [BikeReadCache.Entry?] = []
  private var gaps = 0
  private var cells: [Int: [Located]] = [:]

  /// An entry with its direction, which is all that a search reads of most entries.
  private struct Located {
    let direction: Direction
    let entry: BikeReadCache.Entry
  }

  /// A changed bike; `entry` is nil if it was deleted.
  struct Change {
    let number: Int
    let entry: BikeReadCache.Entry?
  }

  func revision(of number: Int) -> Int? {
    let index = index(of: number)
    return index < numbers.count && numbers[index] == number ? entries[index]?.revision : nil
  }

  /// Applies changes of different bikes. New bikes usually have the largest numbers; otherwise the list is sorted once.
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
    if let entry { addToCell(entry) } else { gaps += 1 }
  }

  private mutating func addToCell(_ entry: BikeReadCache.Entry) {
    cells[GridCell.number(of: entry.direction), default: []].append(
      Located(direction: entry.direction, entry: entry))
  }

  private mutating func removeFromCell(_ entry: BikeReadCache.Entry) {
    let cell = GridCell.number(of: entry.direction)
    guard var inCell = cells.removeValue(forKey: cell) else { return }
    if let index = inCell.firstIndex(where: { $0.entry === entry }) {
      // Entries of a cell are unordered.
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

  private func index(of number: Int) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

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
    found.sort { $0.number < $1.number }
    return found
  }
}
