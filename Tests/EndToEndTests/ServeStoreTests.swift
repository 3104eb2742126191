import Foundation
import TestSupport
import Testing

/// Where `hw serve` keeps its databases, and how it stops.
@Suite(.ownThread) struct ServeStore {
  @Test(arguments: [
    "mysql://user:secret@db.example.org/hw", "sqlite:hw.db", "file:///tmp/hw", "embedded:hw",
  ])
  func aURLIsRefused(_ url: String) throws {
    let home = try Home()
    let ending = try shell("hw serve --samples --store '\(url)' -- true", in: home)
    #expect(ending.status == 2)
    let scheme = try #require(url.split(separator: ":").first)
    #expect(
      ending.errors.contains("'--store' requires a directory or a PostgreSQL database, not '\(scheme):'"))
    #expect(ending.errors.contains("./") && !ending.errors.contains("secret"))
    #expect(home.names.allSatisfy { $0.hasPrefix(".") }, "nothing was created")
  }

  @Test func aURLFromAVariableIsRefused() throws {
    let home = try Home()
    let ending = try shell(
      "hw serve -- true", in: home, environment: ["HW_STORE": "sqlite:hw.db"])
    #expect(ending.status == 2)
    #expect(home.names.allSatisfy { $0.hasPrefix(".") }, "nothing was created")
  }

  @Test(arguments: ["data", "./a:b", "data/a:b", "$HOME/absolute"])
  func aDirectoryIsUsed(_ path: String) throws {
    let home = try Home()
    #expect(try shell("hw serve --samples --store \"\(path)\" -- hw bikes list", in: home).status == 0)
    #expect(try shell("test -f \"\(path)/bikes.db\"", in: home).status == 0)
  }

  @Test func aDelayedResponseIsSentAfterSIGTERM() throws {
    let server = try Serving.Server(["--demo", "--fault", "delay:1s"])
    let connection = try #require(RawConnection(server.url))
    #expect(connection.send("GET", "/scores"))
    try waitUntil("the server to read the request") { connection.isRead }
    kill(server.started.id, SIGTERM)
    #expect(connection.answer()?.status == 200)
    #expect(server.started.end().status == 0)
  }

  /// Another user owns the directory, and does not let everybody write there or even look.
  @Test(
    .enabled(if: geteuid() == 0, "needs root"), .needs(.setpriv),
    arguments: ["755", "700"])
  func aDirectoryOfAnotherUser(_ mode: String) throws {
    let home = try Home()
    let ending = try shell(
      """
      cp "$(command -v hw)" hw && chmod 755 . hw && hw serve --samples --store store -- true && chmod \(mode) store || exit 99
      exec setpriv --reuid 65534 --regid 65534 --clear-groups ./hw serve --samples --store store -- true
      """, in: home)
    #expect(ending.status == 10, "\(ending.errors)")
    #expect(ending.errors.contains("'store/") && ending.errors.contains("permission denied"))
    // Nothing was added, and the owner can go on.
    #expect(try shell("chmod 755 store && hw serve --samples --store store -- true", in: home).status == 0)
  }
}
