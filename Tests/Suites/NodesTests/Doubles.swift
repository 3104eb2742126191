import TestSupport
import Command
import HTTP
import Server
import System

@testable import Nodes

/// A service that has one response per request for a ranking, in turn. The last one is repeated.
final class ScriptedRankings: @unchecked Sendable {
  private var responses: [Response]

  init(_ responses: [Response]) {
    self.responses = responses
  }

  var backend: ScriptedBackend {
    ScriptedBackend(
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
  /// Saves a snapshot as the commands do, if this is the home directory.
  func saveSnapshot(_ name: String, _ text: String = "") throws {
    try write(text, to: ".local/state/hw/nodes/\(name)")
  }
}

extension Ran {
  /// A run of the suite on this service.
  init(
    _ words: [String], _ service: ScriptedRankings, in home: ScratchDirectory? = nil,
    time: any TimeKeeper = FakeClock(FakeClock.newYear)
  ) {
    let suite = Suite("nodes", "Nodes", backend: { _, _ in service.backend }, commands: Nodes.suite.commands)
    // The list of the snapshots sends no request, and has no service.
    self.init(
      .only("nodes", suite), ["nodes"] + words + (words.first == "snapshots" ? [] : ["--demo"]),
      environment: home.map { ["HOME": $0.path] } ?? [:], time: time)
  }
}
