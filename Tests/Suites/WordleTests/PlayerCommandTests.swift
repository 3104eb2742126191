import JSON
import Store
import System
import TestSupport
import Testing

@testable import Wordle

/// Share texts that become games of players. The sample data has the players Ann and Ben.
@Suite(.needs(.libsqlite3)) struct Imports {
  private static let solved = "🟩🟩🟩🟩🟩"

  @Test(
    "Share texts that cannot be used are reported one by one, and then how many there were",
    arguments: [
      (
        "Wordle 281 4/6\n\(solved)\n", ["line 1: Wordle 281 4/6 has 1 row"],
        "1 share text was not imported, 0 read: ", []
      ),
      (
        "Wordle 281 4/6\n\(solved)\nWordle 282 1/6\n\(solved)\nWordle 283 3/6\n\(solved)\n",
        ["line 1: Wordle 281 4/6 has 1 row", "line 5: Wordle 283 3/6 has 1 row"],
        "2 share texts were not imported, 1 read: ", ["282"]
      ),
    ] as [(String, [String], String, [String])])
  func broken(input: String, problems: [String], count: String, ids: [String]) throws {
    let ran = Ran("import --tsv --no-header --fields id", input: input)
    #expect(ran.status == 2 && ran.lines == ids)
    #expect(
      ran.errors
        == (problems + [count + problems[0]]).map { "hw: \($0)\n" }.joined()
        + "    correct these lines, and import them again\n")
    // Without a game there is no empty list either.
    #expect(Ran("import --json", input: input).output.isEmpty == ids.isEmpty)
    // A program gets one object.
    let error = try JSON.parse(Ran("import --jsonl", input: input).errors)["error"]
    #expect(try error["message"].string == count + problems[0])
    #expect(try error["line"].int == 1)
    #expect(try error["problems"].array.map { try $0.string } == problems)
  }

  /// Nobody else can have sent a text without a sender.
  @Test func withoutSendersTheGamesAreMine() {
    let ran = Ran(
      "import --me Zoe --tsv --no-header --fields id,player", input: "Wordle 281 2/6\n")
    #expect(ran.status == 0 && ran.output == "281\tyou\n" && ran.errors == "")
  }

  @Test(arguments: [(1, ""), (10, ""), (11, ", …"), (12, ", …")])
  func tenSendersAreNamed(count: Int, rest: String) {
    let names = (0..<count).map { "P\($0)" }
    // Each of them sent two.
    let lines = (names + names).enumerated().map { "\($0.element): Wordle \($0.offset) 2/6\n" }
    let ran = Ran("import --me Zoe", input: lines.joined())
    let shown = names.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
    #expect(ran.status == 2 && ran.output == "")
    #expect(ran.errors == "hw: 'Zoe' sent no share text\n    senders: \(shown)\(rest)\n")
  }

  @Test func plannedDeletionPrintsTheGames() {
    let ran = Ran("delete --player ANN --dry-run --tsv --no-header --fields player")
    #expect(ran.status == 0 && ran.errors == "")
    #expect(ran.lines == [String](repeating: "Ann", count: 22))
    let nobody = Ran("delete --player Nobody --dry-run")
    #expect(
      nobody.status == 3
        && nobody.complaint
          == "hw: there are no imported games of 'Nobody' | 'hw wordle ranking' lists the players"
    )
  }

  @Test func theGamesAreOfOnePlayerOrMine() {
    let ran = Ran("import --player Ann --me Bob", input: "Wordle 281 2/6\n")
    #expect(ran.status == 2 && ran.output == "")
    #expect(ran.complaint == "hw: '--player' and '--me' exclude each other | remove one of them")
  }

  @Test func playerAndIDExcludeEachOther() {
    let ran = Ran("delete --player Ann 262")
    #expect(ran.status == 2 && ran.output == "")
    #expect(ran.errors.hasPrefix("hw: '--player' and ID exclude each other\n"), "\(ran.errors)")
  }

  @Test(arguments: ["import --player=", "import --me=", "delete --player="]) func emptyNameIsRefused(
    line: String
  ) {
    #expect(Ran(line, input: "Wordle 281 2/6\n").status == 2)
  }

  /// JSON, or a chat that begins like it.
  @Test(
    arguments: [
      ("[ ]", []), (" \n\(game(1, "at", "at").json)", ["1\t1/6\tEve"]),
      ("\n [ \(game(1, "at", "so").json) ]", ["1\tX/6\tEve"]),
      ("\(game(1, "at", "at").json)\n\(game(2, "at", "at").json)", ["1\t1/6\tEve", "2\t1/6\tEve"]),
      ("[12/03/22, 12:03] Ann: Wordle 264 2/6\n", ["264\t2/6\tEve"]),
    ])
  func scoresAsJSON(text: String, rows: [String]) {
    let ran = Ran("import --player Eve --tsv --no-header --fields id,result,player", input: text)
    #expect(ran.status == 0 && ran.lines == rows)
    #expect(ran.errors == (rows.isEmpty ? "hw: no share text and no score found\n" : ""))
  }

  @Test func brokenJSONIsReported() {
    let ran = Ran("import --player Eve", input: "[{]")
    #expect(ran.status == 2 && ran.errors.hasPrefix("hw: line 1, column 3"), "\(ran.errors)")
  }

  @Test func aTerminalIsNotWaitedFor() {
    let ran = Ran("import", input: "Wordle 281 2/6\n", terminal: [.input])
    #expect(ran.status == 2 && ran.output == "")
    #expect(
      ran.complaint
        == "hw: 'hw wordle import' reads standard input, and that is a terminal | name a FILE, or use '-' and paste"
    )
    #expect(Ran("import -", input: "Wordle 281 2/6\n", terminal: [.input]).status == 0)
  }
}

