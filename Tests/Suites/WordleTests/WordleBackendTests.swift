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

extension Router {
  fileprivate func send(
    _ method: Method, _ path: String, _ body: String = "", token: String? = nil
  ) throws -> Response {
    let headers: Headers = if let token, !token.isEmpty { ["X-Authorization": token] } else { [:] }
    return respond(to: Request(method, try URL("demo:" + path), headers: headers, body: Array(body.utf8)))
  }
}

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
      let response = try routes.router.send(method, words[1], body, token: token)
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
    #expect(try router.send(.post, "/scores", body, token: "a").status == status)
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
      #"{"id":1000,"date":"2022-03-29","word":"a","tries":["a"]}"#,
      #"{"id":9,"date":"2022-03-29","word":"a","tries":["b"]}"#,
    ] {
      #expect(try router.send(.post, "/scores", body).status == 201)
    }
    _ = try router.send(.delete, "/scores/263")
    let answer = try JSON.parse(try router.send(.get, "/scores?as=statistics").body)["statistics"]
    let scores = [
      game(283, "a", "b"), game(282, "ß", "b", "ẞ"), game(281, "a", "a"), game(9, "a", "b"),
      game(512, "a", "a"), game(511, "a", "a"), game(0, "a", "a"),
    ]
    let games = scores.map { (id: $0.id, result: $0.result) } + [(id: 1000, result: .solved(1))]
    #expect(try Statistics(answer) == Statistics(games))
    #expect(
      try router.send(.get, "/scores?as=statistics", token: "b").text.contains(#""played":0,"solved":0,"#))
    // A game of the future hides the streak, so the list is sent.
    let future = #"{"id":9223372036854775807,"date":"2022-03-29","word":"a","tries":["a"]}"#
    #expect(try router.send(.post, "/scores", future).status == 201)
    #expect(try router.send(.get, "/scores?as=statistics").text.hasPrefix(#"{"scores":["#))
  }
}

