import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// What the engine sends for each call and what the caller gets, against a server that responds as the test says: lost
/// connections, errors and transactions whose fate is unknown, each at its place. The texts are in `recorded`.
@Suite(
  "The conversation with PostgreSQL",
  .needs(.libpq))
struct PostgreSQLConversationTests {
  /// A conversation: it prepares the server's responses, then uses the database.
  struct Scene: Sendable {
    let name: String
    let process: Int
    let calls: @Sendable (Stage) throws -> Void

    init(
      _ name: String, process: Int = PostgreSQLDouble.process,
      _ calls: @escaping @Sendable (Stage) throws -> Void
    ) {
      (self.name, self.process, self.calls) = (name, process, calls)
    }
  }

  /// The database of a scene, and what it has got.
  final class Stage {
    let server: PostgreSQLDouble
    let time: FakeClock
    let engine: PostgreSQLEngine
    let database: Database
    private(set) var text = ""

    /// `process` is that which serves the queries: behind a pool another one than made the connection.
    init(process: Int) throws {
      let server = try PostgreSQLDouble(queriesAreServedBy: process)
      self.server = server
      time = FakeClock()
      engine = try PostgreSQLEngine(
        PostgreSQLAddress(server.address), environment: Environment([:]), time: time)
      database = Database(engine)
      noteMessages()
    }

    /// Makes one call, and notes the messages and the result.
    func call<Answer>(_ name: String, _ body: () throws(Failure) -> Answer) {
      text += "\(name)\n"
      let before = time.sleeps.count
      let outcome: String
      do throws(Failure) {
        let answer = try body()
        outcome = answer is Void ? "done" : "\(answer)"
      } catch {
        outcome = error.described
      }
      noteMessages()
      let slept = time.sleeps.dropFirst(before)
      if !slept.isEmpty {
        let shown = slept.count > 6 ? "\(slept.prefix(6)) and \(slept.count - 6) more" : "\(slept)"
        text += "  (slept \(shown))\n"
      }
      text += "= \(outcome)\n"
    }

