import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Who waits for whom, who makes room for whom, and what faults do: clients of a server, as a text.
@Suite(.ownThread) struct Dialogues {
  /// `server WORDS` makes a server, `1 connects`, `1 sends REQUESTS`, `1 ends` its side of the connection, `500 ms pass`,
  /// `it stops`. What is separated by ` & ` happens before the server takes its turns. After each line, what the clients
  /// get and which of them are closed. `wakes 700` prints how long the next turn waits at most.
  @Test func dialoguesAreAsRecorded() throws {
    var text = ""
    var dialogue: Dialogue?
    for line in RecordedText.text("dialogues.txt").split(separator: "\n") where !line.hasPrefix(" ") {
      text += "\(line)\n"
      guard !line.hasPrefix("#") else { continue }
      if line.hasPrefix("server") {
        dialogue = try Dialogue(line.split(separator: " ").dropFirst().map(String.init))
      } else {
        text += try dialogue?.take(line) ?? ""
      }
    }
    try RecordedText.hold("dialogues.txt", to: text)
  }
}

private final class Dialogue {
  private let stepped: SteppedServer
  private let stop: Pipe
  private let takeFailures: () -> [String]
  private var clients: [Int: Client] = [:]

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
    let stop = try Pipe()
    self.stop = stop
    stepped = try SteppedServer(backends) {
      $0.stopSignal = stop.reader
      $0.faults = plan ?? FaultPlan()
      if let count = value("connections").flatMap({ Int($0) }) { $0.connections = count }
      $0.limits.connectionsPerAddress = value("per-address").flatMap { Int($0) }
      $0.limits.requestsPerAddress = value("requests").flatMap { Int($0) }
      $0.limits.requestsPerUser = value("requests-per-user").flatMap { Int($0) }
      // A proxy of this machine would have no limit.
      if words.contains("private") { ($0.origins.isPublic, $0.origins.hosts) = (false, ["a"]) }
      $0.logFailure = { reports.messages.append($0.message) }
    }
    takeFailures = {
      defer { reports.messages = [] }
      return reports.messages
    }
  }

  deinit {
    stop.reader.close()
    stop.writer.close()
  }

  func take(_ line: Substring) throws -> String {
    for action in line.split(separator: " & ") {
      let words = action.split(separator: " ", maxSplits: 2).map(String.init)
      let number = Int(words[0]) ?? 0
      switch words[1] {
      case "connects": clients[number] = try Client(to: stepped.server.address)
      case "sends": _ = clients[number]?.trySending(Array(Dialogue.requests(words[2]).utf8)[...])
      case "ends": clients[number]?.socket.finishSending()
      case "ms": stepped.time.advance(by: .milliseconds(Double(words[0]) ?? 0))
      case "stops": try stop.writer.writeAll([0])
      default: return "  \(stepped.server.timeout(atMost: .milliseconds(Int(words[1]) ?? 0))) ms\n"
      }
    }
    return try listen()
  }

  private func listen() throws -> String {
    try stepped.step()
    for client in clients.values { try stepped.hear(client) }
    var text = takeFailures().map { "  failure: \($0)\n" }.joined()
    for (number, client) in clients.sorted(by: { $0.key < $1.key }) {
      let new = client.takeNew()
      if !new.isEmpty {
        text += "  \(number) gets \(RandomClientWalks.summary(new).replacing("\0", with: "␀"))\n"
      }
      if client.isClosed {
        text += "  \(number) is closed\n"
        clients[number] = nil
      }
    }
    return text
  }

  /// `GET`, `GET /late`, `GET /a FIELD: VALUE`, or `raw` before bytes with their line ends escaped, separated by ` + `.
  private static func requests(_ text: String) -> String {
    text.split(separator: " + ").map { request in
      if request.hasPrefix("raw ") {
        return request.dropFirst(4).replacing("\\r", with: "\r").replacing("\\n", with: "\n")
      }
      let words = request.split(separator: " ", maxSplits: 2).dropFirst()
      let fields = words.dropFirst().map { "\($0)\r\n" }.joined()
      return "GET \(words.first ?? "/a") HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }.joined()
  }
}
