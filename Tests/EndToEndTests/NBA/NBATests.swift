import Foundation
import TestSupport
import Testing

/// `hw nba` against `hw serve` over a socket, as a user meets the two.
@Suite(.ownThread) struct InterruptedList {
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

  @Test(
    arguments: [
      ("14 --order service", "--cursor "), ("14 --order service --limit 250", "--cursor "),
      ("14 --all", "--season "), ("14 --all --limit 300", "--season "),
      ("14 --since \(year - 3)-01-15", "--all --season "),
    ])
  func interruptedListCanBeContinued(options: String, way: String) throws {
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
}
