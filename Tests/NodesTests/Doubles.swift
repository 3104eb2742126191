import Command
import Foundation
import HTTP
import Output
import Server
import System
import Terminal

@testable import Nodes

/// A service that has one response per request for a ranking, in turn. The last one is repeated.
final class ScriptedRankings: @unchecked Sendable {
  private var responses: [Response]

  init(_ responses: [Response]) {
    self.responses = responses
  }

  var backend: Backend {
    Backend(
      "nodes",
      routes: [
        Route(.get, "/api/v1/lightning/nodes/rankings/:ranking") { _ in
          self.responses.count > 1 ? self.responses.removeFirst() : self.responses.first ?? Response(503)
        }
      ])
  }
}

extension Response {
  /// A ranking of these rows.
  static func ranking(_ rows: [String]) -> Response {
    Response(200, body: Array("[\(rows.joined(separator: ","))]".utf8))
  }
}

/// A clock that shows one instant, in a time zone ahead of UTC.
struct FixedTime: TimeKeeper {
  var instant = Timestamp(seconds: 1_767_225_600)
  var offset: Int64 = 0

  func now() -> Timestamp { instant }
  func uptime() -> Duration { .zero }
  func sleep(for duration: Duration) {}
  func offset(at time: Timestamp) -> Int64 { offset }
}

/// A home directory that is deleted with the test.
final class ScratchHome {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "hw-nodes-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: snapshots, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where the commands save snapshots.
  var snapshots: String { "\(path)/.local/state/hw/nodes" }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: snapshots).sorted()) ?? [] }

  func save(_ name: String, _ text: String = "") throws {
    try text.write(toFile: "\(snapshots)/\(name)", atomically: true, encoding: .utf8)
  }
}

/// A run of the suite in the process of the test.
struct Ran {
  var status: Int32
  var output: String
  var errors: String

  init(
    _ words: [String], _ service: ScriptedRankings, in home: ScratchHome? = nil,
    time: any TimeKeeper = FixedTime()
  ) {
    let (output, errors) = (MemorySink(), MemorySink())
    let suite = Suite(
      "nodes", "Nodes", backend: { _, _ in service.backend }, commands: Nodes.suite.commands)
    let program = Program(
      "hw", version: "1", "Test", suites: [.init("nodes", suite)], tools: Suite("", "None", commands: []))
    let host = Host(
      environment: Environment(home.map { ["HOME": $0.path] } ?? [:]), time: time,
      input: Host.InputStream(MemorySource([])), output: Host.OutputStream(output),
      errors: ErrorStream(errors))
    switch Runner(program, host).run({ () throws(Failure) in ["nodes"] + words + ["--demo"] }) {
    case .success(let status): self.status = status.code
    case .failure(let failure): status = failure.kind.exitCode
    }
    self.output = output.text
    self.errors = errors.text
  }

  var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
}
