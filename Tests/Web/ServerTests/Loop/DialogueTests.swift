import Foundation
import HTTP
import TestSupport
import Testing

@testable import Server

/// Who waits for whom, who makes room for whom, and what faults do: clients of a server, as a text.
@Suite(.ownThread) struct Dialogues {
  /// `server WORDS` makes a server, `1 connects`, `1 sends REQUESTS`, `500 ms pass`, `wakes 700` prints how long the next
  /// turn waits at most; after each line, what the clients get and which of them are closed.
  @Test func dialoguesAreAsRecorded() throws {
    var text = ""
    var dialogue: Dialogue?
    for line in RecordedText.text("dialogues.txt").split(separator: "\n") where !line.hasPrefix(" ") {
      text += "\(line)\n"
      guard !line.hasPrefix("#") else { continue }
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      if words[0] == "server" {
        dialogue = try Dialogue(words.dropFirst().flatMap { $0.split(separator: " ").map(String.init) })
      } else {
        text += try dialogue?.take(words) ?? ""
      }
    }
    try RecordedText.hold("dialogues.txt", to: text)
  }
}

private final class Dialogue {
  private final class Talker {
    let client: Client
    var known = 0

    init(_ client: Client) { self.client = client }
  }

  private let stepped: SteppedServer
  private let takeFailures: () -> [String]
  private var talkers: [Int: Talker] = [:]

  init(_ words: [String]) throws {
    func value(_ name: String) -> String? {
      words.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    let others = ["late", "middle", "short"].map { name in
      ScriptedBackend(name, routes: [Route(.get, "/\(name)") { _ in Response(200, body: Array(name.utf8)) }])
    }
    let backends = others + [ScriptedBackend("sample", routes: Sample.routes)]
    let plan = try value("faults").map { try FaultPlan($0, seed: 1, suites: backends.map(\.suite)) }
    final class Reports { var messages: [String] = [] }
    let reports = Reports()
    stepped = try SteppedServer(backends) {
      $0.faults = plan ?? FaultPlan()
      if let count = value("connections").flatMap({ Int($0) }) { $0.connections = count }
      $0.limits.connectionsPerAddress = value("per-address").flatMap { Int($0) }
      // A proxy of this machine would have no limit.
      if words.contains("private") { ($0.origins.isPublic, $0.origins.hosts) = (false, ["a"]) }
      $0.logFailure = { reports.messages.append($0.message) }
    }
    takeFailures = {
      defer { reports.messages = [] }
      return reports.messages
    }
  }

  func take(_ words: [String]) throws -> String {
    switch words[1] {
    case "connects": talkers[Int(words[0]) ?? 0] = Talker(try stepped.connect())
    case "sends":
      let bytes = Array(Dialogue.requests(words[2]).utf8)
      if let talker = talkers[Int(words[0]) ?? 0] { _ = talker.client.trySending(bytes[...]) }
    case "ms": stepped.time.advance(by: .milliseconds(Int(words[0]) ?? 0))
    default: return "  \(stepped.server.timeout(atMost: .milliseconds(Int(words[1]) ?? 0))) ms\n"
    }
    return try listen()
  }

  private func listen() throws -> String {
    for talker in talkers.values { try stepped.hear(talker.client) }
    var text = takeFailures().map { "  failure: \($0)\n" }.joined()
    for (number, talker) in talkers.sorted(by: { $0.key < $1.key }) {
      let new = String(decoding: talker.client.received[talker.known...], as: UTF8.self)
      talker.known = talker.client.received.count
      if !new.isEmpty {
        text += "  \(number) gets \(RandomClientWalks.summary(new).replacing("\0", with: "␀"))\n"
      }
      if talker.client.isClosed {
        text += "  \(number) is closed\n"
        talkers[number] = nil
      }
    }
    return text
  }

  /// `GET`, `GET /late`, or `raw` before bytes with their line ends escaped, separated by ` + `.
  private static func requests(_ text: String) -> String {
    text.components(separatedBy: " + ").map { request in
      if request.hasPrefix("raw ") {
        return request.dropFirst(4).replacing("\\r", with: "\r").replacing("\\n", with: "\n")
      }
      let target = request.dropFirst(4)
      return "GET \(target.isEmpty ? "/a" : target) HTTP/1.1\r\nHost: a\r\n\r\n"
    }.joined()
  }
}
