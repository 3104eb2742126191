import Foundation
import HTTP
import JSON
import Server
import Store
import System
import TestSupport
import Testing

@testable import Wordle

/// The five routes, without a socket.
@Suite(.needs(.libsqlite3), .eachEngine) struct WordleBackendRoutes {
  private let router: Router

  init() throws {
    let time = SystemTime()
    let address = try StorageEngine.address(for: nil).map { try PostgreSQLAddress($0) }
    let store = address.map { Store($0, environment: Environment([:]), time: time) } ?? .memory(time: time)
    let settings = BackendSettings(store: store, hasSamples: false, time: time)
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

  @Test(
    "Beyond the contract: no more than are wanted, the newest; what is no limit is none",
    arguments: [("2", 2), ("0", 0), ("9", 3), ("-1", 3), ("x", 3), ("", 3)])
  func limit(text: String, count: Int) throws {
    let all = try JSON.parse(try send(.get, "/scores").body)["scores"].array
    let some = try JSON.parse(try send(.get, "/scores?limit=\(text)").body)["scores"].array
    #expect(try some.map { try $0["id"].int } == all.prefix(count).map { try $0["id"].int })
  }

  /// The same of an account that is stored.
  @Test(arguments: [("2", 2), ("0", 0), ("9", 3), ("-1", 3), ("x", 3), ("", 3)])
  func limitOfAStoredAccount(text: String, count: Int) throws {
    #expect(try send(.delete, "/scores").status == 200)
    let some = try JSON.parse(try send(.get, "/scores?limit=\(text)").body)["scores"].array
    #expect(try some.map { try $0["id"].int } == Array([264, 263, 262].prefix(count)))
  }

  @Test func scoresOfADayGoByTheirNumbers() throws {
    for (id, day) in [(300, "2022-03-09"), (900, "2020-01-01"), (5, "2022-03-09")] {
      let score = #"{"id":\#(id),"date":"\#(day)","word":"a","tries":["a"]}"#
      #expect(try send(.post, "/scores", score).status == 201)
    }
    #expect(try ids() == [264, 300, 263, 5, 262, 900])
  }

  /// By whatever way they come to the account.
  @Test func statisticsAreThoseOfTheList() throws {
    for body in [
      nymph, #"{"id":282,"date":"2022-03-28","word":"ß","tries":["b","ẞ"]}"#,
      #"{"id":283,"date":"2022-03-29","word":"a","tries":["b"]}"#,
      #"{"id":512,"date":"2022-03-29","word":"a","tries":["a"]}"#,
      #"{"id":511,"date":"2022-03-29","word":"a","tries":["a"]}"#,
      #"{"id":0,"date":"2022-03-29","word":"a","tries":["a"]}"#,
      #"{"id":9223372036854775807,"date":"2022-03-29","word":"a","tries":["a"]}"#,
      #"{"id":9,"date":"2022-03-29","word":"a","tries":["b"]}"#,
    ] {
      #expect(try send(.post, "/scores", body).status == 201)
    }
    _ = try send(.delete, "/scores/263")
    let answer = try JSON.parse(try send(.get, "/scores?as=statistics").body)["statistics"]
    let scores = [
      game(283, "a", "b"), game(282, "ß", "b", "ẞ"), game(281, "a", "a"), game(264, "a", "b", "b", "a"),
      game(262, "a", "b", "b", "b", "a"), game(9, "a", "b"), game(512, "a", "a"), game(511, "a", "a"),
      game(0, "a", "a"),
    ]
    let games = scores.map { (id: $0.id, result: $0.result) } + [(id: .max, result: .solved(1))]
    #expect(try Statistics(answer) == Statistics(games))
    #expect(try send(.get, "/scores?as=statistics", token: "b").text.contains(#""played":3,"solved":3,"#))
  }

  /// An account is stored with its first change.
  @Test func anAccountIsTheSameBeforeAndAfterItIsStored() throws {
    let paths = ["/scores", "/scores?as=statistics", "/scores?limit=2", "/scores/263", "/scores/1"]
    let before = try paths.map { try send(.get, $0, token: "new") }
    #expect(try send(.post, "/scores", nymph, token: "new").status == 201)
    #expect(try send(.delete, "/scores/281", token: "new").status == 200)
    #expect(try paths.map { try send(.get, $0, token: "new") } == before)
  }

  @Test func oneScore() throws {
    #expect(try send(.post, "/scores", nymph) == send(.get, "/scores/281").with(status: 201))
    #expect(try send(.get, "/scores/281").text == nymph)
    #expect(try send(.delete, "/scores/281").status == 200)
    #expect(try send(.get, "/scores/281").status == 404)
  }

  @Test func aResetRestoresTheInitialScores() throws {
    let statistics = try send(.get, "/scores?as=statistics")
    _ = try send(.post, "/scores", nymph)
    _ = try send(.delete, "/scores/262")
    #expect(try ids() == [281, 264, 263])
    #expect(try send(.delete, "/scores").status == 200)
    #expect(try ids() == [264, 263, 262])
    #expect(try send(.get, "/scores?as=statistics") == statistics)
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
    "What no score can be is refused, and Wordle's other rules are the client's",
    arguments: [
      (#"{"id":1,"date":"2022-03-09","word":"a","tries":["b","a","c"]}"#, 201, ""),
      (#"{"id":1,"date":"2022-13-08","word":"sweet","tries":["corgi"]}"#, 400, ""),
      (#"{"id":1,"date":"x","word":"sweet","tries":["corgi"]}"#, 400, ""),
      (
        #"{"id":1,"date":"2022-03-09","word":"sweet","tries":["cor"]}"#, 400,
        #"{"error":"'cor' has 3 letters, the word 'sweet' has 5 letters"}"#
      ),
      (
        #"{"id":-1,"date":"2022-03-09","word":"sweet","tries":["corgi"]}"#, 400,
        #"{"error":"a number below 0"}"#
      ),
      (
        #"{"id":1,"date":"2022-03-09","word":"sweet","tries":[]}"#, 400,
        #"{"error":"expected at least 1 try"}"#
      ),
      (#"{"id":1,"date":"2022-03-09","word":"","tries":[""]}"#, 400, #"{"error":"the word is empty"}"#),
      (#"{"date":"x","word":"","tries":[]}"#, 400, #"{"error":"missing id"}"#),
      (#"{"id":1,"date":"x","word":"","tries":null}"#, 400, #"{"error":"missing tries"}"#),
      (
        #"{"id":264,"date":"2022-03-09","word":"a","tries":["a"]}"#, 409,
        #"{"error":"there is a score 264 already"}"#
      ),
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

@Suite(.needs(.libsqlite3)) struct WordleDatabases {
  /// The marks of a damaged row may be more than a part has: their numbers would be too large.
  @Test func marksBeyondAPartAreIgnored() throws {
    let scratch = try ScratchDirectory()
    let settings = BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime())
    let router = Router([try WordleBackend(settings).backend])
    func statistics() throws -> Statistics {
      let answer = router.respond(to: Request(.get, try URL("demo:/scores?as=statistics")))
      return try Statistics(JSON.parse(answer.body)["statistics"])
    }
    #expect(try statistics().played == 3)
    let database = try Database(.file("\(scratch.path)/wordle.db"), time: SystemTime())
    try database.run(
      "UPDATE results SET part = ?, marks = marks || ?",
      [.integer(Int.max >> 9), .text(String(repeating: "3", count: 9))])
    #expect(try statistics().played == 3)
  }

  @Test func playersDifferInMoreThanCase() throws {
    let scratch = try ScratchDirectory()
    let players = try Players(BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime()))
    try players.keep([SharedGame(id: 1, result: .solved(3), isHard: true, rows: [])], of: "Ann")
    try players.keep([SharedGame(id: 2, result: .failed, rows: [])], of: " aNN")
    #expect(try players.all().map(\.name) == ["Ann"])
    #expect(try players.player("ANN")?.results == [1: .solved(3), 2: .failed])
    #expect(try players.player("ann")?.hardGames == [1])
    // As an earlier hw may have stored them.
    let database = try Database(.file("\(scratch.path)/wordle-players.db"), time: SystemTime())
    try database.run("INSERT INTO game (player, id, tries) VALUES ('ann', 3, 4)")
    #expect(try players.all().map(\.results.count) == [3])
    try players.delete("ANN")
    #expect(try players.all().isEmpty)
  }

  @Test func theLastResultOfAGameCounts() throws {
    let scratch = try ScratchDirectory()
    let players = try Players(BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime()))
    try players.keep([
      (name: "Ann", games: [SharedGame(id: 1, result: .solved(3), isHard: true, rows: [])]),
      (name: "ann ", games: [SharedGame(id: 2, result: .solved(2), isHard: true, rows: [])]),
      (name: "Ben", games: []),
    ])
    #expect(try players.all().map(\.name) == ["Ann"])
    try players.keep([SharedGame(id: 1, result: .failed, rows: [])], of: "ANN")
    let ann = try #require(try players.player("ann"))
    #expect(ann.results == [1: .failed, 2: .solved(2)] && ann.hardGames == [2])
    #expect(try players.player("Ben") == nil)
    try players.delete("Ben")
    #expect(try players.all().count == 1)
  }

  @Test func playerOfOneGameIsDeleted() throws {
    let scratch = try ScratchDirectory()
    let players = try Players(BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime()))
    try players.keep([SharedGame(id: 1, result: .solved(3), rows: [])], of: "Ann")
    try players.delete("ann")
    #expect(try players.all().isEmpty)
  }

  @Test func ofTwoNamesInOneImportTheFirstIsKept() throws {
    let scratch = try ScratchDirectory()
    let players = try Players(BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime()))
    try players.keep([
      (name: "ann", games: [SharedGame(id: 1, result: .solved(3), rows: [])]),
      (name: "Ann", games: [SharedGame(id: 1, result: .failed, rows: [])]),
    ])
    #expect(try players.all() == [PlayerResults("ann", [1: .failed])])
  }

  /// A server may run one on each of its threads.
  @Test func severalInstancesAreOne() throws {
    let scratch = try ScratchDirectory()
    let backends = try (1...2).map { _ in
      try WordleBackend(BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime())).backend
    }
    #expect(backends.allSatisfy { $0.state == .store })
    let routers = backends.map { Router([$0]) }
    for (place, id) in [264, 263].enumerated() {
      let deletion = Request(.delete, try URL("demo:/scores/\(id)"))
      #expect(routers[place].respond(to: deletion).status == 200)
      #expect(routers[1 - place].respond(to: deletion).status == 404)
    }
  }

  @Test(arguments: [0, 7, Int.min, Int.max]) func aGameOfAPlayerHasOneToSixTries(_ tries: Int) throws {
    let scratch = try ScratchDirectory()
    let players = try Players(BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime()))
    try players.keep([SharedGame(id: 1, result: .solved(3), rows: [])], of: "Ann")
    #expect(try players.all().count == 1)
    let database = try Database(.file("\(scratch.path)/wordle-players.db"), time: SystemTime())
    try database.run("UPDATE game SET tries = ?", [.integer(tries)])
    let failure = #expect(throws: Failure.self) { try players.all() }
    #expect(failure?.kind == .storage)
  }
}

extension ScratchDirectory {
  fileprivate var store: Store { Store(folder: path, time: SystemTime()) }

  /// The bytes of all files.
  fileprivate var bytes: [UInt8] {
    get throws { try names.flatMap { Array(try bytes($0)) } }
  }
}

/// A database contains no token, and each token finds its account still.
@Suite(.needs(.libsqlite3)) struct WordleTokens {
  /// The last one is the name of the first one's account.
  private static let tokens = ["", "hush-hush-hush-hush", "ünï'\"--%_", "e3b0c44298fc1c149afbf4c8996fb924"]

  private func scores(_ router: Router, _ token: String) throws -> [Int] {
    let response = router.respond(
      to: Request(.get, try URL("demo:/scores"), headers: token.isEmpty ? [:] : ["X-Authorization": token]))
    return try JSON.parse(response.body)["scores"].array.map { try $0["id"].int }
  }

  private func router(_ folder: ScratchDirectory) throws -> Router {
    Router([
      try WordleBackend(BackendSettings(store: folder.store, hasSamples: false, time: SystemTime())).backend
    ])
  }

  /// Reading stores nothing: otherwise anybody could fill the disk with accounts.
  @Test func readingMakesNoAccount() throws {
    let folder = try ScratchDirectory()
    let router = try router(folder)
    for path in ["/scores", "/scores?as=statistics", "/scores?limit=1", "/scores/264", "/scores/1"] {
      let before = router.respond(
        to: Request(.get, try URL("demo:\(path)"), headers: ["X-Authorization": "new"]))
      // An account that is stored has the same scores.
      _ = router.respond(
        to: Request(.delete, try URL("demo:/scores"), headers: ["X-Authorization": "stored"]))
      let stored = router.respond(
        to: Request(.get, try URL("demo:\(path)"), headers: ["X-Authorization": "stored"]))
      #expect(before == stored, "\(path)")
    }
    let database = try Database(.file("\(folder.path)/wordle.db"), time: SystemTime())
    #expect(
      try database.first("SELECT count(*) FROM account") { row throws(Failure) in try row[0].integer } == 1)
  }

  @Test func areNotInANewDatabase() throws {
    let folder = try ScratchDirectory()
    for token in WordleTokens.tokens {
      let router = try router(folder)
      #expect(try scores(router, token).count == 3)
      _ = router.respond(
        to: Request(
          .delete, try URL("demo:/scores/262"), headers: token.isEmpty ? [:] : ["X-Authorization": token]))
      #expect(try scores(router, token).count == 2)
    }
    let bytes = try folder.bytes
    #expect(bytes.firstRange(of: Array("lapse".utf8)) != nil)
    for token in WordleTokens.tokens[1...2] {
      #expect(bytes.firstRange(of: Array(token.utf8)) == nil, "\(token)")
    }
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
