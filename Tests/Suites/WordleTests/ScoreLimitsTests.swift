import Foundation
import HTTP
import JSON
import Server
import Store
import System
import TestSupport
import Testing

@testable import Command
@testable import Wordle

/// What one account may store: each limit just met and just exceeded.
@Suite(.needs(.libsqlite3), .eachEngine) struct ScoreLimitsTests {
  private func router(_ limits: ScoreLimits) throws -> Router {
    let time = SystemTime()
    let address = try StorageEngine.address(for: nil).map { try PostgreSQLAddress($0) }
    let store = address.map { Store($0, environment: Environment([:]), time: time) } ?? .memory(time: time)
    let settings = BackendSettings(store: store, hasSamples: false, time: time)
    return Router([try WordleBackend(settings, limits)])
  }

  private func post(_ id: Int, _ router: Router, padding: Int = 0) throws -> Response {
    let text = #"{"id":\#(id),"date":"2022-03-27","word":"nymph","tries":["nymph"]}"#
    let body = text + String(repeating: " ", count: padding)
    return router.respond(
      to: Request(.post, try URL("demo:/scores"), headers: ["X-Authorization": "a"], body: Array(body.utf8)))
  }

  @Test func anAccountHasAsManyScoresAsTheLimit() throws {
    // It begins with three.
    let router = try router(ScoreLimits(scoreSize: 1000, scoresPerAccount: 5))
    #expect(try (300...301).map { try post($0, router).status } == [201, 201])
    let refused = try post(302, router)
    #expect(refused.status == 409 && refused.text.contains("5 scores"), "\(refused.text)")
    let list = router.respond(
      to: Request(.get, try URL("demo:/scores"), headers: ["X-Authorization": "a"]))
    #expect(try JSON.parse(list.body)["scores"].array.count == 5)
    let deletion = router.respond(
      to: Request(.delete, try URL("demo:/scores/300"), headers: ["X-Authorization": "a"]))
    #expect(deletion.status == 200)
    #expect(try post(302, router).status == 201)
  }

  @Test func aScoreHasAsManyBytesAsTheLimit() throws {
    let length = #"{"id":300,"date":"2022-03-27","word":"nymph","tries":["nymph"]}"#.utf8.count
    let router = try router(ScoreLimits(scoreSize: 500, scoresPerAccount: 100))
    #expect(try post(300, router, padding: 500 - length).status == 201)
    #expect(try post(301, router, padding: 501 - length).status == 413)
  }

  @Test func withoutLimitsThereAreNone() throws {
    let router = try router(ScoreLimits())
    #expect(try post(300, router, padding: 100_000).status == 201)
    #expect(try (301...320).allSatisfy { try post($0, router).status == 201 })
  }

  @Test func aPublicServerHasLimitsWithoutOptions() {
    let limits = ScoreLimits(ServerOptions(), isPublic: true)
    #expect(limits.scoreSize == 2000 && limits.scoresPerAccount == 10_000)
    let none = ScoreLimits(ServerOptions(), isPublic: false)
    #expect(none.scoreSize == nil && none.scoresPerAccount == nil)
  }

  @Test(arguments: [("0", nil), ("1", 1), ("2001", 2001)] as [(String, Int?)])
  func zeroIsNoLimit(text: String, limit: Int?) throws {
    let command = Command(
      "serve", "Serve", settings: ScoreLimits.settings, output: .plain("Nothing."), examples: []
    ) { _, _ in }
    var call = Invocation(command, suite: nil)
    let variables = ["HW_SERVE_SCORE_SIZE": text, "HW_SERVE_SCORES_PER_ACCOUNT": text]
    try Settings(environment: Environment(variables), configuration: Configuration(path: "")).apply(to: &call)
    for isPublic in [true, false] {
      let limits = ScoreLimits(ServerOptions(call), isPublic: isPublic)
      #expect(limits.scoreSize == limit && limits.scoresPerAccount == limit)
    }
  }
}
