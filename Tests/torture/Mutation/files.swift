import Foundation
import System
import TestSupport

@testable import HTTP
@testable import Server

extension Driver {
  /// Files that hw wrote itself, damaged: configuration, users, snapshots, races, cache, ledgers, databases.
  static let files = Driver(name: "files", round: 50) { home in
    let samples = try FileSamples(home)
    return Attack(make: samples.make, judge: samples.judge)
  }
}

private struct FileSamples {
  /// A file, the commands that read it, and what else has to be as it was.
  struct Sample {
    var name: String
    var commands: [[String]]
    var good: [UInt8] = []
    var mutator = Mutator([])
  }

  private let home: ScratchDirectory
  private var samples: [Sample] = []
  private var databases: [(name: String, bytes: [UInt8])] = []

  private static let embedded = ["--url", "embedded:"]
  private static let data = ".local/share/hw"

  init(_ home: ScratchDirectory) throws {
    self.home = home
    for words in [
      ["bikes", "list", "--anywhere"], ["bikes", "rent", "1"], ["wordle", "scores"], ["race", "status"],
      ["nodes", "snapshot"],
    ] { _ = Ran(words + Self.embedded, in: .init(home: home)) }
    var input = Ran.Surroundings(home: home)
    input.input = Array("Wordle 281 1/6\n\n🟩🟩🟩🟩🟩\n".utf8)
    _ = Ran(["wordle", "import", "--player", "Eve"], in: input)
    RawFile.write(Array(ImportSamples.race.joined().utf8), to: home.file("race.jsonl"))
    for words in [["set", "nodes.lang", "de"], ["set", "timeout", "20s"], ["set", "wordle.token", "x"]] {
      _ = Ran(["config"] + words, in: .init(home: home))
    }
    let listings = [
      ["config", "list"], ["nodes", "top", "--demo"], ["config", "get", "nodes.lang"],
      ["config", "set", "nodes.lang", "fr"],
    ]
    samples = [
      Sample(name: ".config/hw/config", commands: listings),
      Sample(
        name: "race.jsonl",
        commands: [["race", "show", "race.jsonl"], ["race", "show", "race.jsonl", "--json"]]),
    ]
    let commands = [
      "bikes.db": [
        ["bikes", "list", "--anywhere"], ["bikes", "rented"], ["bikes", "history"], ["bikes", "rent", "2"],
        ["bikes", "export"],
      ], "wordle.db": [["wordle", "scores"], ["wordle", "stats"]],
      "wordle-players.db": [["wordle", "compare"], ["wordle", "import"]],
      "race.db": [["race", "history"], ["race", "stats"], ["race", "show", "1"]],
    ]
    for (name, lines) in commands.sorted(by: { $0.key < $1.key }) where home.names(Self.data).contains(name) {
      let path = "\(Self.data)/\(name)"
      samples.append(Sample(name: path, commands: lines.map { $0 + Self.embedded }))
      // A change that was not yet carried over is in the log.
      if home.names(Self.data).contains("\(name)-wal"), !home.text("\(path)-wal").isEmpty {
        samples.append(Sample(name: "\(path)-wal", commands: lines.map { $0 + Self.embedded }))
      }
    }
    for name in home.names(".local/state/hw/nodes") where name.hasSuffix(".json") {
      let lines = [["nodes", "snapshots"], ["nodes", "diff", "latest", "--demo"]]
      samples.append(Sample(name: ".local/state/hw/nodes/\(name)", commands: lines))
    }
    samples.append(
      Sample(name: ".local/state/hw/bikes-rented.jsonl", commands: [["bikes", "rented"] + Self.embedded]))
    // A command that was killed.
    let notes = home.text(".local/state/hw/bikes-rented.jsonl")
    if let service = notes.split(separator: "\"").first(where: { $0.hasPrefix("embedded:") }) {
      let attempt = "\"attempt\":\"rent\",\"id\":\"2\",\"key\":\"k\",\"since\":1704067200}"
      try home.write(
        "\(notes){\"version\":2,\"service\":\"\(service)\",\(attempt)\n",
        to: ".local/state/hw/bikes-rented.jsonl")
    }
    for index in samples.indices {
      samples[index].good = try Array(home.bytes(samples[index].name))
      samples[index].mutator = Mutator(
        [samples[index].good], tokens: ["url = ", "\n[nodes]\n", "= ", "#", "SQLite format 3\0"])
    }
    databases = samples.filter { $0.name.contains(".db") }.map { ($0.name, $0.good) }
    let now = RateLedger.Clocks(FakeClock())
    samples.append(
      Sample(name: "ledger", commands: [[]], good: RateLedger(.sliding(5, per: .seconds(60)), now).bytes))
    let entry = CacheEntry(
      response: Response(
        200, headers: ["ETag": "\"a\"", "Age": "7", "Cache-Control": "max-age=60"], body: Array("{}".utf8)),
      stored: 1_704_067_200)
    samples.append(Sample(name: "cache", commands: [[]], good: entry.bytes))
    for index in samples.indices.suffix(2) {
      samples[index].mutator = Mutator(
        [samples[index].good],
        tokens: ["Age: -1\n", "Expires: x\n", "max-age=99999999999999999999", "Date: ", ":", "\n"])
    }
  }

  var make: (inout SeededGenerator) -> [UInt8] {
    { random in
      let sample = random.pick(samples)
      let words = [sample.name] + random.pick(sample.commands)
      var bytes = sample.mutator.mutated(sample.good, &random)
      // The checksum would find every change.
      if sample.name == "ledger", random.chance(2) {
        let content = (bytes + [UInt8](repeating: 0, count: RateLedger.size)).prefix(RateLedger.size - 8)
        bytes = Array(content) + SHA256.hash(Array(content)).prefix(8)
      }
      return Array(words.joined(separator: "\u{1F}").utf8) + [0x0A] + bytes
    }
  }

  var judge: ([UInt8]) throws -> String? {
    { input in
      let end = input.firstIndex(of: 0x0A) ?? input.count
      var line = InputLine(input[..<end])
      let bytes = Array(input[min(end + 1, input.count)...])
      guard !line.words.isEmpty else { return nil }
      let name = line.words.removeFirst()
      switch name {
      case "ledger":
        guard let ledger = RateLedger(bytes) else { return nil }
        let limit = RateLimit.sliding(5, per: .seconds(60))
        _ = (ledger.remaining(limit), ledger.wait(limit))
        return nil
      case "cache":
        guard let entry = CacheEntry(bytes) else { return nil }
        let age = entry.age(Timestamp(seconds: 1_704_067_300)) ?? 0
        _ = (entry.lifetime, entry.response(age: age).headers)
        return nil
      default: break
      }
      guard let sample = samples.first(where: { $0.name == name }) else { return nil }
      for (name, good) in databases where name.contains(sample.name.split(separator: ".db")[0]) {
        unlink("\(home.path)/\(name)-shm")
        unlink("\(home.path)/\(name)-wal")
        RawFile.write(good, to: home.file(name))
      }
      RawFile.write(bytes, to: home.file(name))
      defer { RawFile.write(sample.good, to: home.file(name)) }
      line.isOnTerminal = input.count % 2 == 0
      return line.problem(in: home)
    }
  }
}
