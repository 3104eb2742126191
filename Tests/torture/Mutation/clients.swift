import Foundation
import System
import TestSupport

@testable import Command
@testable import hw

extension Driver {
  /// Every network command with a mutated recording: what a service may send.
  static let clients = Driver(name: "clients", round: 20) { home in
    let corpus = try Exchanges(home: home)
    let mutator = Mutator(corpus.all, tokens: Exchanges.tokens)
    return Attack(
      make: { random in
        let (words, exchanges) = random.pick(corpus.recorded)
        var parts = [
          Array(random.pick(Exchanges.forms).reduce(words) { $0 + [$1] }.joined(separator: "\u{1F}").utf8)
        ]
        let spoilt = random.below(exchanges.count)
        for (index, exchange) in exchanges.enumerated() {
          parts.append(index == spoilt ? Exchanges.mutated(exchange, mutator, &random) : exchange)
        }
        return Array(parts.joined(separator: Exchanges.separator))
      }, judge: { try Exchanges.judge($0, home) })
  }
}

/// What every network command and its service say to each other.
struct Exchanges {
  private(set) var recorded: [(words: [String], exchanges: [[UInt8]])] = []
  var all: [[UInt8]] { recorded.flatMap(\.exchanges) }

  static let separator = Array("\n\u{1E}\n".utf8)
  static let forms: [[String]] = [[], ["--json"], ["--csv"], ["--jsonl"], ["--terminal"], ["--terminal"]]
  static let tokens = [
    "null", "{\"data\":", "\"id\":", "< 200\n", "< 204\n", "< 302\n", "< 401\n", "< 404\n", "< 409\n",
    "< 422\n", "< 429\n", "< 500\n", "< 503\n", "Retry-After: 99999999999999999999\n", "Retry-After: -1\n",
    "Link: <x>; rel=next\n", "Content-Type: text/html\n", "<html>", "[[", "\"2025-13-99\"", "2025-01-01",
    "9999-12-31T23:59:60Z", "captchaUrl", "failed connection\n", "12345678901234567890", "\"\\u001b[2J\"",
    "\"\\u202e\"", "\"\\ud83d\\ude00\"",
  ]

  init(home: ScratchDirectory) throws {
    // A race takes its time, on a clock that no test moves.
    for (number, words) in CommandLines.network.enumerated() where words.prefix(2) != ["race", "watch"] {
      let folder = home.file("recording-\(number)")
      let ran = Ran(words + ["--record", folder], in: .init(home: home))
      let exchanges = home.names("recording-\(number)").filter { $0.hasSuffix(".exchange") }
        .compactMap { try? Array(home.bytes("recording-\(number)/\($0)")) }
      if exchanges.isEmpty {
        // A command that asks nothing in its example.
        if ran.status > 9 { throw Failure(.defect, "\(words): status \(ran.status)") }
        continue
      }
      recorded.append((words, exchanges))
    }
  }

  /// Mostly the response is changed: another request is only not in the recording.
  static func mutated(_ exchange: [UInt8], _ mutator: Mutator, _ random: inout SeededGenerator) -> [UInt8] {
    if random.chance(20) { return mutator.mutated(exchange, &random) }
    guard let begin = exchange.firstRange(of: Array("\n\n<".utf8))?.upperBound else { return exchange }
    let response = Array(exchange[(begin - 1)...])
    let body = response.firstRange(of: Array("\n\n".utf8))?.upperBound ?? response.count
    let start = random.chance(6) ? 0 : body
    return exchange[..<(begin - 1)] + response[..<start] + mutator.mutated(Array(response[start...]), &random)
  }

  static func judge(_ input: [UInt8], _ home: ScratchDirectory) throws -> String? {
    var parts = split(input)
    let line = InputLine(parts.removeFirst())
    let folder = home.file("replay")
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (index, part) in parts.enumerated() { RawFile.write(part, to: "\(folder)/\(1000 + index).exchange") }
    defer { for index in parts.indices { unlink("\(folder)/\(1000 + index).exchange") } }
    return line.problem(in: home, options: ["--replay", folder])
  }

  private static func split(_ input: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = input[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(Array(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [Array(rest)]
  }
}

/// Files without the cost of Foundation's.
enum RawFile {
  static func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
    close(file)
  }
}
