import HTTP
import JSON
import Server
import Store
import System
import Testing

@testable import Wordle

/// The five routes, without a socket.
@Suite(.enabled(if: Database.isAvailable)) struct WordleBackendRoutes {
  private let router: Router

  init() throws {
    let time = SystemTime()
    let settings = BackendSettings(store: .memory(time: time), hasSamples: false, time: time)
    router = Router([try WordleBackend(settings).backend])
  }

  private func send(_ method: Method, _ path: String, _ body: String = "", token: String? = nil) throws
    -> Response
  {
    let headers: Headers = if let token { ["X-Authorization": token] } else { [:] }
    return router.respond(
      to: Request(method, try URL("demo:" + path), headers: headers, body: Array(body.utf8)))
  }

  private func ids(token: String? = nil) throws -> [Int] {
    var ids: [Int] = []
    for score in try JSON.parse(try send(.get, "/scores", token: token).body)["scores"].array {
      ids.append(try score["id"].int)
    }
    return ids
  }

  private let nymph = #"{"id":281,"date":"2022-03-27","word":"nymph","tries":["nymph"]}"#

  @Test func anAccountIsBornWithThreeScoresNewestFirst() throws {
    #expect(
      try send(.get, "/scores").text == #"""
        {"scores":[{"id":264,"date":"2022-03-10","word":"lapse","tries":["stair","peony","lapse"]},\#
        {"id":263,"date":"2022-03-09","word":"month","tries":["stair","tuned","monty","month"]},\#
        {"id":262,"date":"2022-03-08","word":"sweet","tries":["corgi","pause","sleds","sweet"]}]}
        """#)
  }

  @Test func oneScore() throws {
    #expect(try send(.post, "/scores", nymph) == send(.get, "/scores/281").with(status: 201))
    #expect(try send(.get, "/scores/281").text == nymph)
    #expect(try send(.delete, "/scores/281").status == 200)
    #expect(try send(.get, "/scores/281").status == 404)
  }

  @Test func aResetRestoresTheInitialScores() throws {
    _ = try send(.post, "/scores", nymph)
    _ = try send(.delete, "/scores/262")
    #expect(try ids() == [281, 264, 263])
    #expect(try send(.delete, "/scores").status == 200)
    #expect(try ids() == [264, 263, 262])
  }

  @Test func anAccountIsAToken() throws {
    _ = try send(.post, "/scores", nymph, token: "a")
    #expect(try ids(token: "a") == [281, 264, 263, 262])
    #expect(try ids(token: "b") == [264, 263, 262])
    #expect(try send(.get, "/scores/281").status == 404)
    _ = try send(.delete, "/scores", token: "b")
    #expect(try ids(token: "a").count == 4)
  }

  @Test(
    "What it checks is the shape alone",
    arguments: [
      (#"{"id":1,"date":"2022-13-99","word":"a","tries":["bcd"]}"#, 201, ""),
      (#"{"id":1,"date":"x","word":"","tries":[]}"#, 201, ""),
      (#"{"date":"x","word":"","tries":[]}"#, 400, #"{"error":"missing id"}"#),
      (#"{"id":1,"date":"x","word":"","tries":null}"#, 400, #"{"error":"missing tries"}"#),
      (#"{"id":264,"date":"x","word":"","tries":[]}"#, 409, #"{"error":"there is a score 264 already"}"#),
      (#"{"id":"1","date":"x","word":"","tries":[]}"#, 400, ""), ("{", 400, ""), ("", 400, ""),
      ("[]", 400, ""),
    ])
  func posts(body: String, status: Int, answer: String) throws {
    let response = try send(.post, "/scores", body)
    #expect(response.status == status)
    if !answer.isEmpty { #expect(response.text == answer) }
    #expect(try ids().count == (status == 201 ? 4 : 3))
  }

  @Test(
    "Ids that are none",
    arguments: [("/scores/x", 400), ("/scores/1", 404), ("/scores/99999999999999999999", 400)])
  func ids(path: String, status: Int) throws {
    #expect(try send(.get, path).status == status)
    #expect(try send(.delete, path).status == status)
  }
}

extension Response {
  fileprivate func with(status: Int) -> Response {
    var response = self
    response.status = status
    return response
  }
}

@Suite struct Samples {
  @Test func areTheSameForASeed() {
    #expect(SampleScores(seed: 1).scores == SampleScores(seed: 1).scores)
    #expect(SampleScores(seed: 1).scores != SampleScores(seed: 2).scores)
  }

  @Test func areGamesOfWordle() throws {
    let scores = SampleScores(seed: 1).scores
    #expect(scores.map(\.id) == scores.map(\.id).sorted(by: >))
    for score in scores { #expect(try ScoreRules.checked(score) == score) }
    #expect(scores.contains { $0.id == 281 && $0.word == "nymph" })
    #expect(scores.suffix(3) == Score.initial[...])
  }
}
