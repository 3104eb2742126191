import TestSupport
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

extension FakeClock {
  /// 2026-01-01T00:00:00Z.
  static let newYear = Timestamp(seconds: 1_767_225_600)
}

extension ScratchDirectory {
  /// Where the commands save snapshots, if this is the home directory.
  var snapshots: String { file(".local/state/hw/nodes") }
  var snapshotNames: [String] { names(".local/state/hw/nodes") }

  func saveSnapshot(_ name: String, _ text: String = "") throws {
    try write(text, to: ".local/state/hw/nodes/\(name)")
  }
}

/// A run of the suite in the process of the test.
struct Ran {
  var status: Int32
  var output: String
  var errors: String

  init(
    _ words: [String], _ service: ScriptedRankings, in home: ScratchDirectory? = nil,
    time: any TimeKeeper = FakeClock(FakeClock.newYear)
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
