import HTTP
import Server
import System
import TestSupport

@testable import Wordle

/// A service that checks nothing: it always sends this list, and notes the requests.
final class ScriptedScores: @unchecked Sendable {
  private(set) var requests: [String] = []
  private var lists: [String]
  private let statuses: [String: Int]
  private let repeated: [String: Int]
  private let bodies: [String: String]
  private let stop: String?

  /// `statuses` and `bodies` are those of requests for anything but the list, by method and path; by default
  /// 200 and empty. `repeated` are the statuses of a request that was sent before. At the request `stop` the
  /// program is asked to stop before the response has come. `laterLists` are sent when the list is requested again.
  init(
    _ scores: [String], statuses: [String: Int] = [:], repeated: [String: Int] = [:],
    bodies: [String: String] = [:], stop: String? = nil, laterLists: [[String]] = []
  ) {
    lists = ([scores] + laterLists).map { "[\($0.joined(separator: ","))]" }
    self.statuses = statuses
    self.repeated = repeated
    self.bodies = bodies
    self.stop = stop
  }

  private static let routes: [(HTTP.Method, String)] = [
    (.get, "/scores"), (.get, "/scores/:id"), (.post, "/scores"), (.delete, "/scores"),
    (.delete, "/scores/:id"),
  ]

  private func nextList() -> String { lists.count > 1 ? lists.removeFirst() : lists[0] }

  var backend: ScriptedBackend {
    ScriptedBackend(
      "wordle",
      routes: ScriptedScores.routes.map { method, pattern in
        Route(method, pattern) { call throws(Failure) in
          let request = "\(method.rawValue) \(call.request.path)"
          let repeated = self.requests.contains(request) ? self.repeated[request] : nil
          self.requests.append(request)
          if request == self.stop { throw Failure(.interrupted, "stopped", outcomeUnknown: true) }
          let body = request == "GET /scores" ? self.nextList() : self.bodies[request] ?? ""
          return Response(repeated ?? self.statuses[request] ?? 200, body: Array(body.utf8))
        }
      })
  }
}

extension Ran {
  /// A run of the suite on 1 January 2024, the day of game 926, on the account in this home directory.
  init(_ line: String, home: ScratchDirectory, input: String = "") {
    self.init(line.split(separator: " ").map(String.init), home: home, input: input)
  }

  init(_ words: [String], home: ScratchDirectory, input: String = "") {
    self.init(
      .only("wordle", Wordle.suite), ["wordle"] + words,
      environment: ["HW_URL": "embedded:", "HOME": home.path], time: FakeClock(), input: input)
  }
}
