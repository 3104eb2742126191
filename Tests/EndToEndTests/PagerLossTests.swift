import Foundation
import TestSupport
import Testing

/// A pager that cannot be run loses nothing: every row is on the terminal all the same, once and in order.
@Suite(.ownThread) struct PagersThatCannotBeRun {
  /// What is too much for a pipe to hold as well as what is not.
  @Test(
    arguments: [
      "no-such-pager", "X=1 no-such-pager", "./no-such-pager -x", "./not-executable", ".",
      "X=1 ./not-executable", "exit 127", "exit 126", "cat < no-such-file > /dev/null; no-such-pager",
    ], [3, 1900])
  func everyRowIsShown(_ pager: String, _ rows: Int) throws {
    let home = try Home()
    let body = Self.players(rows)
    let server = try LoopbackServer { _ in .response(body: body) }
    try "not a program".write(toFile: "\(home.path)/not-executable", atomically: true, encoding: .utf8)
    let terminal = try Terminal(columns: 200)
    let started = try Started(
      ["hw", "nba", "players", "--fields", "id", "--limit", "\(rows)", "--url", server.url], in: home,
      environment: [
        "HW_URL": nil, "HW_NBA_KEY": "key", "HW_PAGER": pager, "TERM": "xterm", "NO_COLOR": "1",
      ], input: terminal.descriptor, output: terminal.descriptor)
    let text = try #require(terminal.see("\(rows)\n"), "the last row is not shown")
    let shown = text.split(separator: "\n").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    #expect(shown == Array(1...rows))
    #expect(started.end().status == 0)
    #expect(terminal.text == "")
  }

  /// One page, without a next.
  private static func players(_ count: Int) -> String {
    let rows = (1...count).map { #"{"id":\#($0),"first_name":"A","last_name":"B"}"# }
    return #"{"data":[\#(rows.joined(separator: ","))],"meta":{"per_page":100}}"#
  }
}
