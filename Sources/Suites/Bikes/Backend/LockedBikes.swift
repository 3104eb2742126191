/// The bikes that the requests of a batch are about to change, locked and read before the first handler runs.
///
/// Each is taken once: the first handler may change the bike, so the next one of the batch reads it again.
final class LockedBikes {
  private var records: [Int: BikeTable.Record] = [:]

  func add(_ record: BikeTable.Record) { records[record.number] = record }

  func take(_ number: Int) -> BikeTable.Record? { records.removeValue(forKey: number) }

  func removeAll() { records.removeAll(keepingCapacity: true) }

  /// The numbers, the last one repeated until their count is a power of two: so there are few texts of the statement,
  /// and each is prepared once.
  static func places(for numbers: [Int]) -> [Int] {
    guard let last = numbers.last else { return [] }
    var count = 1
    while count < numbers.count { count *= 2 }
    return numbers + Array(repeating: last, count: count - numbers.count)
  }
}
