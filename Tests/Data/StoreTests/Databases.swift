import Foundation
import System
import TestSupport
import Testing

@testable import Store

let installed: RequiredTools = .needs(.libsqlite3)

extension Database {
  convenience init(_ path: String) throws(Failure) { try self.init(.file(path), time: SystemTime()) }

  static func memory() throws(Failure) -> Database { try Database(.memory, time: FakeClock()) }

  func integer(_ sql: String) throws(Failure) -> Int? {
    try first(sql) { row throws(Failure) in try row[0].integer }
  }

  func text(_ sql: String) throws(Failure) -> String? {
    try first(sql) { row throws(Failure) in try row[0].text }
  }

  func integers(_ sql: String) throws(Failure) -> [Int] {
    try rows(sql) { row throws(Failure) in try row[0].integer }
  }
}

extension Store {
  /// Without variables, and by the clocks of the system.
  init(postgreSQL address: String) throws(Failure) {
    self.init(try PostgreSQLAddress(address), environment: Environment([:]), time: SystemTime())
  }
}

extension PostgreSQLEngine {
  convenience init(_ address: String, time: any TimeKeeper = FakeClock()) throws(Failure) {
    try self.init(PostgreSQLAddress(address), environment: Environment([:]), time: time)
  }
}

/// In a child process that may be root: from here on, permissions count.
func becomeNobody() {
  if geteuid() == 0 { setuid(65534) }
}

/// In a child process: a signal has asked it to stop.
func interruptThisProcess() {
  Interruption.install()
  Interruption.allowLongCleanUp()
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGTERM)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(SIGTERM)
}

/// The pauses between the attempts at a lock that another process does not release: 5 seconds in all.
let waitsForALock = ([1, 2, 4, 8, 16, 32, 64] + Array(repeating: 100, count: 49)).map {
  Duration.milliseconds($0)
}
