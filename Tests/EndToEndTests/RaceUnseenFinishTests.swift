import Foundation
import TestSupport
import Testing

/// The finish was not seen, so nobody is called the winner, and the status is that of the reason.
@Suite struct RaceUnseenFinish {
  @Test(
    "A CAPTCHA that nobody solves is status 9",
    arguments: ["--captcha wait", "--captcha open", "--captcha browser --browser false"])
  func captcha(options: String) throws {
    let home = try Home()
    let ending = try shell(
      "hw serve --race-seconds 2 --captcha-after 2 -- hw race watch -q \(options) --settle 1", in: home,
      environment: ["BROWSER": "true"])
    #expect(ending.status == 9)
    #expect(ending.output == "")
    #expect(ending.errors.contains("CAPTCHA"))
    let list = try shell("hw race history --tsv --no-header --fields winner,end", in: home)
    #expect(list.output == "\tprovisional\n")
    let replay = try shell("hw race replay 1 -q --speed 100", in: home)
    #expect(replay.output == "")
  }

  @Test func jsonSaysProvisionalAndTextNamesNoWinner() throws {
    let home = try Home()
    let serve = "hw serve --race-seconds 1 --captcha-after 2 -- hw race watch --captcha wait --settle 1"
    let json = try shell("\(serve) --jsonl", in: home)
    #expect(json.status == 9)
    #expect(json.output.split(separator: "\n").last?.contains("\"provisional\":true") == true)
    let text = try shell(serve, in: home)
    #expect(text.status == 9)
    #expect(!text.output.contains("winner"))
    #expect(text.output.contains("finish: not observed; last leader: Bee"))
  }

  @Test(
    "The rate limit is status 8, a lost service 5",
    arguments: [
      (LoopbackServer.Reaction.response(status: 429), 8), (.response(status: 503), 5), (.hangUp, 5),
    ] as [(LoopbackServer.Reaction, Int32)])
  func trouble(reaction: LoopbackServer.Reaction, status: Int32) throws {
    let server = try RaceService(seconds: 1) { number in number > 2 ? reaction : nil }
    let ending = try shell(
      "hw race watch -q --settle 1", environment: ["HW_URL": server.url])
    #expect(ending.status == status)
    #expect(ending.output == "")
  }

  @Test func aSingleRefusalDoesNotCostTheFinish() throws {
    // The length, the start, and the finish, which is refused once.
    let server = try RaceService(seconds: 1) { $0 == 3 ? .response(status: 429) : nil }
    let ending = try shell("hw race watch -q", environment: ["HW_URL": server.url])
    #expect(ending.status == 0)
    #expect(ending.output == "Beech\n")
    #expect(server.count == 4)
  }

  @Test func theSettlingLastsUntilTheNamedTime() throws {
    let server = try RaceService(seconds: 1) {
      $0 == 3 ? .response(status: 429, headers: ["Retry-After: 3"]) : nil
    }
    let ending = try shell("hw race watch --settle 1", environment: ["HW_URL": server.url])
    #expect(ending.status == 0)
    #expect(ending.output.contains("winner: Beech"))
    #expect(ending.errors.contains("next poll in 3.0 s") || ending.errors.contains("next poll in 2."))
  }

  @Test func onTheScreenNobodyWins() throws {
    let home = try Home()
    let terminal = try Terminal(columns: 80)
    let started = try Started(
      ["hw", "serve", "--race-seconds", "2", "--captcha-after", "2", "--", "hw"]
        + ["race", "watch", "--start", "--captcha", "wait", "--settle", "1"], in: home,
      environment: ["TERM": "xterm-256color"], input: terminal.descriptor, output: terminal.descriptor,
      errors: terminal.descriptor)
    let shown = try #require(terminal.see("The finish was not seen"))
    #expect(!shown.contains("wins"))
    terminal.type("q")
    #expect(terminal.see("finish: not observed") != nil)
    #expect(started.end().status == 9)
  }

  @Test func twoRacesInARowTakeTheirTimeEach() throws {
    let ending = try shell(
      "hw serve --race-seconds 2 -- sh -c 'hw race watch --jsonl; hw race watch --jsonl'")
    let finishes = ending.output.split(separator: "\n").filter { $0.contains("\"finish\"") }
    #expect(finishes.count == 2)
    #expect(finishes.allSatisfy { $0.contains("\"elapsed\":2") })
  }

  @Test func aShortRaceIsPolledMoreThanTwice() throws {
    let ending = try shell("hw serve --race-seconds 4 -- hw race plan --tsv --no-header")
    #expect(ending.output.split(separator: "\n").count == 5)
  }
}

/// A race whose responses a test can replace, by the number of the request.
final class RaceService: Sendable {
  private let server: LoopbackServer
  var url: String { server.url }
  var count: Int { server.requests.count }

  init(
    seconds: Int, _ replace: @escaping @Sendable (_ number: Int) -> LoopbackServer.Reaction?
  ) throws {
    server = try LoopbackServer { request in
      if let reaction = replace(request.number) { return reaction }
      let body =
        request.target.hasSuffix("duration")
        ? "{\"timeInSeconds\":\(seconds)}" : ##"{"beeList":[{"name":"Beech","color":"#464247"}]}"##
      return .response(headers: ["Content-Type: application/json"], body: body)
    }
  }
}
