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

@Suite(.ownThread) struct RaceWatchProcess {
  @Test func eventsAreNumberedAndTimed() throws {
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

  @Test func watchersThatStartDuringARaceReportItsWinner() throws {
    let ending = try race(
      "for i in 1 2 3; do hw race watch --jsonl --fields event,race,winner > $i & sleep 1; done; wait; cat 1 2 3",
      seconds: 4)
    let finishes = ending.output.split(separator: "\n").filter { $0.contains("finish") }
    #expect(finishes.count == 3 && Set(finishes).count == 1, "\(finishes)")
  }

  @Test func interruptedRaceIsStored() throws {
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
}

@Suite(.ownThread) struct RaceHistoryCommands {
  @Test func aRaceIsKeptListedShownCountedAndPlayed() throws {
    let home = try Home()
    let watched = try race("hw race watch --jsonl", in: home).output
    try watched.write(toFile: "\(home.path)/race.jsonl", atomically: true, encoding: .utf8)
    for words in ["1", "race.jsonl", "--play 1 --speed 100", "--play race.jsonl --speed 100"] {
      #expect(try shell("hw race show \(words) --jsonl", in: home) == Ending(status: 0, output: watched))
    }
    let winner = try #require(try events(watched).last?.winner)
    #expect(
      try shell("hw race stats --tsv --fields name,wins,podiums,races,meanPosition --limit 1", in: home)
        .output
        == "name\twins\tpodiums\traces\tmeanPosition\n\(winner)\t1\t1\t1\t1\n")
    #expect(try shell("hw race stats --jsonl", in: home).output.split(separator: "\n").count == 9)
    let entry = try shell("hw race history --tsv --fields id,duration,winner,end", in: home).output
    #expect(entry == "id\tduration\twinner\tend\n1\t2\t\(winner)\tfinished\n")
  }
}
