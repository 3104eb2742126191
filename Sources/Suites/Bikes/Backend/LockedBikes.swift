/// Bikes that a batch of requests is about to change, locked and read before the first handler.
///
/// Each record is used once: the first handler may change the bike, so the next one reads it again.
final class LockedBikes {
  private var records: [Int: BikeTable.Record] = [:]

  func add(_ record: BikeTable.Record) { records[record.number] = record }

  func take(_ number: Int) -> BikeTable.Record? { records.removeValue(forKey: number) }

  func removeAll() { records.removeAll(keepingCapacity: true) }

  /// Repeats the last number until the count is a power of two, so that few different statements are prepared.
  static func places(for numbers: [Int]) -> [Int] {
    guard let last = numbers.last else { return [] }
    var count = 1
    while count < numbers.count { count *= 2 }
    return numbers + Array(repeating: last, count: count - numbers.count)
  }
}
