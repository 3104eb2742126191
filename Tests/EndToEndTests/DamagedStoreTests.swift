import Foundation
import TestSupport
import Testing

/// A server whose databases are damaged while it runs.
@Suite(.ownThread) struct DamagedStores {
  /// A route of each suite: each request needs the users.
  @Test(
    "What went wrong inside is in the log, and not in the response",
    arguments: [
      "/bees/race/status", "/v1/teams", "/bikes", "/scores", "/api/v1/lightning/nodes/rankings/age",
    ], ["application/json", "*/*"])
  func internalFailures(path: String, accepted: String) throws {
    let home = try Home()
    let token = try shell("hw users add ann --store data", in: home).output.trimmingCharacters(in: .newlines)
    let server = try Serving.Server(["--store", "data"], in: home)
    try "garbage".write(toFile: home.file("data/users.db"), atomically: false, encoding: .utf8)
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: home.file("data/users.db\(suffix)"))
    }
    let answer = RawConnection(server.url)?
      .ask("GET", path, headers: ["Authorization: Bearer \(token)", "Accept: \(accepted)"])
    #expect(answer?.status == 500)
    let body = try #require(answer?.body)
    #expect(!body.contains("users") && !body.contains("database"), "\(body)")
    #expect(body.contains("internal server error") || body.contains("something went wrong here"), "\(body)")
    #expect(server.stop().errors.contains("users.db'"))
  }
}
