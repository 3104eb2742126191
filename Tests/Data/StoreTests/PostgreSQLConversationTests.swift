import System
import TestSupport
import Testing

@testable import Store

/// What the engine sends for each call and what the caller gets, against a server that responds as the test says: lost
/// connections, errors and transactions whose fate is unknown, each at its place. The texts are in `recorded`.
@Suite("The conversation with PostgreSQL", .needs(.libpq)) struct PostgreSQLConversationTests {
  private static let session = "SELECT pg_catalog.current_setting('server_encoding')"

  /// A line `NAME > CALLS` makes calls (see `Conversation`); what was sent and what the caller got comes behind it.
  @Test func conversationIsAsRecorded() throws {
    var text = ""
    var conversation: Conversation?
    for line in RecordedText.text("postgresql.txt").split(separator: "\n").map(String.init) {
      if line.hasPrefix("--- ") {
        // Behind a pool, another process serves the queries than made the connection.
        let process = line.split(separator: " served by ").dropFirst().first.flatMap { Int($0) }
        let next = try Conversation(process: process ?? PostgreSQLDouble.process)
        text += (conversation == nil ? "" : "\n") + "\(line)\n\(next.takeMessages())"
        conversation = next
      } else if let arrow = line.firstRange(of: " > "), !line.hasPrefix(" "), !line.hasPrefix("= ") {
        text += "\(line)\n\(conversation?.make(String(line[arrow.upperBound...])) ?? "")"
      }
    }
    try RecordedText.hold(
      "postgresql.txt", to: text.replacing(/'postgresql:[^']*'|'hw' at [^:;]*/, with: "STORE"))
  }

  /// What the session of a server can be, and what the first statement says of it.
  @Test func startOfSessionIsAsRecorded() throws {
    let process = PostgreSQLDouble.Value.integer(PostgreSQLDouble.process)
    let sessions: [(String, [PostgreSQLDouble.Value])] = [
      ("as it should be", [.text("UTF8"), .text("off"), .text("h"), process, .text("public")]),
      ("another encoding", [.text("LATIN1"), .text("off"), .text("h"), process, .text("public")]),
      ("read-only", [.text("UTF8"), .text("on"), .text("h"), process, .text("public")]),
      ("another process: a pool", [.text("UTF8"), .text("off"), .text("h"), .integer(78), .text("public")]),
      ("another search_path", [.text("UTF8"), .text("off"), .text("h"), process, .text("mine")]),
      ("without a history", [.text("UTF8"), .text("off"), .null, process, .text("public")]),
    ]
    var text = ""
    for (name, values) in sessions {
      for parameters in ["", "&options=-csearch_path%3Dmine"] {
        let server = try PostgreSQLDouble()
        server.respond(to: Self.session, .rows([values]))
        text += "--- \(name)\(parameters.isEmpty ? "" : ", with a search_path of the address")\n"
        let found = failure {
          let database = Database(try PostgreSQLEngine(server.address + parameters), FakeClock())
          try database.run("INSERT INTO t VALUES (1)")
        }
        text += server.takeLog().map { $0 == "end" ? "" : "\($0)\n" }.joined()
        text += "= \(found?.described ?? "done")\n"
      }
    }
    try RecordedText.hold(
      "postgresql-start.txt", to: text.replacing(/'postgresql:[^']*'|'hw' at [^:;]*/, with: "STORE"))
  }

  /// Several hosts: which ones are asked, and what is said of those that cannot be used.
  @Test func choiceOfHostIsAsRecorded() throws {
    let readOnly: [PostgreSQLDouble.Value] = [
      .text("UTF8"), .text("on"), .text("h"), .integer(PostgreSQLDouble.process), .text("public"),
    ]
    let starting = ("57P03", "the database system is starting up")
    let wrong = ("28P01", "password authentication failed")
    var text = ""
    for (name, first, second) in [
      ("both can be used", nil, nil), ("the first one starts", starting, nil),
      ("both start", starting, starting), ("the first one refuses the user", wrong, nil),
      ("the first one starts, the second one refuses the user", starting, wrong),
      ("a state of digits and letters", ("Z9990", "odd"), nil),
      ("a reason with colons", ("28P01", "password: wrong: 12345"), nil),
      ("a reason with quotes", ("28P01", "no entry for host \"::1\""), nil),
    ] as [(String, (String, String)?, (String, String)?)] {
      let servers = [try PostgreSQLDouble(), try PostgreSQLDouble()]
      for (server, refusal) in zip(servers, [first, second]) {
        if let refusal { server.refuse(refusal.0, refusal.1) }
      }
      text += outcome(name, servers)
    }
    for state in ["X1", "28p01", "281000", "ABCDE"] {
      let server = try PostgreSQLDouble()
      server.refuse(state, "odd")
      text += outcome("no state: \(state)", [server])
    }
    let servers = [try PostgreSQLDouble(), try PostgreSQLDouble()]
    servers[0].respond(to: Self.session, .rows([readOnly]))
    text += outcome("the first one can only be read", servers)
    try RecordedText.hold(
      "postgresql-hosts.txt",
      to: text.replacing(/'postgresql:[^']*'|'hw' at [^:;]*|socket "[^"]*"/, with: "STORE"))
  }

  private func outcome(_ name: String, _ servers: [PostgreSQLDouble]) -> String {
    let hosts = servers.map { $0.directory.path.replacing("/", with: "%2F") }.joined(separator: ",")
    let found = failure {
      let database = Database(try PostgreSQLEngine("postgresql:///hw?host=\(hosts)&user=hw"), FakeClock())
      try database.run("INSERT INTO t VALUES (1)")
    }
    var text = "--- \(name)\n"
    for (index, server) in servers.enumerated() {
      for line in server.takeLog() where line != "end" { text += "host \(index + 1): \(line)\n" }
    }
    return text + "= \(found?.described ?? "done")\n"
  }
}
