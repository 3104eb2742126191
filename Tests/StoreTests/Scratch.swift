import Foundation
import Synchronization
import System
import Testing

@testable import Store

/// A folder of the test's own, gone with it.
final class Scratch {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("hw-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }
}

/// A clock on which waiting takes no time, and gives the test a turn instead.
final class PatientTime: TimeKeeper {
  let slept = Mutex(Duration.zero)
  let turn: @Sendable () -> Void

  init(turn: @escaping @Sendable () -> Void = {}) { self.turn = turn }

  func now() -> Timestamp { Timestamp(seconds: 0) }
  func uptime() -> Duration { slept.withLock { $0 } }
  func sleep(for duration: Duration) throws(Failure) {
    slept.withLock { $0 += duration }
    turn()
  }
}

let installed: ConditionTrait = .enabled(if: Database.isAvailable, "libsqlite3 is not installed")

extension Database {
  convenience init(_ path: String) throws(Failure) { try self.init(.file(path), time: SystemTime()) }

  static func memory() throws(Failure) -> Database { try Database(.memory, time: PatientTime()) }

  func integer(_ sql: String) throws(Failure) -> Int? {
    try first(sql) { row throws(Failure) in try row[0].integer }
  }

  func text(_ sql: String) throws(Failure) -> String? {
    try first(sql) { row throws(Failure) in try row[0].text }
  }
}

/// The failure that `body` ends with.
func failure(_ body: () throws(Failure) -> some Any) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// In a child process that may be root: from here on, permissions count.
func becomeNobody() {
  if geteuid() == 0 { setuid(65534) }
}
