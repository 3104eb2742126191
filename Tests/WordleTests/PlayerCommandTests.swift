import JSON
import Store
import System
import TestSupport
import Testing

@testable import Wordle

/// Share texts that become games of players. The sample data has the players Ann and Ben.
@Suite(.enabled(if: Database.isAvailable)) struct Imports {
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

  @Test func gamesThatWouldBeForgotten() {
    let ran = Ran("import --forget ANN --dry-run")
    #expect(ran.status == 0 && ran.errors == "hw: would forget 22 games of Ann\n")
    #expect(ran.output.split(separator: "\n").count == 23 && ran.output.contains("Ann"))
    let nobody = Ran("import --forget Nobody --dry-run")
    #expect(nobody.status == 3 && nobody.complaint == "hw: there are no imported games of 'Nobody'")
  }

  @Test func theGamesAreOfOnePlayerOrMine() {
    let ran = Ran("import --player Ann --me Bob", input: "Wordle 281 2/6\n")
    #expect(ran.status == 2 && ran.output == "")
    #expect(ran.complaint == "hw: '--player' and '--me' exclude each other | remove one of them")
  }

  @Test(arguments: ["file", "--player Bob", "--me Bob"]) func nothingIsImportedWhereGamesAreForgotten(
    words: String
  ) {
    let ran = Ran("import --forget Ann \(words)")
    #expect(ran.status == 2 && ran.output == "")
    #expect(ran.errors.hasPrefix("hw: '--forget' and "))
  }

  @Test(arguments: ["--player", "--me", "--forget"]) func aNameIsNotEmpty(option: String) {
    #expect(Ran("import \(option)=", input: "Wordle 281 2/6\n").status == 2)
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
@Suite(.enabled(if: Database.isAvailable)) struct ComparedPlayers {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  /// A file with the share texts of games that were solved with two tries.
  private func shared(_ ids: Int...) throws -> String {
    try home.write(ids.map { "Wordle \($0) 2/6\n" }.joined(), to: "shared")
    return home.file("shared")
  }

  @Test func anImportedPlayerOfTheSameNameIsLeftOut() throws {
    let ran = Ran("compare --with ann=\(try shared(264)) --json --fields players")
    let players = try JSON.parse(ran.output)["players"].array
    #expect(try players.map { try $0["name"].string } == ["you", "Ben", "ann"])
    #expect(try players.map { try $0["played"].int }.last == 1)
  }

  @Test func aNameIsGivenOnce() throws {
    let file = try shared(264)
    let ran = Ran("compare --with Eve=\(file) --with EVE=\(file)")
    #expect(ran.status == 2 && ran.output == "")
    #expect(
      ran.complaint
        == "hw: '--with EVE=…' is given twice | put the games into one file, or use two names")
  }

  /// JSON, or a chat that begins like it.
  @Test(
    arguments: [
      ("[ ]", 0), (" \n\(game(1, "at", "at").json)", 1), ("\n [ \(game(1, "at", "at").json) ]", 1),
      ("\(game(1, "at", "at").json)\n\(game(2, "at", "at").json)", 2),
      ("[12/03/22, 12:03] Eve: Wordle 264 2/6\n", 1),
    ])
  func filesWithGames(text: String, count: Int) throws {
    try home.write(text, to: "games")
    let words = "compare --all --with Eve=\(home.file("games")) --json --fields players"
    let players = try JSON.parse(Ran(words, service: ScriptedScores([])).output)["players"].array
    #expect(try players.map { try $0["name"].string }.last == "Eve")
    #expect(try players.map { try $0["played"].int }.last == count)
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

  @Test func theWeekIsTheLastSevenDays() throws {
    let service = ScriptedScores([919, 920].map { game($0, "at", "at").json })
    let file = try shared(919, 921, 926, 927)
    let words = "--week --with Eve=\(file) --tsv --no-header --fields id,results"
    let all = Ran("compare --all \(words)", service: service)
    #expect(
      all.lines == [
        "926\t{\"Eve\":\"2/6\"}", "921\t{\"Eve\":\"2/6\"}", "920\t{\"you\":\"1/6\"}",
      ])
    // None of these was played by both.
    let both = Ran("compare \(words)", service: service)
    #expect(both.status == 0 && both.output == "")
    #expect(both.errors == "hw: no game was played by several players; '--all' shows all games\n")
  }

  @Test(arguments: ["--since 2022-03-01", "--until 2022-03-01", "--since 2022-03-01 --until 2022-03-02"])
  func theWeekIsAPeriod(_ other: String) {
    let ran = Ran("compare --week \(other)")
    #expect(ran.status == 2)
    let first = other.prefix { $0 != " " }
    #expect(ran.errors == "hw: '--week' and '\(first)' exclude each other\n    remove one of them\n")
  }

  @Test(
    "Formats for rows have one row per game",
    arguments: [
      ("--tsv", "id\tresults\tbest\n1\t{\"you\":\"1/6\",\"Eve\":\"2/6\"}\t[\"you\"]\n"),
      ("--csv --fields id", "id\r\n1\r\n"), ("-o markdown --fields id", "| No. |\n| ---: |\n| 1 |\n"),
      (
        "--jsonl --fields games",
        "{\"games\":[{\"id\":1,\"results\":{\"you\":\"1/6\",\"Eve\":\"2/6\"},\"best\":[\"you\"]}]}\n"
      ),
    ])
  func rows(format: String, output: String) throws {
    let service = ScriptedScores([game(1, "at", "at").json, game(2, "at", "at").json])
    let ran = Ran("compare --until 2021-06-20 --with Eve=\(try shared(1, 2)) \(format)", service: service)
    #expect(ran.status == 0 && ran.output == output && ran.errors == "")
  }

  @Test(
    arguments: ["--csv", "--json", "--jsonl", "-o text"], [("id=1", 0), ("id=9", 1)] as [(String, Int32)])
  func theStatusIsThatOfTheGames(format: String, condition: (text: String, status: Int32)) throws {
    let service = ScriptedScores([game(1, "at", "at").json])
    let with = "--until 2021-06-20 --with Eve=\(try shared(1, 2))"
    let ran = Ran("compare \(with) --exit-status --where \(condition.text) \(format)", service: service)
    #expect(ran.status == condition.status && !ran.output.isEmpty)
  }

  @Test func everyRequestOfAComparisonIsExplained() throws {
    let line = "compare --with Bea=http://127.0.0.1:7401 --explain"
    let ran = Ran(line, url: "http://127.0.0.1:7400", home: try ScratchDirectory())
    #expect(ran.lines == ["curl http://127.0.0.1:7400/scores", "curl http://127.0.0.1:7401/scores"])
    #expect(ran.status == 0 && ran.errors == "")
  }

  @Test func invalidScoresOfAnotherServiceAreReported() {
    let service = ScriptedScores([game(1, "at", "at").json, #"{"id":7}"#])
    let ran = Ran("compare --until 2021-06-20 --with Bea=demo: --tsv --no-header", service: service)
    #expect(ran.status == 6 && ran.output == "1\t{\"you\":\"1/6\",\"Bea\":\"1/6\"}\t[\"you\",\"Bea\"]\n")
    let reports = ran.errors.split(separator: "\n")
    #expect(reports.count == 3)
    #expect(reports.first?.hasPrefix("hw: Bea: the service sent an invalid score: 7 (") == true)
    #expect(reports.dropFirst().first?.hasPrefix("hw: the service sent an invalid score: 7 (") == true)
    #expect(service.requests == ["GET /scores", "GET /scores"])
  }
}

@Suite struct CommandsOfWords {
  /// Of twelve words, each as good as the others.
  @Test(arguments: [("", 10), ("-n 11", 11), ("--limit 2", 2), ("-n 99", 12)])
  func tenGuessesUnlessMoreAreWanted(limit: String, count: Int) throws {
    let words = "abcdefghijkl".map { "\($0)\n" }
    let ran = Ran("hint --word-list - \(limit) --tsv --no-header --fields word", input: words.joined())
    #expect(ran.status == 0 && ran.lines == words.prefix(count).map { String($0.dropLast()) })
    let json = try JSON.parse(Ran("hint --word-list - \(limit) --json", input: words.joined()).output)
    #expect(try json["remaining"].int == 12 && json["guesses"].array.count == count)
  }

  @Test(arguments: [
    ("--csv", "word,expected,fits\r\nab,1,true\r\n"), ("--tsv", "word\texpected\tfits\nab\t1\ttrue\n"),
    ("-o markdown --fields word", "| Word |\n| --- |\n| ab |\n"),
    ("--jsonl", #"{"remaining":1,"guesses":[{"word":"ab","expected":1,"fits":true}]}"# + "\n"),
  ])
  func hintsInOtherFormats(format: String, output: String) {
    #expect(Ran("hint --word-list - \(format)", input: "ab\n").output == output)
  }

  @Test func badPairsAreCounted() throws {
    let input = "a\na a\nb\n"
    let ran = Ran("tiles --keep-going --style letters", input: input)
    #expect(ran.status == 2 && ran.output == "g\n")
    let problems = [1, 3].map { "hw: line \($0): expected a guess and a word, found 1 word\n" }
    #expect(
      ran.errors
        == problems.joined() + "hw: 2 lines are not pairs of words\n"
        + "    give one pair per line, blanks between the two words\n")
    let reports = Ran("tiles --keep-going --jsonl", input: input).errors.split(separator: "\n")
    #expect(try JSON.parse(String(reports.last ?? ""))["error"]["badLines"].int == 2)
  }
}

/// Cards, unless something else was chosen.
@Suite struct CardsOfScores {
  private func service(_ ids: ClosedRange<Int>) -> ScriptedScores {
    ScriptedScores(ids.reversed().map { game($0, "at", "at").json })
  }

  @Test(arguments: [
    ("", "Wordle 1 1/6\n2021-06-20\n\n🟩🟩\n"), ("-o text", "Wordle 1 1/6\n2021-06-20\n\n🟩🟩\n"),
    ("--fields word", "Word\nat\n"), ("-o table --fields word", "Word\nat\n"),
    ("--list --fields word", "Word\nat\n"), ("--csv --fields word", "word\r\nat\r\n"),
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

  @Test func areSharedAsLostGamesIfForced() {
    let refused = Ran("share 8", service: service)
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.complaint
        == "hw: Wordle 8 is not finished: it is not solved after 1 of 6 tries | "
        + "'--force' shares it as a lost game")
    #expect(Ran("share 8 --force", service: service).lines == ["Wordle 8 X/6", "🟨⬛"])
    #expect(Ran("share 8 --force --hard", service: service).lines == ["Wordle 8 X/6*", "🟨⬛"])
  }

  @Test func areCopiedToTheClipboardOfATerminal() {
    #expect(Wordle.clipboardSequence("a") == "\u{1B}]52;c;YQ==\u{07}")
    let copied = Ran("share 8 --force --clipboard", service: service, terminal: [.errors])
    #expect(copied.status == 0 && copied.lines == ["Wordle 8 X/6", "🟨⬛"])
    #expect(copied.errors.contains(Wordle.clipboardSequence("Wordle 8 X/6\n\n🟨⬛")))
    let unasked = ScriptedScores([])
    let refused = Ran("share 8 --force --clipboard", service: unasked)
    #expect(refused.status == 2 && refused.output == "" && unasked.requests.isEmpty)
    #expect(
      refused.complaint
        == "hw: '--clipboard' requires a terminal | "
        + "pipe the text to a program such as wl-copy or pbcopy")
  }
}
