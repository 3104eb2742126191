import Command
import System
import TestSupport
import Testing

@testable import HTTP
@testable import hw

/// `hw cache` with responses in the cache.
@Suite struct CacheCommands {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ words: String...) -> Ran {
    // An hour ahead of UTC.
    Ran(.hw, ["cache"] + words, environment: ["HOME": home.path], time: FakeClock(offset: 3600))
  }

  /// Caches a response that came so many seconds ago; returns the size of its file.
  private func keep(_ name: String, _ headers: Headers = [:], ago seconds: Int64 = 0) throws -> Int {
    let address = "https://h.test/\(name)"
    let entry = CacheEntry(
      response: Response(200, headers: headers), stored: FakeClock.start.seconds - seconds, source: address)
    let file = CacheEntry.fileName(for: Request(.get, try URL(address)))
    try home.write(String(decoding: entry.bytes, as: UTF8.self), to: ".cache/hw/\(file)")
    return entry.bytes.count
  }

  /// Programs get the instants, people the local time.
  @Test func aResponseIsListedWithItsTimes() throws {
    let first = try keep("a", ["Cache-Control": "max-age=60"])
    let second = try keep("b", ["ETag": "1"], ago: 3600)
    #expect(
      run("list", "--json").output == """
        [{"asOf":1704067200,"expires":1704067260,"bytes":\(first),"source":"https://h.test/a"},
        {"asOf":1704063600,"expires":null,"bytes":\(second),"source":"https://h.test/b"}]

        """)
    let rows = run("list", "--no-header", "--fields", "asOf,expires").lines
    #expect(
      rows.map { $0.split(separator: " ").joined(separator: " ") } == [
        "2024-01-01 01:00:00+01:00 2024-01-01 01:01:00+01:00", "2024-01-01 00:00:00+01:00 -",
      ])
  }

  @Test(arguments: [(1, "1 cached response"), (2, "2 cached responses")])
  func clearing(count: Int, shown: String) throws {
    let bytes = try (0..<count).map { try keep("\($0)") }.reduce(0, +)
    let line = "\(shown), \(bytes) bytes\n"
    #expect(run("clear", "--dry-run").output == line && home.names(".cache/hw").count == count)
    #expect(run("clear").output == line && home.names(".cache/hw") == [])
    #expect(run("clear", "--json").output == "{\"responses\":0,\"bytes\":0}\n")
  }
}
