import System
import TestSupport

@testable import Store

/// Calls of the engine on a server that responds as a text says: `insert 1`, or `transaction { lock 1 ; queue 2 }`. Line
/// `server TEXT RESPONSE ; …` has the responses to the next statements that begin with TEXT.
final class Conversation {
  /// A call with its words and the calls in its braces.
  private struct Call {
    let name: String
    let words: [String]
    let block: [Call]

    static func read(_ words: inout ArraySlice<String>) -> [Call] {
      var calls: [Call] = []
      while let name = words.popFirst(), name != "}" {
        guard name != ";" else { continue }
        var arguments: [String] = []
        var block: [Call] = []
        while let word = words.first, word != ";", word != "}" {
          words.removeFirst()
          if word == "{" { block = read(&words) } else { arguments.append(word) }
        }
        calls.append(Call(name: name, words: arguments, block: block))
      }
      return calls
    }
  }

  private let server: PostgreSQLDouble
  private let time = FakeClock()
  private let engine: PostgreSQLEngine
  private let database: Database
  private var results: [String] = []

  init(process: Int) throws {
    server = try PostgreSQLDouble(queriesAreServedBy: process)
    engine = try PostgreSQLEngine(server.address, time: time)
    database = Database(engine, FakeClock())
  }

  /// The messages and the outcome of calls.
  func make(_ text: String) -> String {
    var words = (ShellWord.split(text) ?? [])[...]
    if let kind = words.first, ["server", "refuse", "wait"].contains(kind) {
      prepare(kind, Array(words.dropFirst()))
      return ""
    }
    results = []
    let before = time.sleeps.count
    let found = failure { try run(Call.read(&words), row: 0) }
    let outcome = found?.described ?? (results.isEmpty ? "done" : results.joined(separator: ", "))
    let slept = time.sleeps.dropFirst(before)
    let shown = slept.count > 6 ? "\(slept.prefix(6)) and \(slept.count - 6) more" : "\(slept)"
    return takeMessages() + (slept.isEmpty ? "" : "  (slept \(shown))\n") + "= \(outcome)\n"
  }

  /// Many messages of the same kind are two lines.
  func takeMessages() -> String {
    var groups: [[String]] = []
    func kind(_ line: String) -> String { line.replacing(#/ \(\d+\)$/#, with: "") }
    for line in server.takeLog() where line != "end" {
      if let last = groups.last?.last, kind(last) == kind(line) {
        groups[groups.count - 1].append(line)
      } else {
        groups.append([line])
      }
    }
    return groups.flatMap { lines in
      lines.count > 3 ? [lines[0], "  … \(lines.count - 2) more", lines[lines.count - 1]] : lines
    }.map { "  \($0)\n" }.joined()
  }

  // MARK: The server

  private func prepare(_ kind: String, _ words: [String]) {
    switch kind {
    case "wait": time.advance(by: .milliseconds(Int(words[0]) ?? 0))
    case "refuse": server.refuse(words[0], words[1], times: Int(words[2]) ?? 1)
    default:
      for response in words.dropFirst().split(separator: ";", omittingEmptySubsequences: false) {
        var response = Array(response)
        var count = 1
        if let times = response.first, times.hasSuffix("*") {
          count = Int(times.dropLast()) ?? 1
          response.removeFirst()
        }
        for _ in 0..<count { server.respond(to: words[0], Conversation.response(response)) }
      }
    }
  }

  /// `cut`, `done WORDS`, `error STATE WORDS`, `rows ROW…`, `rows-cut ROW…`, `rows-error STATE ROW…`. The values of a row
  /// are separated by `|`.
  private static func response(_ words: [String]) -> PostgreSQLDouble.Response {
    func rows(_ from: Int) -> [[PostgreSQLDouble.Value]] {
      words.dropFirst(from).map { row in
        row.split(separator: "|").map { value in
          switch value {
          case "null": .null
          case "true", "false": .bool(value == "true")
          default: Int(value).map { .integer($0) } ?? .text(String(value))
          }
        }
      }
    }
    return switch words.first {
    case "cut": .cut
    case "done": .done(words[1])
    case "error": .error(state: words[1], words[2])
    case "rows-cut": .rowsThenCut(rows(1))
    case "rows-error": .rowsThenError(rows(2), state: words[1], "canceling statement")
    default: .rows(rows(1))
    }
  }

  // MARK: Calls

  private func run(_ calls: [Call], row: Int) throws(Failure) {
    for call in calls { try run(call, row) }
  }

  /// Without a number of its own, a call takes the row that is read.
  private func run(_ call: Call, _ row: Int) throws(Failure) {
    let text = call.words.first ?? ""
    let number = Int(text) ?? row
    let insert = "INSERT INTO t VALUES (?)"
    switch call.name {
    case "insert": results.append("\(try database.run(insert, [.integer(number)]))")
    case "insert-real": results.append("\(try database.run(insert, [.real(Double(text) ?? 0)]))")
    case "insert-text":
      results.append("\(try database.run(insert, [.text(text.replacing("NUL", with: "\0"))]))")
    case "queue":
      let last = call.words.dropFirst().first.flatMap { Int($0) } ?? number
      for number in number...last { try database.enqueue(insert, [.integer(number)]) }
    case "run": results.append("\(try database.run(text))")
    case "enqueue": try database.enqueue(text)
    case "update":
      let values: [SQLValue] = [.null, .real(-.infinity), .real(1.5), .text("it's")]
      results.append("\(try database.run("UPDATE t SET a = ?, b = ?, c = ?, d = ?", values))")
    case "read":
      results.append("\(try database.integers("SELECT v FROM t"))")
    case "first":
      let found = try database.integer(text.isEmpty ? "SELECT v FROM t" : text)
      results.append(found.map { "\($0)" } ?? "none")
    case "each":
      try database.each("SELECT v FROM t") { row throws(Failure) in
        let value = try row[0].integer
        results.append("row \(value)")
        try run(call.block, row: value)
      }
    case "lock":
      let found = try database.lock("SELECT v FROM t WHERE id = ?", [.integer(number)]) {
        row throws(Failure) in try row[0].integer
      }
      results.append(found.map { "\($0)" } ?? "none")
    case "lock-free": try database.lockAvailable("SELECT v FROM t") { _ in }
    case "lock-name": try database.lock(named: text)
    case "script": try engine.execute("CREATE TABLE \(text) (b TEXT);")
    case "fail": throw Failure(.conflict, "no")
    case "mark": server.noteMark(text)
    case "transaction":
      let kept = results.count
      try database.transaction { () throws(Failure) in
        // It may run again.
        results.removeSubrange(kept...)
        try run(call.block, row: row)
      }
    case "undone":
      _ = failure {
        try database.transaction { () throws(Failure) in
          try run(call.block, row: row)
          throw Failure(.no, "undone")
        }
      }
    case "try":
      if let found = failure({ try run(call.block, row: row) }) { results.append("(\(found.described))") }
    case "snapshot": try engine.snapshot { () throws(Failure) in try run(call.block, row: row) }
    case "confirm": try database.confirmReads()
    case "check": try database.check()
    case "check-thoroughly": try engine.checkThoroughly()
    case "check-transaction": try engine.checkTransaction()
    case "raise": try database.raise(text, above: 9)
    case "has-table": results.append("\(try engine.hasTable(text))")
    case "upcoming": results.append("\(try engine.upcoming(text))")
    case "change-mark":
      let mark = try database.changeMark()
      results.append("\(mark.floor), \(mark.history), \(mark.snapshot)")
    default: throw Failure(.defect, "no call '\(call.name)'")
    }
  }
}