@Suite(.needs(.libsqlite3)) struct WordleDatabases {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private var settings: BackendSettings { scratch.settings }
  private func router() throws -> Router { try scratch.router() }

  private func database(_ name: String = "wordle") throws -> Database {
    try Database(.file(scratch.file("\(name).db")), time: SystemTime())
  }

  /// The marks of a damaged row may be more than a part has: their numbers would be too large. The list has none of it.
  @Test func marksBeyondAPartAreIgnored() throws {
    let router = try router()
    func statistics() throws -> Statistics {
      try Statistics(JSON.parse(router.send(.get, "/scores?as=statistics").body)["statistics"])
    }
    #expect(try router.send(.post, "/scores", game(300, "at", "at").json).status == 201)
    #expect(try statistics().played == 1)
    let database = try database()
    try database.run(
      "UPDATE results SET part = ?, marks = marks || ?",
      [.integer(Int.max >> 9), .text(String(repeating: "3", count: 9))])
    let list = try JSON.parse(router.send(.get, "/scores?as=statistics").body)["scores"].array
    #expect(list.count == 4)
  }

  /// An earlier hw gave unfinished games the mark of lost ones, and stored scores that no game has.
  @Test func formerMarksAreCorrected() throws {
    let router = try router()
    for score in [
      game(300, "at", "at"), game(301, "at", "so"), game(302, "at", "so", "so", "so", "so", "so", "so"),
    ] {
      #expect(try router.send(.post, "/scores", score.json).status == 201)
    }
    let database = try database()
    try database.run("UPDATE score SET mark = 'X' WHERE mark = '-'")
    try database.run("UPDATE results SET marks = replace(marks, '-', 'X')")
    func answer() throws -> JSON {
      try JSON.parse(router.send(.get, "/scores?as=statistics").body)
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
        let added = try router.send(.post, "/scores", score)
        #expect(added.status == 201, "\(added.text)")
      }
      for index in 0...1 {
        let parts = try database.first("SELECT count(*) FROM results") { row throws(Failure) in
          try row[0].integer
        }
        #expect(parts == 2)
        #expect(try router.send(.delete, "/scores/\(part << 9 + index)").status == 200)
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
  @Test(arguments: [
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

  /// A database of the former version has results of unknown origin, which count as those with rows.
  @Test func formerPlayersAreConverted() throws {
    let former = try settings.store.open(Players.migrations.upTo(2))
    try former.run("INSERT INTO game (player, id, tries) VALUES ('ann', 3, 4)")
    let players = try Players(settings)
    try players.store([SharedGame(id: 3, result: .failed, rows: [[.absent]])], of: "Ann")
    #expect(try players.all() == [PlayerResults("ann", [3: .solved(4)])])
    try players.delete("Ann")
    #expect(try players.all().isEmpty)
  }

  /// A server may run one on each of its threads.
  @Test func severalInstancesAreOne() throws {
    let backends = try (1...2).map { _ in try WordleBackend(settings) { _ in ScoreLimits() } }
    let routers = backends.map { Router([$0]) }
    for (place, id) in [264, 263].enumerated() {
      #expect(try routers[place].send(.delete, "/scores/\(id)").status == 200)
      #expect(try routers[1 - place].send(.delete, "/scores/\(id)").status == 404)
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
  fileprivate var settings: BackendSettings {
    BackendSettings(store: Store(folder: path, time: SystemTime()), hasSamples: false, time: SystemTime())
  }

  fileprivate func router() throws -> Router {
    Router([try WordleBackend(settings) { _ in ScoreLimits() }])
  }

  /// The bytes of all files.
  fileprivate var bytes: [UInt8] {
    get throws { try names.flatMap { Array(try bytes($0)) } }
  }
}

/// A database contains no token, and each token finds its account still.
@Suite(.needs(.libsqlite3)) struct WordleTokens {
  /// The last one is the name of the first one's account.
  private static let tokens = ["", "hush-hush-hush-hush", "ünï'\"--%_", "e3b0c44298fc1c149afbf4c8996fb924"]

  /// Reading stores nothing: otherwise anybody could fill the disk with accounts.
  @Test func readingMakesNoAccount() throws {
    let folder = try ScratchDirectory()
    let router = try folder.router()
    for path in ["/scores", "/scores?as=statistics", "/scores?limit=1", "/scores/264", "/scores/1"] {
      _ = try router.send(.get, path, token: "new")
    }
    _ = try router.send(.delete, "/scores", token: "stored")
    let database = try Database(.file("\(folder.path)/wordle.db"), time: SystemTime())
    #expect(
      try database.first("SELECT count(*) FROM account") { row throws(Failure) in try row[0].integer } == 1)
  }

  @Test func areNotInANewDatabase() throws {
    let folder = try ScratchDirectory()
    for token in WordleTokens.tokens {
      let router = try folder.router()
      #expect(try router.send(.delete, "/scores/262", token: token).status == 200)
      #expect(try !router.send(.get, "/scores", token: token).text.contains("262"))
    }
    let bytes = try folder.bytes
    #expect(bytes.firstRange(of: Array("lapse".utf8)) != nil)
    for token in WordleTokens.tokens[1...2] {
      #expect(bytes.firstRange(of: Array(token.utf8)) == nil, "\(token)")
    }
  }
}

@Suite struct Samples {
  @Test func areGamesOfWordle() throws {
    let scores = SampleScores(seed: 1).scores
    #expect(scores.map(\.id) == scores.map(\.id).sorted(by: >))
    for score in scores { #expect(try ScoreRules.checked(score) == score) }
    #expect(scores.contains { $0.id == 281 && $0.word == "nymph" })
    #expect(scores.suffix(3) == Score.initial[...])
    #expect(scores == SampleScores(seed: 1).scores && scores != SampleScores(seed: 2).scores)
  }
}

/// What one account may store.
@Suite struct ScoreLimitsTests {
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

extension [String?] {
  fileprivate func joined() -> String { map { $0 ?? "-" }.joined(separator: " ") }
}

extension Players {
  fileprivate func store(_ games: [SharedGame], of player: String) throws {
    _ = try store(
      games.map { ImportedGame(game: $0, player: player, place: ChatPlace(.line, 1)) }, isDryRun: false)
  }
}
