import Foundation
import System
import Testing

@testable import Store

/// What is read without SQLite says what SQLite says.
@Suite(.enabled(if: Database.isAvailable)) struct Headers {
  @Test(arguments: [512, 4096, 65536])
  func saysWhatSQLiteSays(pageSize: Int) throws {
    let scratch = try Scratch()
    let path = scratch.file("a.db")
    #expect(DatabaseHeader(path) == nil)
    let database = try Database(.file(path), time: SystemTime())
    #expect(DatabaseHeader(path)?.version ?? 0 == 0)
    try database.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize); VACUUM")
    try database.execute(
      "PRAGMA application_id = 1752650355; PRAGMA user_version = 70000; CREATE TABLE a (b)")
    let header = try #require(DatabaseHeader(path))
    #expect(header.pageSize == pageSize && header.version == 70000 && header.applicationID == 1_752_650_355)
    try Data("SQLite format 4".utf8 + [UInt8](repeating: 0, count: 200)).write(to: URL(fileURLWithPath: path))
    #expect(DatabaseHeader(path) == nil)
  }
}
