import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// What happens to the machine happens to a child process here.
@Suite("Faults", installed) struct FaultTests {
  let scratch: ScratchDirectory
  let path: String

  init() throws {
    scratch = try ScratchDirectory()
    path = scratch.file("a.db")
    chmod(scratch.path, 0o755)
    let database = try Database(path)
    try database.run("CREATE TABLE t (v)")
    try database.run("INSERT INTO t VALUES (0)")
  }

  func contents() throws -> [Int] { try Database(path).integers("SELECT v FROM t ORDER BY v") }

  @Test func killedInMidTransactionWhatWasAcknowledgedIsThereRestIsNot() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try Database(path)
      try database.run("INSERT INTO t VALUES (1)")
      try database.transaction { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (2)")
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try contents() == [0, 1])
    #expect(scratch.names == ["a.db"])
  }

  @Test func killedProcessKeepsAcknowledgedRows() async throws {
    let acknowledged = scratch.file("acknowledged")
    for (kills, delay) in zip(1..., [5, 20, 45]) {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, acknowledged = acknowledged as String, delay = delay as Int] in
        let database = try Database(path)
        let record = try File.open(acknowledged, .append)
        let next = try database.integer("SELECT max(v) + 1 FROM t") ?? 1
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { kill(getpid(), SIGKILL) }
        for n in next... {
          try database.run("INSERT INTO t VALUES (?)", [.integer(n)])
          try record.writeAll(Array("\(n)\n".utf8))
        }
      }
      let rows = try contents()
      #expect(rows == Array(0..<rows.count))
      let last =
        String(decoding: try File.read(acknowledged) ?? [], as: UTF8.self)
        .split(separator: "\n").last.flatMap { Int($0) } ?? 0
      #expect((last...last + kills).contains(rows.count - 1))
      try Database(path).check()
    }
  }

  @Test("a file that may not grow: its own failure, nothing changed, and it goes on when there is room")
  func fileSizeLimit() async throws {
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let database = try Database(path)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = 20_000
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let found = failure {
        try database.transaction { () throws(Failure) in
          for n in 1...100 {
            try database.run("INSERT INTO t VALUES (?)", [.integer(n)])
            try database.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 5000))])
          }
        }
      }
      #expect(found?.kind == .storage)
      #expect(found?.message == "cannot read or write '\(path)': input/output error")
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #expect(try database.integer("SELECT count(*) FROM t") == 1)
      try database.run("INSERT INTO t VALUES (1)")
    }
    #expect(try contents() == [0, 1])
  }

  @Test func readOnlyFileIsReadAndRefusesChange() async throws {
    chmod(path, 0o444)
    chmod(scratch.path, 0o777)
    await #expect(processExitsWith: .success) { [path = path as String] in
      becomeNobody()
      let database = try Database(path)
      #expect(try database.integer("SELECT v FROM t") == 0)
      let found = failure { try database.run("INSERT INTO t VALUES (1)") }
      #expect(found?.message == "cannot write '\(path)': it is read-only")
    }
    #expect(try contents() == [0])
  }

  @Test func fileThatMayNotBeReadIsLeftAlone() async throws {
    chmod(path, 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      becomeNobody()
      let found = failure { try Database(path) }
      #expect(found?.message == "cannot open database '\(path)': permission denied")
      #expect(found?.hint != nil)
    }
  }

  @Test("a read-only folder: a new database cannot be made, one that is there says why it cannot be used")
  func readOnlyFolder() async throws {
    chmod(path, 0o666)
    chmod(scratch.path, 0o555)
    let names = scratch.names
    await #expect(processExitsWith: .success) { [path = path as String] in
      becomeNobody()
      let new = failure { try Database("\(path).new") }
      #expect(new?.message == "cannot make database '\(path).new': permission denied")
      let old = failure { try Database(path).run("INSERT INTO t VALUES (1)") }
      #expect(old?.kind == .storage)
      #expect(old?.message.range(of: path) != nil)
    }
    chmod(scratch.path, 0o755)
    #expect(scratch.names == names)
    #expect(try contents() == [0])
  }

  @Test func pagesOverwrittenInMiddleFoundWhenAskedAndLeftAsTheyAre() throws {
    let database = try Database(path)
    try database.transaction { () throws(Failure) in
      for n in 1...2000 { try database.run("INSERT INTO t VALUES (?)", [.integer(n)]) }
    }
    try database.check()
    _ = consume database
    var bytes = try scratch.bytes("a.db")
    #expect(bytes.count > 5 * 4096)
    bytes.replaceSubrange(4096 * 3..<4096 * 4, with: Array(repeating: 0xAA, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
    let found = failure {
      try Database(.readOnly(path), time: SystemTime()).check()
    }
    #expect(found?.kind == .storage)
    #expect(found?.message.hasPrefix("database '\(path)' is damaged: ") == true)
    #expect(found?.message.contains("\n") == false)
    #expect(try scratch.bytes("a.db") == bytes)
    #expect(scratch.names == ["a.db"])
  }
}
