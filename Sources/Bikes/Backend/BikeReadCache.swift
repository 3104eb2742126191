import Store
import System

/// What is read from: the database itself for the first few queries, since a command asks once and is gone; a grid in
/// memory from then on, kept up with the database by its revisions, whoever wrote.
struct BikeView {
  private let bikes: BikeTable
  private let shows: @Sendable (BikeTable.Record) -> Pin?
  private var grid: BikeGrid?
  private var queries = 0
  private var version = 0
  /// The grid may be behind: something was written here.
  private var isBehind = false
  /// Whether others wrote is asked once a turn: what one turn brought may all see the same state.
  private var isChecked = false

  private static let queriesBeforeGrid = 3

  init(_ bikes: BikeTable, shows: @escaping @Sendable (BikeTable.Record) -> Pin?) {
    self.bikes = bikes
    self.shows = shows
  }

  mutating func entries(in circle: Circle?) throws(Failure) -> [BikeGrid.Entry] {
    if grid == nil {
      queries += 1
      guard queries > BikeView.queriesBeforeGrid else { return try read(circle) }
      grid = BikeGrid(shows: shows)
      isBehind = true
    }
    try catchUp()
    return grid?.entries(in: circle) ?? []
  }

  private func read(_ circle: Circle?) throws(Failure) -> [BikeGrid.Entry] {
    guard let circle else {
      var entries: [BikeGrid.Entry] = []
      try bikes.each { entries.append(BikeGrid.Entry($0, shows: shows)) }
      return entries
    }
    return try bikes.within(circle).map { BikeGrid.Entry($0, shows: shows) }
  }

  private mutating func catchUp() throws(Failure) {
    if !isChecked {
      let now = try bikes.database.versionOfOthers()
      if now != version { isBehind = true }
      version = now
      isChecked = true
    }
    guard isBehind, var grid = self.grid else { return }
    // Taken out meanwhile, so that it is changed in place.
    self.grid = nil
    try bikes.changes(after: grid.revision) { record in grid.take(record) }
    self.grid = grid
    isBehind = false
  }

  mutating func noteChange() { isBehind = true }
  mutating func turnEnded() { isChecked = false }

  /// What was read here may be more than was kept.
  mutating func forget() {
    grid = nil
    queries = 0
  }
}
