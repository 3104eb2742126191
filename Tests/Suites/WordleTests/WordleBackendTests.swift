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

/// The five routes, without a socket.
@Suite(.needs(.libsqlite3), .eachEngine) struct WordleBackendRoutes {
  private let router: Router

  init() throws { try self.init(ScoreLimits()) }

  private init(_ limits: ScoreLimits) throws {
    let time = SystemTime()
    let address = try StorageEngine.address(for: nil).map { try PostgreSQLAddress($0) }
    let store = address.map { Store($0, environment: Environment([:]), time: time) } ?? .memory(time: time)
    let settings = BackendSettings(store: store, hasSamples: false, time: time)
    router = Router([try WordleBackend(settings) { _ in limits }])
  }

  private func send(_ method: Method, _ path: String, _ body: String = "", token: String? = nil) throws
    -> Response
  {
    let headers: Headers = if let token { ["X-Authorization": token] } else { [:] }
    return router.respond(
      to: Request(method, try URL("demo:" + path), headers: headers, body: Array(body.utf8)))
  }

  /// `METHOD PATH [TOKEN@] [BODY]`, each line followed by the status and the body of the response. A line of `##` begins
  /// with an account as it is born; `limits BYTES SCORES` is a server that stores so much of each.
  @Test func responsesAreAsRecorded() throws {
    var routes = self
    try RecordedText.holdRequests("requests.txt", begin: { routes = try Self() }) { words in
      if words[0] == "limits" {
        var limits = ScoreLimits()
        (limits.scoreSize, limits.scoresPerAccount) = (Int(words[1]), Int(words[2]))
        routes = try Self(limits)
        return []
      }
      let method = try #require(words.first.flatMap(Method.init(rawValue:)), "\(words)")
      let token = words.dropFirst(2).first { $0.hasSuffix("@") }.map { String($0.dropLast()) }
      let body = words.dropFirst(2).first { !$0.hasSuffix("@") } ?? ""
      let response = try routes.send(method, words[1], body, token: token)
      return ["\(response.status) \(response.text)"]
    }
  }

  @Test(arguments: [(false, 413), (true, 201)]) func userHasStandardLimits(isAdmin: Bool, status: Int) throws
  {
    let time = SystemTime()
    let table = try UserTable(.memory(time: time))
    table.addTemporary(User("ann", isAdmin: isAdmin), token: "a")
    let settings = BackendSettings(store: .memory(time: time), hasSamples: false, time: time)
    let backend = try WordleBackend(settings) { ScoreLimits(ServerOptions(), isPublic: false, for: $0) }
    let router = Router([backend], access: Access(table, isPublic: false, publicSuites: []))
    let body =
      #"{"id":281,"date":"2022-03-27","word":"nymph","tries":["nymph"]}"#
      + String(repeating: " ", count: 2000)
    let response = router.respond(
      to: Request(.post, try URL("demo:/scores"), headers: ["X-Authorization": "a"], body: Array(body.utf8)))
    #expect(response.status == status)
  }

  /// By whatever way they come to the account.
  @Test func statisticsAreThoseOfTheList() throws {
    for body in [
      #"{"id":281,"date":"2022-03-27","word":"nymph","tries":["nymph"]}"#,
      #"{"id":282,"date":"2022-03-28","word":"ß","tries":["b","ẞ"]}"#,
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
      game(283, "a", "b"), game(282, "ß", "b", "ẞ"), game(281, "a", "a"), game(9, "a", "b"),
      game(512, "a", "a"), game(511, "a", "a"),
      game(0, "a", "a"),
    ]
    let games = scores.map { (id: $0.id, result: $0.result) } + [(id: .max, result: .solved(1))]
    #expect(try Statistics(answer) == Statistics(games))
    #expect(try send(.get, "/scores?as=statistics", token: "b").text.contains(#""played":0,"solved":0,"#))
  }
}

