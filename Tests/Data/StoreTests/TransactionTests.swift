import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

@Suite("Transaction", installed) struct TransactionTests {
  let stop = Failure(.no, "stop")

  func insert(_ database: Database, _ n: Int) throws(Failure) {
    try database.run("INSERT INTO t VALUES (?)", [.integer(n)])
  }

  func contents(_ database: Database) throws(Failure) -> [Int] {
    try database.integers("SELECT v FROM t ORDER BY v")
  }

  func table() throws(Failure) -> Database {
    let database = try Database.memory()
    try database.run("CREATE TABLE t (v INTEGER)")
    return database
  }

  @Test func partThatThrowsIsUndoneAloneWholeTakesItsPartsAlong() throws {
    let database = try table()
    try database.transaction { () throws(Failure) in
      try insert(database, 1)
      for n in [2, 3, 4] {
        _ = failure {
          try database.transaction { () throws(Failure) in
            try insert(database, n)
            if n == 3 { throw stop }
          }
        }
      }
    }
    #expect(try contents(database) == [1, 2, 4])
    _ = failure {
      try database.transaction { () throws(Failure) in
        try database.transaction { () throws(Failure) in try insert(database, 5) }
        throw stop
      }
    }
    #expect(try contents(database) == [1, 2, 4])
  }

  @Test("no space left: its own failure, nothing changed, and nothing after it counts as part of the change")
  func full() throws {
    let scratch = try ScratchDirectory()
    let database = try Database(scratch.file("a.db"))
    try database.run("CREATE TABLE t (v)")
    try insert(database, 0)
    _ = try database.integer("PRAGMA max_page_count = 4")
    var failures: [Failure?] = []
    let outer = failure {
      try database.transaction { () throws(Failure) in
        try insert(database, 1)
        failures.append(
          failure {
            try database.transaction { () throws(Failure) in
              try database.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 100_000))])
            }
          })
        failures.append(failure { try insert(database, 2) })
      }
    }
    #expect(failures[0]?.message == "cannot write '\(scratch.file("a.db"))': no space left")
    // Whether SQLite undid the whole or the part alone, the change is whole or not at all.
    let undone = failures[1] != nil
    #expect((outer != nil) == undone)
    #expect(try contents(database) == (undone ? [0] : [0, 1, 2]))
  }

  private func change(_ database: Database, _ way: Int) throws(Failure) {
    switch way {
    case 0: try insert(database, 2)
    case 1: try database.lock(named: "t")
    case 2: _ = try database.lock("SELECT v FROM t") { _ in }
    case 3: try database.lockAvailable("SELECT v FROM t") { _ in }
    case 4: try database.raise("number", above: 7)
    case 5: _ = try database.integer("SELECT v FROM t")
    default: try database.transaction { () throws(Failure) in }
    }
  }

  @Test(arguments: 0...6)
  func whenSQLiteUndidTransactionRestOfBodyDoesNotRunOutsideIt(way: Int) throws {
    let database = try table()
    var inside: Failure?
    let found = failure {
      try database.transaction { () throws(Failure) in
        try insert(database, 1)
        // Stands for the errors on which SQLite rolls back by itself.
        try database.run("ROLLBACK")
        do throws(Failure) {
          try change(database, way)
        } catch {
          inside = error
        }
      }
    }
    #expect(inside?.kind == .storage && found?.kind == .storage)
    let undone = Failure(.storage, "the transaction on 'memory' was undone after an error")
    #expect(inside == undone && found == undone)
    #expect(try contents(database) == [])
  }

  @Test("nothing is locked outside a transaction, be it before the first one or after one that failed")
  func locksOutside() throws {
    let database = try table()
    for _ in 0..<2 {
      #expect(
        failure { try database.lock("SELECT v FROM t") { _ in } }
          == Failure(.defect, "a row is locked outside a transaction"))
      #expect(
        failure { try database.lockAvailable("SELECT v FROM t") { _ in } }
          == Failure(.defect, "rows are locked outside a transaction"))
      #expect(
        failure { try database.lock(named: "t") }
          == Failure(.defect, "a name is locked outside a transaction"))
      _ = failure {
        try database.transaction { () throws(Failure) in
          try database.lock(named: "t")
          try database.transaction { () throws(Failure) in throw stop }
        }
      }
    }
  }

  @Test("one that lost against another runs five times at most, and a part of it not by itself")
  func attempts() throws {
    let database = try table()
    let causes: [(Failure.Cause?, Int)] = [
      (.storage(isRolledBack: true), 5), (.storage(.unavailable, isRolledBack: true), 5),
      (.storage(.contended), 5), (.storage(.full), 1), (nil, 1),
    ]
    for (cause, runs) in causes {
      let loss = Failure(.storage, "lost", retryable: true, cause: cause)
      var (whole, part) = (0, 0)
      let found = failure {
        try database.transaction { () throws(Failure) in
          whole += 1
          try insert(database, whole)
          try database.transaction { () throws(Failure) in
            part += 1
            throw loss
          }
        }
      }
      #expect(found == loss)
      #expect(whole == runs && part == runs)
      #expect(try contents(database) == [])
    }
    var runs = 0
    let result = try database.transaction { () throws(Failure) in
      runs += 1
      try insert(database, runs)
      if runs < 5 { throw Failure(.storage, "lost", cause: .storage(isRolledBack: true)) }
      return runs
    }
    #expect(result == 5)
    #expect(try contents(database) == [5])
  }

  @Test func partIsNotDoneEitherWhenSQLiteUndidTransactionInIt() throws {
    let database = try table()
    let undone = Failure(.storage, "the transaction on 'memory' was undone after an error")
    var part: Failure?
    let found = failure {
      try database.transaction { () throws(Failure) in
        part = failure {
          try database.transaction { () throws(Failure) in
            try insert(database, 1)
            try database.run("ROLLBACK")
          }
        }
      }
    }
    #expect(part == undone && found == undone)
    try database.transaction { () throws(Failure) in try insert(database, 2) }
    #expect(try contents(database) == [2])
  }

  @Test("a lock that is taken while a file becomes a WAL database is waited for five seconds, too")
  func lockedAtTheStart() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("a.db")
    let holder = try Database(path)
    try holder.run("PRAGMA journal_mode = DELETE")
    let time = FakeClock()
    let found = failure {
      _ = try SQLiteEngine(.file(path), time: time) { _ throws(Failure) in try holder.run("BEGIN EXCLUSIVE") }
    }
    #expect(found?.retryable == true)
    #expect(time.sleeps == waitsForALock)
  }

  @Test func goesOnAsSoonAsLockIsFree() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("a.db")
    try Database(path).run("CREATE TABLE t (v)")
    let holder = UncheckedTransfer(try SQLiteEngine(.file(path), time: SystemTime()))
    try holder.value.begin()
    let turns = Mutex(0)
    let time = FakeClock { _ throws(Failure) in
      let turn = turns.withLock { turns in
        turns += 1
        return turns
      }
      if turn == 3 { try holder.value.commit() }
    }
    let waiting = try Database(.file(path), time: time)
    try insert(waiting, 1)
    #expect(try contents(waiting) == [1])
    #expect(turns.withLock { $0 } == 3)
  }
}
