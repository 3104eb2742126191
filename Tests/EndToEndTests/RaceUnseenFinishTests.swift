import Foundation
import TestSupport
import Testing

/// The finish was not seen, so nobody is called the winner, and the status is that of the reason.
@Suite(.ownThread) struct RaceUnseenFinish {
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
    #expect(try shell("hw race show 1 -q", in: home).output == "")
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

  @Test func verboseWatchReportsItsSchedule() throws {
    let ending = try shell("hw serve --race-seconds 4 -- hw race watch -v")
    #expect(ending.errors.contains("hw: next 5 polls: now, then every 1.0 s until the finish in 4.0 s\n"))
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
