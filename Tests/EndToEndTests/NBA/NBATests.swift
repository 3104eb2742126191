import Foundation
import TestSupport
import Testing

/// `hw nba` against `hw serve` over a socket, as a user meets the two.
@Suite(.ownThread) struct InterruptedList {
  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date())

  private func environment(_ service: Serving.Server) -> [String: String?] {
    ["HW_URL": service.url, "HW_NBA_KEY": "any"]
  }

  @Test(
    arguments: [
      ("14 --order service", "--cursor "), ("14 --order service --limit 250", "--cursor "),
      ("14 --all", "--season "), ("14 --all --limit 300", "--season "),
      ("14 --since \(year - 3)-01-15", "--all --season "),
    ])
  func interruptedListCanBeContinued(options: String, way: String) throws {
    // With this seed the third answer is the first that is held up, so the program is met waiting for it.
    let slow = try Serving.Server(["--fault", "delay:60s:0.5"], environment: ["HW_SEED": "9"])
    let line = "hw nba games \(options) --jsonl --fields id,date"
    let home = try Home()
    let run = try Started(
      line.split(separator: " ").map(String.init), in: home, environment: environment(slow))
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

    #expect(slow.stop().signal == nil)
    let quick = try Serving.Server(environment: ["HW_SEED": "9"])
    let rest = try shell("\(line) \(words[1])", environment: environment(quick))
    #expect(rest.status == 0 && !rest.output.isEmpty)
    #expect(try first.output + rest.output == shell(line, environment: environment(quick)).output)
    #expect(quick.stop().status == 0)
  }
}
