import Foundation
import TestSupport
import Testing

/// Another process holds the write lock of a SQLite database, as the `sqlite3` shell does in a transaction.
@Suite(.ownThread) struct LockHeld {
  /// The shell, in a transaction that ends when its input does.
  private struct Holder {
    let process: Started
    private let input: Int32

    init(_ database: String, in home: Home) throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      // Not open in the children of other tests as well, or the shell's input would not end.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      process = try Started(["sqlite3", "-bail", database], in: home, input: ends[0])
      close(ends[0])
      input = ends[1]
      let script = Array("BEGIN IMMEDIATE;\n.shell touch .locked\n".utf8)
      try #require(write(input, script, script.count) == script.count)
      try waitUntil("the lock to be taken") { home.names.contains(".locked") || process.hasEnded }
      try #require(!process.hasEnded, "\(home.text(".2"))")
    }

    func release() -> Ending {
      close(input)
      return process.end()
    }
  }

  /// The reads are all answered before the lock is released. Had they waited for it with the write, then the write would
  /// have failed.
  @Test(.needs(.sqlite3))
  func readsAreAnsweredWhileAWriteWaits() throws {
    let server = try Serving.Server(["--samples", "--store", "store"])
    let writer = try #require(RawConnection(server.url))
    let readers = try (0..<4).map { _ in try #require(RawConnection(server.url)) }
    let holder = try Holder("\(server.home.path)/store/bikes.db", in: Home())
    #expect(writer.send("PUT", "/bikes/1/rented"))
    try waitUntil("the server to read the request") { writer.isRead }
    for path in ["/bikes", "/bikes/1", "/rentals", "/scores", "/bikes/1"] {
      for reader in readers {
        let answer = reader.ask("GET", path)
        #expect(answer?.status == 200)
        if path == "/bikes/1" { #expect(answer?.body.contains(#""rented":false"#) == true) }
      }
    }
    #expect(holder.release().status == 0)
    #expect(writer.answer()?.status == 200)
    #expect(readers[0].ask("GET", "/bikes/1")?.body.contains(#""rented":true"#) == true)
    #expect(server.stop().status == 0)
  }
}
