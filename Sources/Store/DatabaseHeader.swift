import System

/// What the first bytes of a database file say, as SQLite's file format has them: to read them costs a tenth of what
/// SQLite would take to answer the same. Only for a file at rest: while one has a log, that may hold newer bytes, and
/// closing the file would give back the locks that this process holds on it.
struct DatabaseHeader {
  let pageSize: Int
  let version: Int
  let applicationID: Int

  /// Nil where there is no file, or none of SQLite's.
  init?(_ path: String) {
    guard let file = try? File.open(path, .read) else { return nil }
    defer { file.close() }
    var bytes = [UInt8](repeating: 0, count: 100)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    guard (try? file.read(into: &room)) == bytes.count, bytes.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
    // The one size that two bytes have no room for.
    pageSize = number(16..<18) == 1 ? 65536 : number(16..<18)
    version = number(60..<64)
    applicationID = number(68..<72)
  }
}
