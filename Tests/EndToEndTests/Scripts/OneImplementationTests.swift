import Foundation
import JSON
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What two implementations of one concept did differently.
@Suite(.ownThread) struct OneImplementation {
  /// The response never comes: a key has to be enough.
  @Test(
    .needs(.setsid),
    arguments: ["nodes top --watch 10", "bikes list --watch 2 --anywhere"])
  func watchIsLeftWhileRequestHangs(_ words: String) throws {
    let home = try Home()
    let body = try KnownAttacks.node("alias")
    let server = try LoopbackServer { request in
      request.number > 1
        ? .silence : .response(body: request.target.contains("/bikes") ? "[]" : body)
    }
    let terminal = try Terminal(columns: 90, rows: 10)
    let before = terminal.settings
    let started = try Started(
      [
        "setsid", "-cw", "sh", "-c",
        "hw \(words) --timeout 100 --retries 0 --url \(server.url); echo $? >status",
      ], in: home, environment: ["TERM": "xterm", "HW_URL": nil], input: terminal.descriptor,
      output: terminal.descriptor, errors: terminal.descriptor)
    _ = try #require(terminal.see("q quits"))
    // The second request of the watch is under way.
    try waitUntil("the second request") {
      // A full terminal would hold the watch up.
      _ = terminal.text
      return server.requests.count == 2
    }
    terminal.type("q")
    let ending = started.end()
    let status = home.text("status")
    #expect(ending.signal == nil, "it did not end")
    #expect(status == "0\n")
    #expect(terminal.settings == before)
  }
}
