import Command
import HTTP
import System
import TestSupport
import Testing

@testable import Nodes

/// What `hw nodes` prints, and which snapshots are saved.
@Suite struct SessionTests {
  /// The service of a scene; nil is that of the program.
  private final class Scripted: @unchecked Sendable {
    var service: ScriptedRankings?
  }

  /// `service CHANNELS…` has rankings of one node with so many channels, one for each request, `empty` ones, or is
  /// `down`. `saved NAME CHANNELS [RANKING]` is a snapshot that is there already, as `newer NAME CHANNELS` and `file NAME CHANNELS [SOURCE]`.
  private static func prepare(_ session: Session, _ words: [String], _ scripted: Scripted) throws -> [String]?
  {
    func content(_ by: String = "connectivity", _ source: String = "demo:") -> String {
      let nodes = words[2] == "empty" ? "[]" : "[\(NodeTests.row("channels", words[2]))]"
      return words[2] == "damaged"
        ? "{"
        : SnapshotCommandTests.snapshot(nodes, by: by, source: source)
    }
    switch words[0] {
    case "service":
      scripted.service = ScriptedRankings(
        words.dropFirst().map { word in
          word == "down"
            ? Response(503) : .ranking(word == "empty" ? [] : [NodeTests.row("channels", word)])
        })
    case "saved":
      let name = words[1].hasSuffix(".json") ? words[1] : words[1] + SnapshotCommandTests.origin
      try session.home.saveSnapshot(
        name, words.count > 2 ? content(words.count > 3 ? words[3] : "connectivity") : "")
    case "newer":
      try session.home.saveSnapshot(
        words[1] + SnapshotCommandTests.origin,
        content().replacing(#""version":2"#, with: #""version":3"#))
    case "file":
      try session.home.write(words.count > 3 ? content("connectivity", words[3]) : content(), to: words[1])
    default: return nil
    }
    return []
  }

  @Test func sessionsAreAsRecorded() throws {
    let scripted = Scripted()
    let suite = Nodes.suite.served { scripted.service?.backend }
    let text = try Scenes.replayed(
      RecordedText.text("sessions.txt"),
      begin: {
        scripted.service = ScriptedRankings([.ranking([NodeTests.row()])])
        return try Session(
          .only("nodes", suite), environment: ["HW_URL": "demo:"], time: FakeClock(FakeClock.newYear))
      },
      special: { session, words in
        if words[0] == "sample" {
          scripted.service = nil
          return []
        }
        return try Self.prepare(session, words, scripted)
      })
    try RecordedText.hold("sessions.txt", to: text)
  }
}
