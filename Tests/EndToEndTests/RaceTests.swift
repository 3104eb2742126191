import Foundation
import TestSupport
import Testing

/// Short races, against a server that stands for as long as the line runs.
private func race(
  _ line: String, seconds: Int = 2, serve: String = "", in home: Home? = nil,
  environment: [String: String?] = [:], within limit: Double = 180
) throws -> Ending {
  try shell(
    "hw serve --race-seconds \(seconds) \(serve) -- sh -c '\(line)'", in: home, environment: environment,
    within: limit)
}

/// Watches a race, solves the CAPTCHA once what is waited for is there, and returns how the watch ended.
func endingOfWatch(
  _ options: String, at server: Serving.Server, environment: [String: String?] = [:],
  solvingAfter wait: (Home) throws -> Void
) throws -> Ending {
  let home = try Home()
  let watch = try Started(
    ["sh", "-c", "exec hw race watch \(options)"], in: home,
    environment: environment.merging(["HW_URL": server.url]) { $1 })
  try wait(home)
  #expect(RawConnection(server.url)?.ask("POST", "/recaptcha/api2/userverify")?.status == 200)
  return watch.end()
}

private struct Event: Decodable, Equatable {
  var event: String
  var seq: Int
  var elapsed: Double
  var remaining: Double?
  var winner: String?
  var provisional: Bool?
  var captchaUrl: String?
}

private func events(_ text: String) throws -> [Event] {
  try text.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
}

@Suite(.ownThread) struct RaceInAPipe {
  @Test func aLineForTheStartEachChangeAndTheWinner() throws {
    let ending = try race("hw race watch", seconds: 3)
    #expect(ending.status == 0)
    let lines = ending.output.split(separator: "\n")
    #expect(lines.first == "0.0 s  start: 0:03 to go")
    #expect(lines.dropFirst().first?.contains("  1st Bee") == true)
    let winner = try #require(lines.last?.split(separator: ":").last).dropFirst()
    #expect(lines.dropLast().last?.contains("1st \(winner),") == true)
    #expect(ending.errors == "")
  }

  @Test func aReaderThatHasEnoughEndsItQuietly() throws {
    let home = try Home()
    let ending = try race("(hw race watch --jsonl; echo $? > status) | head -1", seconds: 4, in: home)
    #expect(try events(ending.output).map(\.event) == ["start"])
    #expect(home.text("status") == "141\n")
    #expect(ending.errors == "")
  }

