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
    Ran(.hw, ["cache"] + words, environment: ["HOME": home.path], time: FakeClock())
  }

  /// Caches a response; returns the size of its file.
  private func keep(_ name: String) throws -> Int {
    let address = "https://h.test/\(name)"
    let entry = CacheEntry(response: Response(200), stored: FakeClock.start.seconds)
    let file = CacheEntry.fileName(for: Request(.get, try URL(address)))
    try home.write(String(decoding: entry.bytes, as: UTF8.self), to: ".cache/hw/\(file)")
    return entry.bytes.count
  }

  @Test(arguments: [(1, "1 cached response"), (2, "2 cached responses")])
  func clearRemovesResponses(count: Int, shown: String) throws {
    let bytes = try (0..<count).map { try keep("\($0)") }.reduce(0, +)
    let line = "\(shown), \(bytes) bytes\n"
    #expect(run("clear", "--dry-run").output == line && home.names(".cache/hw").count == count)
    #expect(run("clear").output == line && home.names(".cache/hw") == [])
    #expect(run("clear", "--json").output == "{\"responses\":0,\"bytes\":0}\n")
  }
}