/// The account, the imported players and others. Today is the day of game 926.
@Suite(.needs(.libsqlite3)) struct ComparedPlayers {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  /// Compares own games, which were solved with one try, with games of Eve, which were solved with two.
  private func compared(_ words: String, own: [Int], eve: [Int]) -> Ran {
    let shares = eve.map { "Wordle \($0) 2/6\n" }.joined()
    #expect(Ran("import --player Eve", url: "embedded:", home: home, input: shares).status == 0)
    let service = ScriptedScores(own.map { game($0, "at", "at").json })
    return Ran("compare \(words)", url: "embedded:", service: service, home: home)
  }

  @Test(arguments: [("YOU", 1), ("ann", 22)])
  func statisticsOfAPlayer(name: String, played: Int) {
    let service = ScriptedScores([game(1, "at", "at").json])
    let ran = Ran("stats --player \(name) --json --fields played", service: service)
    #expect(ran.status == 0 && ran.output == "{\"played\":\(played)}\n")
    let nobody = Ran("stats --player Nobody", service: service)
    #expect(nobody.status == 3)
    #expect(
      nobody.complaint
        == "hw: there are no imported games of 'Nobody' | 'hw wordle ranking' lists the players")
  }

  /// Today is game 926.
  @Test func sixDaysAgoIsTheFirstOfSevenDays() {
    func compared(_ words: String) -> Ran {
      let games = [919, 920, 926, 927]
      return self.compared("\(words) --tsv --no-header --fields id", own: games, eve: games)
    }
    #expect(compared("--since 6d --until today").lines == ["926", "920"])
    #expect(compared("--since 7d --until today").lines == ["926", "920", "919"])
    let none = compared("--since yesterday --until 2023-12-31")
    #expect(none.status == 0 && none.errors == "hw: no game was played by several players\n")
    let swapped = compared("--since today --until 1d")
    #expect(swapped.errors == "hw: '--since today' is after '--until yesterday'\n    swap the dates\n")
  }

  @Test(
    "Formats for rows have one row per game",
    arguments: [
      ("--tsv", "id\tresults\tbest\n1\t{\"you\":\"1/6\",\"Eve\":\"2/6\"}\t[\"you\"]\n"),
      ("--csv --fields id", "id\n1\n"), ("-o markdown --fields id", "| No. |\n| ---: |\n| 1 |\n"),
      (
        "--jsonl --fields games",
        "{\"games\":[{\"id\":1,\"results\":{\"you\":\"1/6\",\"Eve\":\"2/6\"},\"best\":[\"you\"]}]}\n"
      ),
    ])
  func rows(format: String, output: String) {
    let ran = compared("--until 2021-06-20 \(format)", own: [1, 2], eve: [1, 2])
    #expect(ran.status == 0 && ran.output == output && ran.errors == "")
  }

  @Test(
    arguments: ["--csv", "--json", "--jsonl"], [("id=1", 0), ("id=9", 1)] as [(String, Int32)])
  func theStatusIsThatOfTheGames(format: String, condition: (text: String, status: Int32)) {
    let words = "--until 2021-06-20 --exit-status --where \(condition.text) \(format)"
    let ran = compared(words, own: [1], eve: [1, 2])
    #expect(ran.status == condition.status && !ran.output.isEmpty)
  }
}

