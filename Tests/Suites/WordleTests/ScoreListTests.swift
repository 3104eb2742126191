import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Wordle

/// Lists in which some scores cannot be read.
@Suite struct ScoreLists {
  /// Items with `ok` are valid.
  private func list(_ ids: [Int], isObject: Bool = false) throws -> ScoreList<Int> {
    let items = "[\(ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")),{\"ok\":7}]"
    return try ScoreList(JSON.parse(isObject ? "{\"scores\":\(items)}" : items)) { item throws(Failure) in
      if let ok = try item["ok"].orNull?.int { return ok }
      throw Failure(.invalidData, "bad")
    }
  }

  @Test(arguments: [
    ([1], "an invalid score: 1 (bad)", "1"), ([2, 1], "2 invalid scores: 2 (bad), 1 (bad)", "2 1"),
    ([1, 2, 3, 4, 5], "5 invalid scores: 1 (bad), 2 (bad), 3 (bad), 4 (bad), 5 (bad)", "1 2 3 4 5"),
    (
      [1, 2, 3, 4, 5, 6], "6 invalid scores: 1 (bad), 2 (bad), 3 (bad), 4 (bad), 5 (bad) and 1 more",
      "1 2 3 4 5 6"
    ), ([1, -1], "2 invalid scores: 1 (bad), -1 (bad)", "-- 1 -1"), ([0], "an invalid score: 0 (bad)", "0"),
  ])
  func whichAreInvalid(ids: [Int], text: String, operands: String) throws {
    for isObject in [true, false] {
      let list = try list(ids, isObject: isObject)
      #expect(list.valid == [7] && list.invalid.map(\.id) == ids)
      let failure = try #require(list.invalidScores)
      #expect(failure.kind == .invalidData && failure.message == "the service sent \(text)")
      #expect(failure.hint == "'hw wordle delete \(operands)' deletes \(ids.count == 1 ? "it" : "them")")
      #expect(failure.details == [.init("invalid", .list(ids.map(String.init)))])
    }
  }

  @Test func secondScoreOfANumberIsInvalid() throws {
    let list = try ScoreList(JSON.parse(#"[{"id":1,"ok":5},{"id":1,"ok":6},{"id":2,"ok":7}]"#)) {
      item throws(Failure) in try item["ok"].int
    }
    #expect(list.valid == [5, 7])
    #expect(
      list.invalidScores?.message == "the service sent an invalid score: 1 (a second score of this number)")
  }

  @Test func aHintNamesTwenty() throws {
    let failure = try #require(list(Array(1...21)).invalidScores)
    #expect(failure.message.hasSuffix("5 (bad) and 16 more"))
    #expect(failure.hint?.hasSuffix(" 19 20' deletes them") == true)
    #expect(failure.details == [.init("invalid", .list((1...21).map(String.init)))])
  }

  @Test func withoutANumberThereIsNoHint() throws {
    let list = try ScoreList(JSON.parse("[{}]")) { _ throws(Failure) -> Int in
      throw Failure(.invalidData, "bad")
    }
    #expect(list.invalidScores?.message == "the service sent an invalid score: bad")
    #expect(list.invalidScores?.hint == nil)
    #expect(ScoreList<Int>().invalidScores == nil)
  }

  private func client(_ body: String, status: Int = 200) throws -> WordleClient {
    let response = Response(status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    return WordleClient(endpoint: Endpoint(try URL("http://host"), ScriptedTransport(response)))
  }

  @Test func theNewestIsFirstWhateverTheOrder() throws {
    let games = [game(1, "at", "at"), game(3, "at", "at"), game(2, "at", "at")]
    let client = try client("[\(games.map(\.json).joined(separator: ","))]")
    #expect(try client.scores().valid.map(\.id) == [3, 2, 1])
    #expect(try client.latestScore().id == 3)
  }

  @Test func noMoreIsRequestedThanIsNeeded() throws {
    let transport = ScriptedTransport(Response(200, body: Array("[\(game(1, "at", "at").json)]".utf8)))
    let client = WordleClient(endpoint: Endpoint(try URL("http://host"), transport))
    _ = try client.latestScore()
    _ = try client.scores(atMost: 7)
    _ = try client.scores()
    _ = try client.statistics(of: Period(), today: 1)
    _ = try client.statistics(of: Period(until: CalendarDay(daysSinceEpoch: 20_000)), today: 1)
    #expect(
      transport.targets == [
        "/scores?limit=1", "/scores?limit=7", "/scores", "/scores?as=statistics", "/scores",
      ])
  }

  /// A service that knows no statistics sends its list for the same request.
  @Test func statisticsOfAList() throws {
    let games = [game(3, "at", "at"), game(2, "at", "so", "so", "so", "so", "so", "so"), game(1, "at", "at")]
    let client = try client("[\(games.map(\.json).joined(separator: ",")),{\"id\":5}]")
    let all = try client.statistics(of: Period(), today: 3)
    #expect((all.0.played, all.0.solved, all.0.currentStreak) == (3, 2, 1))
    #expect(all.invalid?.kind == .invalidData && all.invalid?.hint == "'hw wordle delete 5' deletes it")
    let two = try client.statistics(of: Period(until: games[1].date), today: 9)
    #expect((two.0.played, two.0.solved, two.0.currentStreak) == (2, 1, 0))
  }

  @Test func withoutAScoreThereIsNoNewest() throws {
    let none = try client("[]"), broken = try client(#"[{"id":5}]"#)
    let failure = #expect(throws: Failure.self) { try none.latestScore() }
    #expect(failure?.kind == .notFound && failure?.message == "there are no scores")
    let other = #expect(throws: Failure.self) { try broken.latestScore() }
    #expect(other?.kind == .invalidData && other?.hint == "'hw wordle delete 5' deletes it")
  }

  @Test func aScoreThatIsNotThere() throws {
    let missing = try client(#"{"error":"nothing"}"#, status: 404)
    let failure = #expect(throws: Failure.self) { try missing.score(7) }
    #expect(failure?.kind == .notFound && failure?.message == "there is no score 7")
    let broken = try client("{}")
    #expect(#expect(throws: Failure.self) { try broken.score(7) }?.kind == .invalidData)
  }
}