    private func noteMessages() {
      var groups: [[String]] = []
      func kind(_ line: String) -> String { line.replacing(#/ \(\d+\)$/#, with: "") }
      for line in server.takeLog() where line != "end" {
        if let last = groups.last?.last, kind(last) == kind(line) {
          groups[groups.count - 1].append(line)
        } else {
          groups.append([line])
        }
      }
      // Many of the same kind are two lines.
      for lines in groups {
        let isLong = lines.count > 3
        let shown = isLong ? [lines[0], "  … \(lines.count - 2) more", lines[lines.count - 1]] : lines
        text += shown.map { "  \($0)\n" }.joined()
      }
    }

    // MARK: Calls

    func insert(_ number: Int) throws(Failure) {
      try database.run("INSERT INTO t VALUES (?)", [.integer(number)])
    }

    func queue(_ number: Int) throws(Failure) {
      try database.enqueue("INSERT INTO t VALUES (?)", [.integer(number)])
    }

    func read() throws(Failure) -> [Int] {
      try database.rows("SELECT v FROM t") { row throws(Failure) in try row[0].integer }
    }

    func lock(_ number: Int) throws(Failure) -> Int? {
      try database.lock("SELECT v FROM t WHERE id = ?", [.integer(number)]) { row throws(Failure) in
        try row[0].integer
      }
    }

    /// A part of a transaction that is undone.
    func undone(_ body: () throws(Failure) -> Void) {
      _ = failure {
        try database.transaction { () throws(Failure) in
          try body()
          throw Failure(.no, "undone")
        }
      }
    }
  }

  private static let lost = "08006"
  private static let session = "SELECT current_setting('server_encoding')"

  private static let scenes = [
    Scene("statements") { stage in
      stage.call("a change") { () throws(Failure) in try stage.insert(1) }
      stage.call("again") { () throws(Failure) in try stage.insert(2) }
      stage.call("queued outside a transaction") { () throws(Failure) in try stage.queue(3) }
      stage.call("rows") { () throws(Failure) in try stage.read() }
      stage.call("first row") { () throws(Failure) in
        try stage.database.first("SELECT v FROM t") { row throws(Failure) in try row[0].integer }
      }
      stage.call("values") { () throws(Failure) in
        try stage.database.run(
          "UPDATE t SET a = ?, b = ?, c = ?, d = ?",
          [.null, .real(-.infinity), .real(1.5), .text("it's")])
      }
      stage.call("NaN") { () throws(Failure) in try stage.database.run("UPDATE t SET a = ?", [.real(.nan)]) }
      stage.call("too few values") { () throws(Failure) in try stage.database.run("UPDATE t SET a = ?") }
      stage.call("a script") { () throws(Failure) in try stage.engine.execute("CREATE TABLE a (b TEXT);") }
      stage.call("a lock outside a transaction") { () throws(Failure) in try stage.lock(1) }
      stage.call("a raised sequence") { () throws(Failure) in try stage.database.raise("s", above: 9) }
      stage.call("has a table") { () throws(Failure) in try stage.engine.hasTable("t") }
      stage.server.respond(to: "SELECT txid_current_snapshot", .rows([[.text("7:9:8"), .text("history 1")]]))
      stage.call("a mark") { () throws(Failure) in
        let mark = try stage.database.changeMark()
        return "\(mark.floor), \(mark.history), \(mark.snapshot)"
      }
      stage.server.respond(to: "SELECT txid_current_snapshot", .rows([[.text("x"), .text("history 1")]]))
      stage.call("a mark that cannot be read") { () throws(Failure) in
        _ = try stage.database.changeMark()
      }
      stage.call("the next number of a sequence") { () throws(Failure) in try stage.engine.upcoming("s") }
      stage.server.respond(to: "SELECT CASE", .rows([[.null]]))
      stage.call("none") { () throws(Failure) in try stage.engine.upcoming("s") }
    },
    Scene("rows, one at a time") { stage in
      stage.call("within each other") { () throws(Failure) in
        var pairs: [[Int]] = []
        try stage.database.each("SELECT v FROM t") { outer throws(Failure) in
          let a = try outer[0].integer
          try stage.database.each("SELECT v FROM t") { inner throws(Failure) in
            pairs.append([a, try inner[0].integer])
          }
        }
        return pairs
      }
      stage.call("stopped after the first") { () throws(Failure) in
        try stage.database.each("SELECT v FROM t") { _ throws(Failure) in throw Failure(.no, "stop") }
      }
      stage.call("a change for each") { () throws(Failure) in
        try stage.database.each("SELECT v FROM t") { row throws(Failure) in
          try stage.insert(try row[0].integer)
        }
      }
      stage.server.respond(to: "SELECT v", .error(state: "57014", "canceling statement"))
      stage.call("an error in place of rows") { () throws(Failure) in try stage.read() }
      stage.server.respond(to: "SELECT v", .cut)
      stage.call("lost before the first row: read again") { () throws(Failure) in try stage.read() }
      let two: [[PostgreSQLDouble.Value]] = [[.integer(1)], [.integer(2)]]
      stage.server.respond(to: "SELECT v", .rowsThenCut(two))
      stage.call("lost behind the second row") { () throws(Failure) in try stage.read() }
      stage.server.respond(to: "SELECT v", .rowsThenError(two, state: "57014", "canceling statement"))
      stage.call("an error behind the second row") { () throws(Failure) in try stage.read() }
      for (name, response) in [
        ("lost", PostgreSQLDouble.Response.rowsThenCut(two)),
        ("failed", .rowsThenError(two, state: "57014", "canceling statement")),
      ] {
        stage.server.respond(to: "SELECT v", response)
        stage.call("\(name) behind the second row, when another statement reads on") { () throws(Failure) in
          var seen: [Int] = []
          try stage.database.each("SELECT v FROM t") { row throws(Failure) in
            seen.append(try row[0].integer)
            // Its own failure is not that of the rows around it.
            _ = failure { _ = try stage.database.first("SELECT 7") { _ in true } }
          }
          return seen
        }
      }
      stage.server.respond(to: "SELECT v", .cut, .cut)
      stage.call("lost twice") { () throws(Failure) in try stage.read() }
      stage.call("afterwards") { () throws(Failure) in try stage.read() }
    },
    Scene("transactions") { stage in
      stage.call("empty") { () throws(Failure) in try stage.database.transaction { () throws(Failure) in } }
      stage.call("of changes that are queued") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.queue(1)
          try stage.queue(2)
        }
      }
      stage.call("of a lock, and a change that is queued") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          _ = try stage.lock(1)
          try stage.queue(2)
        }
      }
      stage.call("that only reads") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.read() }
      }
      stage.call("that throws before anything was sent") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.queue(1)
          throw Failure(.conflict, "no")
        }
      }
      stage.call("that throws") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.insert(1)
          throw Failure(.conflict, "no")
        }
      }
      stage.call("that throws while rows are read") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.insert(1)
          try stage.database.each("SELECT v FROM t") { _ throws(Failure) in throw Failure(.conflict, "no") }
        }
      }
      stage.call("with a script") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.queue(1)
          try stage.engine.execute("CREATE TABLE b (c TEXT);")
        }
      }
      stage.call("of so many queued changes that some are sent before") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          for number in 1...258 { try stage.queue(number) }
          stage.server.noteMark("258 are queued")
        }
      }
    },
    Scene("parts of transactions") { stage in
      stage.call("that end well, sent and not") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.database.transaction { () throws(Failure) in try stage.queue(1) }
          try stage.database.transaction { () throws(Failure) in try stage.insert(2) }
          try stage.database.transaction { () throws(Failure) in _ = try stage.read() }
        }
      }
      stage.call("that are undone, sent and not") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.queue(1)
          stage.undone { () throws(Failure) in try stage.queue(2) }
          stage.undone { () throws(Failure) in try stage.insert(3) }
          stage.undone { () throws(Failure) in _ = try stage.read() }
          try stage.queue(4)
        }
      }
      stage.call("within each other") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.database.transaction { () throws(Failure) in
            try stage.queue(1)
            try stage.database.transaction { () throws(Failure) in
              try stage.queue(2)
              try stage.insert(3)
            }
            stage.undone { () throws(Failure) in
              try stage.queue(4)
              _ = try stage.read()
            }
          }
          stage.undone { () throws(Failure) in
            try stage.insert(5)
            try stage.database.transaction { () throws(Failure) in try stage.insert(6) }
          }
        }
      }
      stage.server.respond(to: "INSERT", .error(state: "23514", "a check"))
      stage.call("whose change the server refuses") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          stage.undone { () throws(Failure) in try stage.insert(1) }
          try stage.insert(2)
        }
      }
      stage.server.respond(to: "INSERT", .cut)
      stage.call("on a connection that is lost") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          stage.undone { () throws(Failure) in try stage.insert(1) }
          try stage.insert(2)
        }
      }
    },
    Scene("locks") { stage in
      stage.call("the first waits, a later one does not") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in [try stage.lock(1), try stage.lock(2)] }
      }
      stage.server.respond(to: "SELECT v FROM t", .done("SELECT 0"))
      stage.call("of a row that is not there, none is held") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in [try stage.lock(1), try stage.lock(2)] }
      }
      stage.call("after a change") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.insert(1)
          return try stage.lock(2)
        }
      }
      stage.call("after a change that is queued") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.queue(1)
          return try stage.lock(2)
        }
      }
      stage.call("after a change that is queued and a change that is undone") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.lock(2) }
      }
      for _ in 1...5 {
        stage.server.respond(
          to: "SELECT v FROM t", .rows([[.integer(1)]]), .done("SELECT 0"), .rows([[.integer(2)]]))
      }
      stage.call("of a row that another holds") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in [try stage.lock(1), try stage.lock(2)] }
      }
      stage.server.respond(
        to: "SELECT v FROM t", .rows([[.integer(1)]]), .done("SELECT 0"), .done("SELECT 0"))
      stage.call("of a row that is not there, while another is held") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in [try stage.lock(1), try stage.lock(2)] }
      }
      stage.call("of rows that are free, then of one") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.database.lockFree("SELECT v FROM t") { _ in }
          return try stage.lock(1)
        }
      }
      stage.call("of names") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.database.lock(named: "a")
          try stage.database.lock(named: "b")
          return try stage.lock(1)
        }
      }
      stage.server.respond(
        to: "SELECT pg_try", .rows([[.bool(false)]]), .rows([[.bool(false)]]), .rows([[.bool(true)]]))
      stage.call("of a name that another holds, twice") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          _ = try stage.lock(1)
          try stage.database.lock(named: "a")
        }
      }
    },
    Scene("scripts") { stage in
      stage.server.respond(to: "CREATE", .error(state: "42501", "permission denied"))
      stage.call("that the server refuses") { () throws(Failure) in
        try stage.engine.execute("CREATE TABLE a (b TEXT);")
      }
      stage.call("a change after it") { () throws(Failure) in try stage.insert(1) }
      stage.server.respond(to: "CREATE", .cut)
      stage.call("whose connection is lost") { () throws(Failure) in
        try stage.engine.execute("CREATE TABLE a (b TEXT);")
      }
      stage.call("a change after that") { () throws(Failure) in try stage.insert(2) }
    },
    Scene("errors of the server") { stage in
      for state in ["40001", "40P01", "23505", "0A000", "25006", "22P02", "53100", "57P01", "57014", "55P03"]
      {
        stage.server.respond(to: "INSERT", .error(state: state, "no"))
        stage.call("\(state) for a change") { () throws(Failure) in try stage.insert(1) }
        stage.server.respond(to: "INSERT", .error(state: state, "no"))
        stage.call("\(state) in a transaction") { () throws(Failure) in
          try stage.database.transaction { () throws(Failure) in
            try stage.insert(1)
            try stage.queue(2)
          }
        }
        stage.server.respond(to: "INSERT", .error(state: state, "no"))
        stage.call("\(state) for what is queued") { () throws(Failure) in
          try stage.database.transaction { () throws(Failure) in try stage.queue(1) }
        }
      }
      stage.call("the transaction goes on after an error") { () throws(Failure) in
        stage.server.respond(to: "INSERT", .error(state: "23514", "a check"))
        try stage.database.transaction { () throws(Failure) in
          _ = failure { try stage.insert(1) }
          try stage.insert(2)
        }
      }
      stage.server.respond(to: "COMMIT", .done("ROLLBACK"))
      stage.call("COMMIT ends in ROLLBACK") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.insert(1) }
      }
      stage.server.respond(to: "COMMIT", .error(state: "40001", "too late"))
      stage.call("COMMIT fails") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.insert(1) }
      }
      stage.server.respond(to: "ROLLBACK", .cut)
      stage.call("ROLLBACK is lost") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.insert(1)
          throw Failure(.conflict, "no")
        }
      }
      stage.server.respond(to: "PREPARE DELETE", .error(state: "42P01", "no table"))
      stage.call("what cannot be prepared is prepared again") { () throws(Failure) in
        try stage.database.run("DELETE FROM t")
      }
      stage.call("then") { () throws(Failure) in try stage.database.run("DELETE FROM t") }
      stage.server.respond(to: "PREPARE DELETE FROM a", .error(state: "42P01", "no table"))
      stage.call("in a transaction, what follows it is not prepared either") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.database.enqueue("DELETE FROM a")
          try stage.database.run("DELETE FROM b")
        }
      }
      stage.call("then both") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.database.enqueue("DELETE FROM a")
          try stage.database.run("DELETE FROM b")
        }
      }
    },
    Scene("names that a pool has lost") { stage in
      stage.server.respond(to: "INSERT", .error(state: "26000", "no such statement"))
      stage.call("a change") { () throws(Failure) in try stage.insert(1) }
      stage.call("again") { () throws(Failure) in try stage.insert(2) }
      stage.call("in a transaction") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          try stage.insert(1)
          try stage.queue(2)
        }
      }
    },
    Scene("names that a pool has lost, for rows") { stage in
      stage.server.respond(to: "SELECT v", .error(state: "26000", "no such statement"))
      stage.call("rows") { () throws(Failure) in try stage.read() }
      stage.call("again") { () throws(Failure) in try stage.read() }
    },
    Scene("a plan that another process has made useless") { stage in
      stage.server.respond(to: "SELECT v", .error(state: "0A000", "cached plan must not change result type"))
      stage.call("rows") { () throws(Failure) in try stage.read() }
    },
    Scene("names that a pool has taken") { stage in
      stage.server.respond(to: "PREPARE INSERT", .error(state: "42P05", "it exists"))
      stage.call("in a transaction") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.insert(1) }
      }
    },
    Scene("behind a pool", process: 78) { stage in
      stage.call("a change") { () throws(Failure) in try stage.insert(1) }
      stage.server.respond(to: "INSERT", .cut)
      stage.call("lost during a change: it is not repeated") { () throws(Failure) in try stage.insert(2) }
      stage.call("the next one") { () throws(Failure) in try stage.insert(3) }
      stage.server.respond(to: "SELECT v", .cut)
      stage.call("lost before rows") { () throws(Failure) in try stage.read() }
      stage.server.respond(to: "COMMIT", .cut)
      stage.server.respond(to: "SELECT txid_status", .rows([[.text("committed")]]))
      stage.call("a transaction") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.queue(4) }
      }
    },
    Scene("lost connections") { stage in
      stage.call("a change") { () throws(Failure) in try stage.insert(1) }
      stage.server.respond(to: "INSERT", .cut)
      stage.call("lost during a change") { () throws(Failure) in try stage.insert(2) }
      stage.call("the next one") { () throws(Failure) in try stage.insert(3) }
      stage.server.respond(to: "INSERT", .cut)
      stage.call("during a transaction: it runs again") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in
          _ = try stage.lock(1)
          try stage.insert(4)
        }
      }
      stage.server.respond(to: "INSERT", .cut, .cut, .cut, .cut, .cut)
      stage.call("five times") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.insert(5) }
      }
      stage.server.respond(to: "INSERT", .cut)
      stage.call("during what is queued") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.queue(6) }
      }
    },
    Scene("a COMMIT without a response") { stage in
      func commit(_ name: String) {
        stage.server.respond(to: "COMMIT", .cut)
        stage.call(name) { () throws(Failure) in
          try stage.database.transaction { () throws(Failure) in try stage.insert(1) }
        }
      }
      let status = "SELECT txid_status"
      stage.server.respond(to: status, .rows([[.text("committed")]]))
      commit("committed")
      stage.server.respond(to: status, .rows([[.text("aborted")]]))
      commit("aborted: it runs again")
      for _ in 1...5 {
        stage.server.respond(to: "COMMIT", .cut)
        stage.server.respond(to: status, .rows([[.text("aborted")]]))
      }
      stage.call("aborted each time") { () throws(Failure) in
        try stage.database.transaction { () throws(Failure) in try stage.insert(2) }
      }
      stage.server.respond(
        to: status, .rows([[.text("in progress")]]), .rows([[.text("in progress")]]),
        .rows([[.text("committed")]]))
      commit("in progress, then committed")
      stage.server.respond(to: status, .rows([[.null]]))
      commit("too long ago")
      stage.server.respond(to: status, .cut, .rows([[.text("committed")]]))
      commit("lost once more")
      stage.server.refuse("57P03", "starting up", times: 3)
      stage.server.respond(to: status, .rows([[.text("committed")]]))
      commit("the server starts meanwhile")
      stage.server.respond(
        to: session,
        .rows([
          [
            .text("UTF8"), .text("off"), .text("history 2"), .integer(PostgreSQLDouble.process),
            .text("public"),
          ]
        ]))
      commit("the server has crashed meanwhile")
      stage.server.refuse("57P03", "starting up", times: 1000)
      commit("the server does not come back")
    },
    Scene("a server that does not come back at once") { stage in
      stage.call("a change") { () throws(Failure) in try stage.insert(1) }
      stage.server.respond(to: "INSERT", .cut)
      stage.server.refuse("57P03", "starting up", times: 9)
      stage.call("lost") { () throws(Failure) in try stage.insert(2) }
      for pause in [0, 50, 100, 100, 199, 1, 400, 800, 1600, 3200, 5000, 4999, 1, 5000] {
        stage.time.advance(by: .milliseconds(pause))
        stage.call("after \(pause) milliseconds") { () throws(Failure) in try stage.insert(3) }
      }
      stage.server.respond(to: "INSERT", .cut)
      stage.server.refuse("57P03", "starting up", times: 1)
      stage.call("lost again") { () throws(Failure) in try stage.insert(4) }
      stage.call("an attempt") { () throws(Failure) in try stage.insert(5) }
      stage.time.advance(by: .milliseconds(100))
      stage.call("after the first pause") { () throws(Failure) in try stage.insert(6) }
    },
  ]

  @Test func isAsRecorded() throws {
    var text = ""
    for scene in PostgreSQLConversationTests.scenes {
      let stage = try Stage(process: scene.process)
      try scene.calls(stage)
      text += "--- \(scene.name)\n\(stage.text)\n"
    }
    try RecordedText.hold(
      "postgresql.txt", to: text.replacing(/'postgresql:[^']*'|'hw' at [^:;]*/, with: "STORE"))
  }

  /// What the session of a server can be, and what the first statement says of it.
  @Test func theStartIsAsRecorded() throws {
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
        server.respond(to: PostgreSQLConversationTests.session, .rows([values]))
        text += "--- \(name)\(parameters.isEmpty ? "" : ", with a search_path of the address")\n"
        let found = failure {
          let database = Database(
            try PostgreSQLEngine(
              PostgreSQLAddress(server.address + parameters), environment: Environment([:]),
              time: FakeClock()))
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
  @Test func theHostsAreAsRecorded() throws {
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
    ] as [(String, (String, String)?, (String, String)?)] {
      let servers = [try PostgreSQLDouble(), try PostgreSQLDouble()]
      for (server, refusal) in zip(servers, [first, second]) {
        if let refusal { server.refuse(refusal.0, refusal.1) }
      }
      text += outcome(name, servers)
    }
    let servers = [try PostgreSQLDouble(), try PostgreSQLDouble()]
    servers[0].respond(to: PostgreSQLConversationTests.session, .rows([readOnly]))
    text += outcome("the first one can only be read", servers)
    try RecordedText.hold(
      "postgresql-hosts.txt",
      to: text.replacing(/'postgresql:[^']*'|'hw' at [^:;]*|socket "[^"]*"/, with: "STORE"))
  }

  private func outcome(_ name: String, _ servers: [PostgreSQLDouble]) -> String {
    let hosts = servers.map { $0.directory.path.replacing("/", with: "%2F") }.joined(separator: ",")
    let found = failure {
      let address = try PostgreSQLAddress("postgresql:///hw?host=\(hosts)&user=hw")
      let database = Database(
        try PostgreSQLEngine(address, environment: Environment([:]), time: FakeClock()))
      try database.run("INSERT INTO t VALUES (1)")
    }
    var text = "--- \(name)\n"
    for (index, server) in servers.enumerated() {
      for line in server.takeLog() where line != "end" { text += "host \(index + 1): \(line)\n" }
    }
    return text + "= \(found?.described ?? "done")\n"
  }

  @Test func anAddressWithNULIsMalformed() {
    #expect(throws: PostgreSQLAddress.malformed) {
      try PostgreSQLAddress("postgresql:///a\0b").attempts(Environment([:]))
    }
  }
}
