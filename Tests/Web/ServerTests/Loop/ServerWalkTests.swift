import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Clients that connect, send pieces of requests, wait, stop speaking and go, in an order that nobody thinks of: what each
/// of them gets, and when it is closed, is recorded.
@Suite struct RandomClientWalks {
  /// A client with the texts that it still has to send.
  private final class Talker {
    let client: Client
    let number: Int
    var rest: ArraySlice<UInt8> = []
    var isDone = false

    init(_ client: Client, _ number: Int) { (self.client, self.number) = (client, number) }
  }

  private static func get(_ target: String, _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }

  private static let requests = [
    get("/a"), get("/a"), get("/a") + get("/items/7") + get("/large/100"), get("/a", "Connection: close\r\n"),
    get("/throws/conflict") + get("/a"), get("/nowhere"), Sample.post("{}"),
    Sample.post("{\"a\":1}") + get("/a"),
    "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n", "DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Transfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}",
    "nonsense\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n", get("/healthz"), get("/a", "X-Authorization: t1\r\n"),
    get("/a", "X-Authorization: t2\r\n"),
  ]

  @Test(arguments: [
    ("plain", ""), ("faults", "503:0.3,drop:0.1,garbage:0.1,delay:700ms:0.4"), ("limits", ""), ("few", ""),
    ("drained", ""),
  ])
  func isAsRecorded(name: String, faults: String) throws {
    var text = ""
    // A busy system delivers what is sent, and that a connection is closed, late.
    for turn in [5, 60, 200] where text != RecordedText.text("walk-\(name).txt") {
      text = try walk(name, faults, turn: .milliseconds(turn))
    }
    try RecordedText.hold("walk-\(name).txt", to: text)
  }

  /// What happens, if the server is at rest after three turns without news.
  private func walk(_ name: String, _ faults: String, turn: Duration) throws -> String {
    var generator = SeededGenerator(seed: UInt64(name.utf8.count))
    func pick(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    var text = ""
    let plan = faults.isEmpty ? FaultPlan() : try FaultPlan(faults, seed: 3, suites: ["sample"])
    let stop = try System.Pipe()
    defer {
      stop.reader.close()
      stop.writer.close()
    }
    let stepped = try SteppedServer {
      $0.stopSignal = stop.reader
      $0.faults = plan
      if name == "limits" {
        $0.limits.requestsPerAddress = 4
        $0.limits.requestsPerUser = 2
        $0.limits.connectionsPerAddress = 4
      }
      if name == "few" { $0.connections = 3 }
      $0.log = {
        text += "    log \($0.status) \($0.target)\($0.failure.map { " \($0.kind)" } ?? "")\n"
      }
      $0.logFailure = { text += "    failure \($0.message)\n" }
    }
    var talkers: [Talker] = []
    var count = 0
    var isStopped = false
    func listen() throws {
      var quiet = 0
      while quiet < 3 {
        try stepped.server.runTurn(waitingAtMost: turn)
        var isQuiet = true
        for talker in talkers where !talker.client.isClosed {
          if talker.client.receive() { isQuiet = false }
        }
        quiet = isQuiet ? quiet + 1 : 0
      }
      for talker in talkers where !talker.isDone {
        let new = talker.client.takeNew()
        if !new.isEmpty { text += "  \(talker.number) gets \(RandomClientWalks.summary(new))\n" }
        if talker.client.isClosed {
          text += "  \(talker.number) is closed\n"
          talker.isDone = true
        }
      }
      talkers.removeAll(where: \.isDone)
    }
    for step in 1...140 {
      switch pick(10) {
      case 0, 1:
        // After the stop the port may be that of another test's server.
        guard talkers.count < 6, !isStopped else { continue }
        count += 1
        talkers.append(Talker(try Client(to: stepped.server.address), count))
        text += "\(count) connects\n"
      case 2, 3:
        let pause = [100, 600, 1000, 3000, 10_000, 29_000, 61_000][pick(7)]
        text += "\(pause) ms pass\n"
        stepped.time.advance(by: .milliseconds(pause))
      case 4 where !talkers.isEmpty && pick(3) == 0:
        let talker = talkers.remove(at: pick(talkers.count))
        text += "\(talker.number) goes\n"
      case 5 where name == "drained" && step > 80 && !isStopped:
        text += "the server stops\n"
        isStopped = true
        try stop.writer.writeAll([0])
      default:
        guard !talkers.isEmpty else { continue }
        let talker = talkers[pick(talkers.count)]
        if talker.rest.isEmpty {
          let request = RandomClientWalks.requests[pick(RandomClientWalks.requests.count)]
          talker.rest = Array(request.utf8)[...]
          text += "\(talker.number) begins \(request.prefix { $0 != "\r\n" })\n"
        }
        let piece = pick(3) == 0 ? talker.rest.prefix(1 + pick(talker.rest.count)) : talker.rest
        let sent = talker.client.trySending(piece) ?? 0
        talker.rest = talker.rest.dropFirst(max(sent, 0))
        text += "\(talker.number) sends \(sent) bytes, \(talker.rest.count) are left\n"
      }
      try listen()
    }
    return text.replacing(/[0-9a-f]{12}-[0-9]+/, with: "ID").replacing("\0", with: "␀")
  }

  /// The status lines, the fields that depend on the state of a connection, and the bodies.
  static func summary(_ text: String) -> String {
    text.split(separator: "\r\n").filter { line in
      line.hasPrefix("HTTP/") || ["connection:", "retry-after:"].contains { line.lowercased().hasPrefix($0) }
        || !line.contains(": ")
    }.joined(separator: " | ")
  }
}
