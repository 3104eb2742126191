import Foundation
import TestSupport
import Testing

/// `hw nba` against `hw serve` over a socket, as a user meets the two.
@Suite(.ownThread) struct NBAOverASocket {
  /// A server that stands for the service: it wants a key.
  private final class Service {
    private let server: Serving.Server

    init(_ options: String..., seed: String? = nil) throws {
      server = try Serving.Server(["-v"] + options, environment: ["HW_SEED": seed])
    }

    var url: String { server.url }

    /// The targets that were asked for so far.
    var asked: [String] {
      server.home.text(".2").split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count > 2 && words[1] == "GET" ? String(words[2]) : nil
      }
    }

    func stop() { _ = server.stop() }

    func environment(key: String? = "any") -> [String: String?] { ["HW_URL": url, "HW_NBA_KEY": key] }
  }

  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date())

  private func run(
    _ line: String, _ service: Service, key: String? = "any", in home: Home? = nil,
    environment: [String: String?] = [:]
  ) throws -> Ending {
    try shell(
      line, in: home, environment: service.environment(key: key).merging(environment) { $1 })
  }

  @Test func aPipelineThatReadsFiveLinesCostsOnePage() throws {
    let service = try Service()
    for format in ["", "--csv", "--jsonl"] {
      let before = service.asked.filter { $0.contains("/games") }.count
      let ending = try run("hw nba games LAL --all \(format) | head -5", service)
      #expect(ending.status == 0 && ending.errors == "")
      #expect(ending.output.split(whereSeparator: \.isNewline).count == 5)
      #expect(service.asked.filter { $0.contains("/games") }.count == before + 1, "\(format)")
    }
  }

  /// The memory of a page serves the next one. In a process of its own, whose children are counted.
  @Test func aLongListNeedsTheMemoryOfAFewPages() async {
    await #expect(processExitsWith: .success) {
      /// How often the system gave a page of memory to the command.
      func faults(_ options: String) throws -> Int {
        var (before, after) = (rusage(), rusage())
        getrusage(RUSAGE_CHILDREN.rawValue, &before)
        let ending = try shell("hw nba games --order service \(options) --demo --csv")
        getrusage(RUSAGE_CHILDREN.rawValue, &after)
        #expect(ending.status == 0)
        return after.ru_minflt - before.ru_minflt
      }
      let (first, all) = (try faults("--limit 25"), try faults("--all"))
      #expect(all - first < 500, "\(first), \(all)")
    }
  }

  /// What an option asks for is sent, and nothing else.
  @Test(
    arguments: [
      ("games --order service --limit 5", "/games?per_page=5"),
      (
        "games 14 2 --order service --season 2023 --postseason --limit 5",
        "/games?team_ids%5B%5D=14&team_ids%5B%5D=2&seasons%5B%5D=2023&postseason=true&per_page=5"
      ),
      (
        "games 14 --order service --regular --limit 7", "/games?team_ids%5B%5D=14&postseason=false&per_page=7"
      ),
      (
        "games 14 --order service --since 2023-11-01 --until 2024-01-31 --limit 3",
        "/games?team_ids%5B%5D=14&start_date=2023-11-01&end_date=2024-01-31&per_page=3"
      ),
      ("games --order service --cursor 77 --limit 5", "/games?per_page=5&cursor=77"),
      ("games --on 2023-11-21", "/games?dates%5B%5D=2023-11-21&per_page=100"),
      (
        "games 14 2 --on 2023-11-21",
        "/games?team_ids%5B%5D=14&team_ids%5B%5D=2&dates%5B%5D=2023-11-21&per_page=100"
      ),
      // A season is fetched whole, so that one cached copy serves every choice.
      (
        "games 14 --season 2023 --postseason --limit 5",
        "/games?team_ids%5B%5D=14&seasons%5B%5D=2023&per_page=100"
      ),
      ("standings --season 2023", "/games?seasons%5B%5D=2023&postseason=false&per_page=100"),
      ("record 14 --season 2023 --postseason", "/games?team_ids%5B%5D=14&seasons%5B%5D=2023&per_page=100"),
      ("players stone --limit 3", "/players?search=stone&per_page=3"),
      (
        "players luc okafor --team 14 --team 2 --limit 3",
        "/players?first_name=luc&last_name=okafor&team_ids%5B%5D=14&team_ids%5B%5D=2&per_page=3"
      ),
      ("player 7 || true", "/players/7"), ("teams --conference West", "/teams"),
    ])
  func whatIsSent(_ line: String, _ target: String) throws {
    let service = try Service()
    let ending = try run("hw nba \(line)", service)
    #expect(ending.status == 0, "\(ending.errors)")
    // The log is complete when the server has stopped.
    service.stop()
    #expect(service.asked.first { !$0.hasPrefix("/teams") } ?? service.asked.first == target)
  }

  @Test(
    "Teams that do not exist are reported, and the others are listed",
    arguments: [
      ("LAL nosuch --season 2023 --limit 1", 3, 1, 1), ("nosuch LAL never --season 2023 --limit 1", 3, 1, 2),
      ("nosuch never", 3, 0, 2), ("nosuch never --on 2023-11-21", 3, 0, 2), ("nosuch", 3, nil, 1),
    ] as [(String, Int32, Int?, Int)])
  func unknownTeams(words: String, status: Int32, rows: Int?, reports: Int) throws {
    let ending = try shell("hw nba games \(words) --demo --json")
    #expect(ending.status == status)
    #expect(
      ending.errors.split(separator: "\n").count { $0.contains("nosuch") || $0.contains("never") } == reports)
    guard let rows else { return #expect(ending.output == "") }
    let list = try #require(try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [Any])
    #expect(list.count == rows)
  }

  @Test func aPagerIsFedAsItReads() throws {
    let service = try Service()
    let terminal = try Terminal(columns: 100)
    let home = try Home()
    let pager = "head -n 5 >seen"
    let ending = try Started(
      ["hw", "nba", "games", "LAL", "--all"], in: home,
      environment: service.environment().merging(["HW_PAGER": pager]) { $1 }, output: terminal.descriptor
    ).end()
    #expect(ending.status == 0 && ending.errors == "")
    #expect(home.text("seen").split(separator: "\n").count == 5)
    #expect(service.asked.filter { $0.contains("/games") }.count == 1)
  }

  @Test func teamsAreKeptForADay() throws {
    let service = try Service()
    let home = try Home()
    let first = try run("hw nba teams --sort city", service, in: home)
    service.stop()
    #expect(first.status == 0 && first.output.contains("Boston Celtics"))
    #expect(try run("hw nba teams --sort city", service, in: home).output == first.output)
    #expect(try run("hw nba teams --no-cache --retries 0", service, in: home).status == 5)
  }

  @Test func aSeasonThatIsOverIsKeptForGood() throws {
    let service = try Service()
    let home = try Home()
    let line = "hw nba games 14 --season \(Self.year - 2) --csv"
    let first = try run(line, service, in: home)
    service.stop()
    #expect(try run(line, service, in: home).output == first.output && !first.output.isEmpty)
  }

  @Test func keys() throws {
    let service = try Service()
    let refused = try run("hw nba teams", service, key: nil)
    #expect(refused.status == 7 && refused.errors.contains("plan"))
    #expect(try run("hw nba teams", service, key: nil, environment: ["BALLDONTLIE_API_KEY": "k"]).status == 0)
    #expect(try run("echo k >key; hw nba teams --key-file key", service, key: nil).status == 0)
    #expect(try run("echo k | hw nba teams --key-file -", service, key: nil).status == 0)
    #expect(try run("hw nba teams --key k", service).status == 2)
    let live = try shell("hw nba teams", environment: ["HW_URL": nil])
    #expect(live.status == 7 && live.errors.contains("HW_NBA_KEY") && live.errors.contains("--demo"))
  }

  /// The keys are plans of the server's: which one was sent is seen by its limit.
  @Test(
    "A file's key is stronger than a variable's, and that than the configuration's",
    arguments: [
      ("", ["HW_NBA_KEY": "free", "BALLDONTLIE_API_KEY": "any"], "any"),
      ("", ["HW_NBA_KEY": nil, "BALLDONTLIE_API_KEY": "free"], "any"), ("", ["HW_NBA_KEY": nil], "free"),
      ("--key-file key", ["HW_NBA_KEY": "any"], "any"), ("--key-file - <key", ["HW_NBA_KEY": "any"], "any"),
    ] as [(String, [String: String?], String)])
  func whichKeyIsSent(options: String, variables: [String: String?], configured: String) throws {
    let service = try Service()
    let home = try Home()
    #expect(
      try run("echo free >key; echo \(configured) | hw config set nba.key -", service, in: home).status == 0)
    let line = "hw nba teams --no-cache --retries 0 --rate 100 \(options)"
    for _ in 1...5 { #expect(try run(line, service, in: home, environment: variables).status == 0) }
    #expect(try run(line, service, in: home, environment: variables).status == 8)
  }

  @Test func theLimitOfThePlanIsTheServicesAndTheLedgers() throws {
    let service = try Service()
    let home = try Home()
    for _ in 1...5 {
      #expect(try run("hw nba team 14 --no-cache --retries 0", service, key: "free", in: home).status == 0)
    }
    let refused = try run("hw nba team 14 --no-cache --retries 0", service, key: "free", in: home)
    #expect(refused.status == 8)
    let other = try Home()
    for _ in 1...3 {
      #expect(try run("hw nba team 14 --no-cache --rate 3 --no-wait", service, in: other).status == 0)
    }
    #expect(try run("hw nba team 14 --no-cache --rate 3 --no-wait", service, in: other).status == 8)
    // The log is complete only now.
    service.stop()
    #expect(service.asked.count == 9)
  }

  @Test func aRefusalIsToldAndTriedAgainTwice() throws {
    let service = try Service("--fault", "429:1")
    let home = try Home()
    let run = try Started(["hw", "nba", "teams"], in: home, environment: service.environment())
    try home.wait(for: ".2") { $0.contains("(1 of 2)") }
    kill(run.id, SIGINT)
    #expect(run.end().signal == SIGINT)
    #expect(home.text(".2").contains("hw: rate limited; next attempt in "))
  }

  @Test(
    "What is no answer of the service",
    arguments: [("garbage:1", 6), ("502:1", 5), ("500:1", 5), ("drop:1", 5)])
  func faults(fault: String, status: Int) throws {
    let service = try Service("--fault", fault)
    let ending = try run("hw nba games 14 --retries 0", service)
    #expect(ending.status == Int32(status) && ending.output == "" && ending.errors.hasPrefix("hw: "))
  }

  /// What is told to go on with leads to the rest, whole and once: put together it is what one run would have printed.
  /// Cached responses come without a wait, and a reader that takes nothing makes the program wait in a write.
  @Test func anInterruptionEndsAListFromTheCache() throws {
    let service = try Service()
    let home = try Home()
    let line = "hw nba games --order service --limit 20000 --max-age 3600 --jsonl --fields id"
    #expect(try run("\(line) | tail -n 1", service, in: home).status == 0)
    let fast = try Started(
      line.split(separator: " ").map(String.init), in: home, environment: service.environment())
    try home.wait(for: ".1")
    kill(fast.id, SIGINT)
    #expect(fast.end().signal == SIGINT)
    let blocked = try run(
      """
      mkfifo pipe; exec 3<>pipe
      \(line) >pipe 2>errors & id=$!
      read -r row <&3
      kill -TERM $id; wait $id; echo $?; cat errors
      """, service, in: home)
    let report =
      #"{"error":{"kind":"interrupted","exitCode":143,"message":"interrupted","hint":"continue with '--cursor "#
    #expect(blocked.output.hasPrefix("143\n\(report)"), "\(blocked)")
  }

  @Test(
    "An interruption leaves the rows so far and the way to the others",
    arguments: [
      ("14 --order service", "--cursor "), ("14 --order service --limit 250", "--cursor "),
      ("14 --all", "--season "), ("14 --all --limit 300", "--season "),
      ("14 --since \(year - 3)-01-15", "--all --season "),
    ])
  func interruption(options: String, way: String) throws {
    // With this seed the third answer is the first that is held up, so the program is met waiting for it.
    let slow = try Service("--fault", "delay:60s:0.5", seed: "9")
    let line = "hw nba games \(options) --jsonl --fields id,date"
    let home = try Home()
    let run = try Started(
      line.split(separator: " ").map(String.init), in: home, environment: slow.environment())
    try home.wait(for: ".1")
    kill(run.id, SIGINT)
    let first = run.end()
    #expect(first.signal == SIGINT && first.output.hasSuffix("}\n"))
    let words = first.errors.split(separator: "'")
    try #require(
      words.count == 3
        && words[0]
          == #"{"error":{"kind":"interrupted","exitCode":130,"message":"interrupted","hint":"continue with "#,
      "\(first)")
    #expect(words[1].hasPrefix(way) && words[1].contains("--limit") == options.contains("--limit"))

    let quick = try Service(seed: "9")
    let rest = try self.run("\(line) \(words[1])", quick)
    #expect(rest.status == 0 && !rest.output.isEmpty)
    #expect(try first.output + rest.output == self.run(line, quick).output)
  }

  @Test func whatBreaksOffBeforeTheFirstRowHasNothingToGoOnFrom() throws {
    let service = try Service("--fault", "delay:5s")
    let home = try Home()
    let run = try Started(
      ["hw", "nba", "games", "14", "--all"], in: home, environment: service.environment())
    try waitUntil("a request") { !service.asked.isEmpty || !home.names.isEmpty }
    kill(run.id, SIGINT)
    #expect(run.end() == Ending(status: 130, signal: SIGINT))
  }

  @Test func progressIsShownWhereSomebodyWatchesAndTheRowsGoElsewhere() throws {
    let service = try Service("--fault", "delay:150ms")
    let terminal = try Terminal(columns: 80)
    let ending = try Started(
      ["hw", "nba", "games", "14", "--order", "service", "--jsonl"], in: Home(),
      environment: service.environment(), errors: terminal.descriptor
    ).end()
    let text = terminal.text
    #expect(ending.status == 0 && text.contains("1 page, 100 rows") && text.hasSuffix("\r\u{1B}[K"))
  }

  /// The plan is used up after the teams and two pages, and the wait for the next is counted down.
  @Test func theWaitForTheNextRequestIsCountedDown() throws {
    let service = try Service()
    let terminal = try Terminal(columns: 80)
    let home = try Home()
    let run = try Started(
      ["hw", "nba", "games", "14", "--order", "service", "--jsonl", "--rate", "3"], in: home,
      environment: service.environment(), errors: terminal.descriptor)
    let told = try #require(terminal.see("2 pages, 200 rows; next request in "))
    #expect(told.contains("hw: rate limit: waiting "))
    let first = try #require(terminal.see(" s").flatMap { Int($0.dropLast(2)) })
    _ = try #require(terminal.see("2 pages, 200 rows; next request in "))
    let second = try #require(terminal.see(" s").flatMap { Int($0.dropLast(2)) })
    #expect(0 < second && second < first)
    kill(run.id, SIGINT)
    #expect(run.end().signal == SIGINT && home.text(".1").split(separator: "\n").count == 200)
    // The line is gone before the next is said.
    let last = try #require(terminal.see("}\n"))
    #expect(last.contains("\r\u{1B}[K{\"error\":{\"kind\":\"interrupted\","))
    service.stop()
    #expect(service.asked.count == 3)
  }

  /// The whole league with one request, without one for the teams.
  @Test func aDayCostsOneRequest() throws {
    let service = try Service()
    #expect(try run("hw nba games --on yesterday --json", service).status == 0)
    service.stop()
    #expect(service.asked.count == 1)
  }

  /// Hundreds of rows are not lost to one error.
  @Test(arguments: [500, 503, 408, 520])
  func aLongDownloadContinuesAfterATransientError(_ status: Int) throws {
    let game =
      #"{"id":ID,"date":"2024-12-25","season":2024,"status":null,"period":null,"time":" ","postseason":false,"home_team_score":0,"visitor_team_score":0,"home_team":null,"visitor_team":null}"#
    let server = try LoopbackServer { request in
      // Each page fails the first time it is requested.
      guard request.number % 2 == 0 else { return .response(status: status, headers: ["Retry-After: 0"]) }
      let number = request.number / 2
      let next = number < 5 ? #""next_cursor":\#(number),"# : ""
      return .response(
        body: #"{"data":[\#(game.replacing("ID", with: "\(number)"))],"meta":{\#(next)"per_page":100}}"#)
    }
    let line = "hw nba games --order service --jsonl --fields id,status --url \(server.url)"
    let ending = try shell(line, environment: ["HW_URL": nil, "HW_NBA_KEY": "any"])
    #expect(ending.status == 0, "\(ending)")
    #expect(ending.output == (1...5).map { "{\"id\":\($0),\"status\":null}\n" }.joined())
    #expect(server.requests.count == 10)
    let none = try LoopbackServer { _ in .response(status: status, headers: ["Retry-After: 0"]) }
    #expect(
      try shell(
        "hw nba games --order service --retries 1 --url \(none.url)",
        environment: ["HW_URL": nil, "HW_NBA_KEY": "any"]
      ).status == 5)
    #expect(none.requests.count == 2)
  }
}