  @Test func eventsAreCountedAndTimed() throws {
    let ending = try race("hw race watch --jsonl", seconds: 3)
    let events = try events(ending.output)
    #expect(events.first?.event == "start")
    #expect(events.last?.event == "finish")
    #expect(events.map(\.seq) == Array(1...events.count))
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.elapsed <= $1.elapsed })
    #expect(events.allSatisfy { abs($0.elapsed + ($0.remaining ?? 9) - 3) < 0.01 || $0.remaining == 0 })
    #expect(events.last?.provisional == false)
    #expect(try #require(events.last?.elapsed) >= 3)
  }

  /// Each has its own idea of the start; the finish is one. They have time to settle: on a busy machine the last
  /// question may have to wait for the next window, which is a minute and its margins away.
  @Test func twelveAtOnceSeeOneWinnerAndTheServerRefusesNone() throws {
    let home = try Home()
    let line = """
      for i in 1 2 3 4 5 6 7 8 9 10 11 12; do hw race watch --settle 120 --jsonl > race.$i 2> error.$i & done; wait
      """
    let ending = try race(line, seconds: 6, serve: "-v", in: home, within: 200)
    #expect(ending.status == 0)
    let finishes = try (1...12).map { try events(home.text("race.\($0)")).last }
    #expect(finishes.allSatisfy { $0?.event == "finish" && $0?.provisional == false })
    #expect(Set(finishes.map { $0?.winner }).count == 1)
    #expect(!ending.errors.contains("→ 429"), "\(ending.errors)")
  }

  @Test func aLostServiceIsTriedThroughAndThenNamed() throws {
    let ending = try race("hw race watch --jsonl --settle 1 --retries 1", serve: "--fault race=drop:1")
    #expect(ending.status == 5)
    #expect(try events(ending.output).map(\.event) == ["retry", "error"])
    #expect(ending.errors.hasPrefix("{\"error\":{\"kind\":\"connection\""))
  }

  @Test func aCaptchaEndsItWhereNobodyIsThereToSolveIt() throws {
    let ending = try race("hw race watch --jsonl", serve: "--captcha-after 2")
    #expect(ending.status == 9)
    let events = try events(ending.output)
    #expect(events.map(\.event) == ["start", "standings", "captcha", "error"])
    let url = try #require(events.last?.captchaUrl)
    #expect(url.hasPrefix("http://127.0.0.1:"))
    #expect(ending.errors.contains("\"captchaUrl\":\"\(url)\""))
  }

  @Test func aCaptchaIsWaitedFor() throws {
    let server = try Serving.Server(["--race-seconds", "3", "--captcha-after", "1"])
    let ending = try endingOfWatch("--jsonl --captcha wait", at: server) {
      try $0.wait(for: ".1") { $0.contains("\"captcha\"") }
    }
    #expect(ending.status == 0)
    let kinds = try events(ending.output).map(\.event)
    #expect(kinds.filter { $0 == "captcha" || $0 == "resumed" } == ["captcha", "resumed"])
    #expect(try events(ending.output).last?.provisional == false)
  }

  @Test func aSignalEndsItAndWhatWasSeenIsKept() throws {
    let home = try Home()
    let started = try Started(
      ["hw", "serve", "--race-seconds", "30", "--", "sh", "-c", "echo $$ > id; exec hw race watch"], in: home)
    try home.wait(for: ".1") { $0.contains("1st") }
    kill(try #require(pid_t(home.text("id").dropLast())), SIGINT)
    #expect(started.end().status == 130)
    let history = try shell("hw race history --jsonl", in: home)
    #expect(history.output.contains("\"end\":\"interrupted\""))
    #expect(history.output.contains("\"duration\":30"))
  }

  @Test func explainSendsNothing() throws {
    let home = try Home()
    let ending = try shell("hw race watch --explain --url https://race.example", in: home)
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        curl https://race.example/bees/race/duration
        # then, with the response: GET /bees/race/status every 2.5 s, in a short race more often, the last at the finish

        """)
    #expect(home.names.filter { !$0.hasPrefix(".") }.isEmpty)
  }
}

@Suite(.ownThread) struct RaceHistoryCommands {
  @Test func aRaceIsKeptListedShownCountedAndPlayed() throws {
    let home = try Home()
    let watched = try race("hw race watch --save race.jsonl --jsonl", in: home).output
    let kinds = try events(watched).map(\.event)
    for words in ["1", "race.jsonl", "--play 1 --speed 100", "--play race.jsonl --speed 100"] {
      #expect(try shell("hw race show \(words) --jsonl", in: home) == Ending(status: 0, output: watched))
    }
    #expect(try events(home.text("race.jsonl")).map(\.event) == kinds)
    let winner = try #require(try events(watched).last?.winner)
    #expect(
      try shell("hw race stats --tsv --fields name,wins,podiums,races,meanPosition --limit 1", in: home)
        .output
        == "name\twins\tpodiums\traces\tmeanPosition\n\(winner)\t1\t1\t1\t1\n")
    #expect(try shell("hw race stats --jsonl", in: home).output.split(separator: "\n").count == 9)
    let entry = try shell("hw race history --tsv --fields id,duration,winner,end", in: home).output
    #expect(entry == "id\tduration\twinner\tend\n1\t2\t\(winner)\tfinished\n")
  }

  @Test func latestDeleteKeepAndService() throws {
    let home = try Home()
    for _ in 1...4 { _ = try race("hw race watch -q", seconds: 1, in: home) }
    let ids = "hw race history --tsv --no-header --fields id"
    #expect(
      try shell("hw race show latest --jsonl", in: home).output
        == shell("hw race show 4 --jsonl", in: home).output)
    #expect(try shell("\(ids) --service 127.0.0.1", in: home).output == "4\n3\n2\n1\n")
    #expect(try shell("\(ids) --service beeceptor", in: home).output == "")
    #expect(try shell("hw race stats --service beeceptor --json", in: home).output == "[]\n")
    #expect(
      try shell("hw race delete 1 latest --dry-run --tsv --no-header --fields id", in: home).output
        == "4\n1\n")
    #expect(try shell("hw race delete 1 99", in: home).status == 3)
    #expect(try shell(ids, in: home).output == "4\n3\n2\n1\n")
    #expect(try shell("hw race delete 1 latest --tsv --no-header --fields id", in: home).output == "4\n1\n")
    #expect(
      try shell("hw race delete --keep 1 --yes --tsv --no-header --fields id", in: home).output == "2\n")
    #expect(try shell(ids, in: home).output == "3\n")
    #expect(try shell("hw race delete 3 && hw race show latest", in: home).status == 3)
  }

  @Test func aRaceOfSampleDataIsNotKept() throws {
    let home = try Home()
    let started = try Started(["sh", "-c", "echo $$ > id; exec hw race watch --demo"], in: home)
    try home.wait(for: ".1") { $0.contains("1st") }
    kill(try #require(pid_t(home.text("id").dropLast())), SIGINT)
    _ = started.end()
    #expect(try shell("hw race history --json", in: home).output == "[]\n")
  }

  @Test func aFileIsNotWrittenOver() throws {
    let home = try Home()
    let ending = try shell("touch f; hw race watch --save f", in: home)
    #expect(ending.status == 2)
    #expect(ending.errors.contains("'f' already exists"))
  }

  @Test func nothingIsKeptForWhoWantsNothingKept() throws {
    let home = try Home()
    _ = try race("hw race watch -q --no-history", seconds: 1, in: home)
    #expect(try shell("hw race history --json", in: home).output == "[]\n")
  }

  @Test func aHistoryThatCannotBeHadCostsNoRace() throws {
    let ending = try race("hw race watch -q", seconds: 1, environment: ["XDG_DATA_HOME": "/dev/null/none"])
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("Bee"))
  }

  @Test(
    "What is not there, and what is no race",
    arguments: [
      ("hw race show 7", 3), ("hw race show nowhere.jsonl", 10),
      ("echo nonsense | hw race show -", 6), ("hw race show - < /dev/null", 6),
      ("hw race watch --interval 0", 2), ("hw race captcha http://example.org", 2),
    ])
  func bad(line: String, status: Int32) throws {
    #expect(try shell(line).status == status)
  }
}
