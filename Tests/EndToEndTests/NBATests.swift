import Foundation
import Testing

/// `hw nba` against `hw serve` over a socket, as a user meets the two.
@Suite struct NBAOverASocket {
  /// A server that stands for the service: it wants a key.
  private final class Service {
    let url: String
    private let server: Started
    private let home: Home

    init(_ options: String...) throws {
      home = try Home()
      server = try Started(
        ["hw", "serve", "-v", "--listen", "127.0.0.1:0", "--ready-file", "ready"] + options, in: home)
      for _ in 0..<5000 where home.text("ready").isEmpty { usleep(2000) }
      url = home.text("ready").trimmingCharacters(in: .whitespacesAndNewlines)
      try #require(url.hasPrefix("http"))
    }

    /// The targets that were asked for so far.
    var asked: [String] {
      home.text(".2").split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count > 2 && words[1] == "GET" ? String(words[2]) : nil
      }
    }

    func stop() { kill(server.id, SIGTERM) }

    func environment(key: String? = "any") -> [String: String?] { ["HW_URL": url, "HW_NBA_KEY": key] }
  }

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
    usleep(100_000)
    #expect(first.status == 0 && first.output.contains("Boston Celtics"))
    #expect(try run("hw nba teams --sort city", service, in: home).output == first.output)
    #expect(try run("hw nba teams --no-cache --retries 0", service, in: home).status == 5)
  }

  @Test func aSeasonThatIsOverIsKeptForGood() throws {
    let service = try Service()
    let home = try Home()
    let year = Calendar(identifier: .gregorian).component(.year, from: Date()) - 2
    let line = "hw nba games 14 --season \(year) --csv"
    let first = try run(line, service, in: home)
    let before = service.asked.count
    #expect(try run(line, service, in: home).output == first.output && !first.output.isEmpty)
    #expect(service.asked.count == before)
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
    let before = service.asked.count
    #expect(try run("hw nba team 14 --no-cache --rate 3 --no-wait", service, in: other).status == 8)
    #expect(service.asked.count == before)
  }

  @Test func aRefusalIsToldAndTriedAgainTwice() throws {
    let service = try Service("--fault", "429:1")
    let home = try Home()
    let run = try Started(["hw", "nba", "teams"], in: home, environment: service.environment())
    for _ in 0..<5000 where !home.text(".2").contains("(1 of 2)") { usleep(2000) }
    kill(run.id, SIGINT)
    #expect(run.end().signal == SIGINT)
    #expect(home.text(".2").contains("hw: rate limited; next try in "))
  }

  @Test(
    "What is no answer of the service",
    arguments: [("garbage:1", 6), ("502:1", 5), ("500:1", 5), ("drop:1", 5)])
  func faults(fault: String, status: Int) throws {
    let service = try Service("--fault", fault)
    let ending = try run("hw nba games 14 --retries 0", service)
    #expect(ending.status == Int32(status) && ending.output == "" && ending.errors.hasPrefix("hw: "))
  }

  @Test func anInterruptionLeavesTheRowsAndTheCursor() throws {
    let service = try Service("--fault", "delay:150ms")
    let home = try Home()
    let run = try Started(
      ["hw", "nba", "games", "14", "--order", "service", "--jsonl"], in: home,
      environment: service.environment())
    for _ in 0..<5000 where home.text(".1").isEmpty { usleep(2000) }
    kill(run.id, SIGINT)
    let ending = run.end()
    let rows = ending.output.split(separator: "\n")
    #expect(ending.signal == SIGINT && !rows.isEmpty && rows.count % 100 == 0)
    #expect(rows.allSatisfy { $0.hasPrefix("{\"id\":") && $0.hasSuffix("}") })
    let cursor = rows.last?.dropFirst(6).prefix { $0.isNumber } ?? ""
    #expect(ending.errors == "hw: broken off; '--cursor \(cursor)' goes on from here\n")
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

  @Test func timesFollowTheZone() throws {
    func starts(_ options: String, _ zone: String) throws -> String {
      try shell(
        "hw nba games 14 --fields datetime,status --no-header \(options) | grep Z", environment: ["TZ": zone]
      ).output
    }
    let utc = try starts("", "UTC")
    #expect(try starts("--utc", "Asia/Tokyo") == utc)
    if utc.contains(":30\n") { #expect(try starts("", "XYZ-9") != utc) }
  }
}
