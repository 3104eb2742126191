import Command
import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import NBA

/// Sessions of `hw nba` with the games of a service, on 15 January 2025. `service GAME…` has these games: `5` has this number,
/// and is otherwise as in `5,date=2024-12-25,status=Final,period=4,scores=110:104,home=LAL,visitor=BOS`. A status or a team
/// may be `null`, and `stage` is that of the NBA Cup.
@Suite struct SessionTests {
  /// The response to each request for games; nil is the program's own service.
  private final class Scripted: @unchecked Sendable {
    var games: Response?

    var backend: ScriptedBackend? {
      games.map { games in
        let teams = [Sample.lakers, Sample.celtics, Sample.capitols].joined(separator: ",")
        return ScriptedBackend(
          "nba",
          routes: [
            Route(.get, "/games") { _ in games },
            Route(.get, "/teams") { _ in .text(#"{"data":[\#(teams)]}"#) },
          ])
      }
    }
  }

  private static func team(_ name: String) throws -> String {
    guard name != "null" else { return name }
    var writer = JSONWriter()
    try TeamSearch.find(name, among: League.teams).write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func game(_ text: String) throws -> String {
    let parts = text.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
    let options = Dictionary(parts.dropFirst().map { ($0[0], $0[1]) }) { $1 }
    let scores = (options["scores"] ?? "110:104").split(separator: ":").map(String.init)
    return try Sample.game(
      id: Int(parts[0][0]) ?? 0, date: options["date"] ?? "2024-12-25", status: options["status"] ?? "Final",
      period: options["period"].flatMap { Int($0) } ?? 4, scores: (scores[0], scores[1]),
      home: team(options["home"] ?? "LAL"), visitor: team(options["visitor"] ?? "BOS"),
      more: options["stage"].map { #""ist_stage":"\#($0)","# } ?? ""
    ).replacing(#""status":"null""#, with: #""status":null"#)
  }

  @Test func sessionsAreAsRecorded() throws {
    let scripted = Scripted()
    let suite = NBA.suite.served { scripted.backend }
    let text = try Scenes.replayed(
      RecordedText.text("sessions.txt"),
      begin: {
        try Session(.only("nba", suite), environment: ["HW_URL": "demo:"], time: FakeClock("2025-01-15"))
      },
      special: { _, words in
        guard words[0] == "service" else { return nil }
        let games = try words.dropFirst().map(Self.game).joined(separator: ",")
        scripted.games = .text(#"{"data":[\#(games)],"meta":{}}"#)
        return []
      })
    try RecordedText.hold("sessions.txt", to: text)
  }
}