/// Cards, unless something else was chosen.
@Suite struct CardsOfScores {
  private func service(_ ids: ClosedRange<Int>) -> ScriptedScores {
    ScriptedScores(ids.reversed().map { game($0, "at", "at").json })
  }

  @Test(arguments: [
    ("", "Wordle 1 1/6\n2021-06-20\n\n🟩🟩\n"),
    ("--fields word", "Word\nat\n"), ("-o table --fields word", "Word\nat\n"),
    ("--csv --fields word", "word\nat\n"),
  ])
  func formats(options: String, output: String) {
    #expect(Ran("scores \(options)", service: service(1...1)).output == output)
  }

  @Test func aBrowserNeedsATerminal() {
    for terminal in [[], [.input]] as [Set<Ran.Stream>] {
      let service = service(1...1)
      let ran = Ran("scores -i", service: service, terminal: terminal)
      #expect(ran.status == 2 && ran.output == "" && service.requests.isEmpty)
      #expect(
        ran.complaint
          == "hw: '-i' requires a terminal | '--reveal' shows the letters without one")
    }
  }

  @Test(
    arguments: [
      ("scores --tsv --no-header --fields id", "1\n"),
      ("stats --since 2021-06-01 --tsv --no-header --fields played", "1\n"),
    ])
  func whatIsInvalidIsReportedAfterTheOthers(line: String, output: String) {
    let ran = Ran(line, service: ScriptedScores([game(1, "at", "at").json, #"{"id":7}"#]))
    #expect(ran.status == 6 && ran.output == output)
    #expect(ran.errors.hasPrefix("hw: the service sent an invalid score: 7 ("), "\(ran.errors)")
  }

  /// Cards of 17 columns with four columns between them.
  @Test func aPipeHasEightyColumns() {
    let ran = Ran("scores", service: service(12_345...12_349))
    #expect(
      ran.output.split(separator: "\n").filter { $0.hasPrefix("Wordle") } == [
        "Wordle 12,349 1/6    Wordle 12,348 1/6    Wordle 12,347 1/6    Wordle 12,346 1/6",
        "Wordle 12,345 1/6",
      ])
  }
}

/// A game with one try of six.
@Suite struct UnfinishedGames {
  private let service = ScriptedScores([], bodies: ["GET /scores/8": game(8, "at", "to").json])

  @Test func areNotShared() {
    let refused = Ran("share 8", service: service)
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.complaint
        == "hw: Wordle 8 is not finished: it is not solved after 1 of 6 tries | "
        + "add the finished game with 'hw wordle add --replace'")
  }
}
