import Command
import System
import TestSupport
import Testing

@testable import Wordle

/// What `hw wordle` prints, and the requests of a service that checks nothing (`> `).
@Suite(.needs(.libsqlite3)) struct SessionTests {
  /// The service of a scene, if it is not that of the program.
  private final class Scripted: @unchecked Sendable {
    var service: ScriptedScores?
    private var shown = 0

    /// The words are scores: `8` has this number and was solved at once, `7!` cannot be read. For `METHOD PATH=` the
    /// status or the body of its response follows, for `again METHOD PATH=` the status of one that was sent before; at
    /// `stop=METHOD PATH` the program is asked to stop, and `later=` is an empty list that is sent next.
    func set(_ words: [String]) {
      var (scores, statuses, repeated, bodies) = (
        [String](), [String: Int](), [String: Int](), [String: String]()
      )
      var stop: String?
      for word in words {
        let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        switch sides[0] {
        case _ where sides.count == 1:
          scores.append(
            word.hasSuffix("!")
              ? #"{"id":\#(word.dropLast()),"date":"never"}"# : game(Int(word) ?? 0, "at", "at").json)
        case "stop": stop = sides[1]
        case "later": break
        case let key where key.hasPrefix("again "): repeated[String(key.dropFirst(6))] = Int(sides[1])
        case let key: if let status = Int(sides[1]) { statuses[key] = status } else { bodies[key] = sides[1] }
        }
      }
      service = ScriptedScores(
        scores, statuses: statuses, repeated: repeated, bodies: bodies, stop: stop,
        laterLists: words.contains("later=") ? [[]] : [])
      shown = 0
    }

    func newRequests() -> [String] {
      defer { shown = service?.requests.count ?? 0 }
      return service?.requests.dropFirst(shown).map { "> \($0)" } ?? []
    }
  }

  @Test func sessionsAreAsRecorded() throws {
    let scripted = Scripted()
    let suite = Wordle.suite.served { scripted.service?.backend }
    let text = try Scenes.replayed(
      RecordedText.text("sessions.txt"),
      begin: {
        scripted.service = nil
        return try Session(.only("wordle", suite), environment: ["HW_URL": "demo:"])
      },
      special: { _, words in
        guard words.first == "service" else { return nil }
        scripted.set(Array(words.dropFirst()))
        return []
      }, after: { _ in scripted.newRequests() })
    try RecordedText.hold("sessions.txt", to: text)
  }
}