@Suite(.needs(.libsqlite3)) struct WordleDatabases {
  private let scratch: ScratchDirectory
  private let settings: BackendSettings

  init() throws {
    scratch = try ScratchDirectory()
    settings = BackendSettings(store: scratch.store, hasSamples: false, time: SystemTime())
  }

  private func router() throws -> Router { Router([try WordleBackend(settings) { _ in ScoreLimits() }]) }

  private func database(_ name: String = "wordle") throws -> Database {
    try Database(.file(scratch.file("\(name).db")), time: SystemTime())
  }

  /// The marks of a damaged row may be more than a part has: their numbers would be too large.
  @Test func marksBeyondAPartAreIgnored() throws {
    let router = try router()
    func statistics() throws -> Statistics {
      let answer = router.respond(to: Request(.get, try URL("demo:/scores?as=statistics")))
      return try Statistics(JSON.parse(answer.body)["statistics"])
    }
    let score = Request(.post, try URL("demo:/scores"), body: Array(game(300, "at", "at").json.utf8))
    #expect(router.respond(to: score).status == 201)
    #expect(try statistics().played == 1)
    let database = try database()
    try database.run(
      "UPDATE results SET part = ?, marks = marks || ?",
      [.integer(Int.max >> 9), .text(String(repeating: "3", count: 9))])
    #expect(try statistics().played == 4)
  }

  /// An earlier hw gave unfinished games the mark of lost ones, and stored scores that no game has.
  @Test func formerMarksAreCorrected() throws {
    let router = try router()
    for score in [
      game(300, "at", "at"), game(301, "at", "so"), game(302, "at", "so", "so", "so", "so", "so", "so"),
    ] {
      let request = Request(.post, try URL("demo:/scores"), body: Array(score.json.utf8))
      #expect(router.respond(to: request).status == 201)
    }
    let database = try database()
    try database.run("UPDATE score SET mark = 'X' WHERE mark = '-'")
    try database.run("UPDATE results SET marks = replace(marks, '-', 'X')")
    func answer() throws -> JSON {
      try JSON.parse(router.respond(to: Request(.get, try URL("demo:/scores?as=statistics"))).body)
    }
    let statistics = try Statistics(answer()["statistics"])
    #expect((statistics.played, statistics.solved) == (2, 1))
    try database.run("UPDATE score SET body = replace(body, '\"so\"', '\"to\",\"so\"') WHERE id = 302")
    #expect(try answer()["scores"].array.count == 6)
  }

  /// Numbers are chosen by the user: parts without a result would fill the store.
  @Test func partWithoutAResultIsDeleted() throws {
    let router = try router()
    let database = try database()
    for part in 1...3 {
      for index in 0...1 {
        let score = #"{"id":\#(part << 9 + index),"date":"2030-01-01","word":"corgi","tries":["corgi"]}"#
        let added = router.respond(to: Request(.post, try URL("demo:/scores"), body: Array(score.utf8)))
        #expect(added.status == 201, "\(added.text)")
      }
      for index in 0...1 {
        let parts = try database.first("SELECT count(*) FROM results") { row throws(Failure) in
          try row[0].integer
        }
        #expect(parts == 2)
        let url = try URL("demo:/scores/\(part << 9 + index)")
        #expect(router.respond(to: Request(.delete, url)).status == 200)
      }
    }
  }

  @Test func playersDifferInMoreThanCase() throws {
    let players = try Players(settings)
    try players.store([SharedGame(id: 1, result: .solved(3), isHard: true, rows: [])], of: "Ann")
    try players.store([SharedGame(id: 2, result: .failed, rows: [])], of: " aNN")
    #expect(try players.all().map(\.name) == ["Ann"])
    #expect(try players.player("ANN")?.results == [1: .solved(3), 2: .failed])
    #expect(try players.player("ann")?.hardGames == [1])
    // As an earlier hw may have stored them.
    let database = try database("wordle-players")
    try database.run("INSERT INTO game (player, id, tries) VALUES ('ann', 3, 4)")
    #expect(try players.all().map(\.results.count) == [3])
    try players.delete("ANN")
    #expect(try players.all().isEmpty)
  }

  /// One rule for all results of a game: the first with rows counts.
  @Test(
    arguments: [
      ("3 3", "stored known", "3/6"), ("3 4", "stored refused", "3/6"), ("3 4r", "stored replaced", "4/6"),
      ("3 3r 4r", "stored known refused", "3/6"), ("3r 4", "stored refused", "3/6"),
      ("3r X", "stored refused", "3/6"), ("X 3r 3 X", "stored replaced known refused", "3/6"),
    ])
  func firstResultWithRowsCounts(results: String, outcomes: String, result: String) throws {
    let players = try Players(settings)
    let games = results.split(separator: " ").enumerated().map { index, text in
      ImportedGame(
        game: SharedGame(
          id: 1, result: text.first == "X" ? .failed : .solved(text.first?.wholeNumberValue ?? 0),
          rows: text.hasSuffix("r") ? [[.correct]] : []),
        player: index == 0 ? "Ann" : " aNN", place: ChatPlace(.line, index + 1))
    }
    #expect(try players.store(games, isDryRun: true).map { $0?.outcome.rawValue }.joined() == outcomes)
    #expect(try players.all().isEmpty)
    // In one import, and one after another.
    let stored = try games.map { try players.store([$0], isDryRun: false)[0]?.outcome.rawValue }
    #expect(stored.joined() == outcomes)
    #expect(try players.all().map(\.name) == ["Ann"])
    #expect(try players.player("ann")?.results[1]?.text == result)
    try players.delete("Ben")
    #expect(try players.all().count == 1)
    let again = try games.map { try players.store([$0], isDryRun: false)[0]?.outcome }
    #expect(again.allSatisfy { $0 == .known || $0 == .refused })
  }

  @Test func playerOfOneGameIsDeleted() throws {
    let players = try Players(settings)
    try players.store([SharedGame(id: 1, result: .solved(3), rows: [])], of: "Ann")
    try players.delete("ann")
    #expect(try players.all().isEmpty)
  }

  /// A database of the former version has results of unknown origin, which count as those with rows.
  @Test func formerPlayersAreConverted() throws {
    let former = try scratch.store.open(Players.migrations.upTo(2))
    try former.run("INSERT INTO game (player, id, tries) VALUES ('ann', 3, 4)")
    let players = try Players(settings)
    try players.store([SharedGame(id: 3, result: .failed, rows: [[.absent]])], of: "Ann")
    #expect(try players.all() == [PlayerResults("ann", [3: .solved(4)])])
  }

  /// A server may run one on each of its threads.
  @Test func severalInstancesAreOne() throws {
    let backends = try (1...2).map { _ in try WordleBackend(settings) { _ in ScoreLimits() } }
    let routers = backends.map { Router([$0]) }
    for (place, id) in [264, 263].enumerated() {
      let deletion = Request(.delete, try URL("demo:/scores/\(id)"))
      #expect(routers[place].respond(to: deletion).status == 200)
      #expect(routers[1 - place].respond(to: deletion).status == 404)
    }
  }

  @Test(arguments: [0, 7, Int.min, Int.max]) func aGameOfAPlayerHasOneToSixTries(_ tries: Int) throws {
    let players = try Players(settings)
    try players.store([SharedGame(id: 1, result: .solved(3), rows: [])], of: "Ann")
    #expect(try players.all().count == 1)
    let database = try database("wordle-players")
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
      try WordleBackend(BackendSettings(store: folder.store, hasSamples: false, time: SystemTime())) { _ in
        ScoreLimits()
      }
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

extension [String?] {
  fileprivate func joined() -> String { map { $0 ?? "-" }.joined(separator: " ") }
}

extension Players {
  fileprivate func store(_ games: [SharedGame], of player: String) throws {
    _ = try store(
      games.map { ImportedGame(game: $0, player: player, place: ChatPlace(.line, 1)) }, isDryRun: false)
  }
}
