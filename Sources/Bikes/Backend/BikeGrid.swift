import JSON
import System

/// The bikes in memory, by their cells, each with its answer already written: what a server answers from. It follows the
/// database by revisions.
struct BikeGrid {
  /// A class: to hand one on is to count one thing, not the three that stand in it.
  final class Entry {
    let number: Int
    let direction: Direction
    let revision: Int
    let owner: String?
    let renter: String?
    /// As anybody may see it.
    let text: [UInt8]

    init(_ record: BikeTable.Record, shows: (BikeTable.Record) -> Pin?) {
      number = record.number
      direction = Direction(record.bike.place)
      revision = record.revision
      owner = record.bike.owner
      renter = record.renter
      var writer = JSONWriter()
      record.bike.write(to: &writer, pin: shows(record))
      text = writer.bytes
    }
  }

  /// By number; nil where there is none any more.
  private var entries: [Entry?] = []
  private var cells: [Int: [Int32]] = [:]
  private(set) var revision = 0
  private let shows: @Sendable (BikeTable.Record) -> Pin?

  /// `shows` decides which PIN anybody may see.
  init(shows: @escaping @Sendable (BikeTable.Record) -> Pin?) {
    self.shows = shows
  }

  /// Takes in one row that is newer than what is here.
  mutating func take(_ record: BikeTable.Record) {
    revision = max(revision, record.revision)
    guard let number = Int32(exactly: record.number), number >= 0 else { return }
    if let old = entry(record.number) {
      cells[Cell(old.direction).number]?.removeAll { $0 == number }
      entries[record.number] = nil
    }
    guard !record.isDeleted else { return }
    if entries.count <= record.number {
      entries.append(contentsOf: repeatElement(nil, count: record.number + 1 - entries.count))
    }
    let entry = Entry(record, shows: shows)
    entries[record.number] = entry
    cells[Cell(entry.direction).number, default: []].append(number)
  }

  func entry(_ number: Int) -> Entry? { entries.indices.contains(number) ? entries[number] : nil }

  /// Those in the circle, or all, in the order of their numbers.
  func entries(in circle: Circle?) -> [Entry] {
    guard let circle, let ranges = circle.cells else {
      return entries.compactMap { entry in
        guard let entry, circle?.contains(entry.direction) ?? true else { return nil }
        return entry
      }
    }
    var found: [Entry] = []
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
