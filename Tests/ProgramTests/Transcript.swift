import Command
import Foundation
import HTTP
import Server
import Store
import System
import TestSupport
import Testing

@testable import Race
@testable import hw

/// A session with `hw` (see `Session`). At the end are the files of the home directory (`= `), those of hw itself with
/// their modes.
///
/// A line may also be `earlier NAME VERSION FOLDER`, which makes a database as an earlier hw left it, or `keep FILE URL`,
/// which adds the races of a file to the history as if they had been watched at that address, or
/// `METHOD PATH [BODY]`, a request to the backends of all suites. The data of the services are samples, and it is 18:00
/// on 15 January 2025, an hour ahead of UTC.
struct Transcript {
  private let session: Session
  private let time = FakeClock(Timestamp(seconds: 1_736_960_400), offset: 3600)
  private let router: Router

  /// Nothing leaves this machine: nobody listens at the proxy.
  init() throws {
    let environment = [
      "HW_URL": "demo:", "HW_PAGER": "", "LANG": "C.UTF-8", "ALL_PROXY": "http://127.0.0.1:1",
    ]
    session = try Session(.hw, environment: environment, time: time)
    router = Router(try Program.hw.servedSuites.map { [time] in try $0.backend(.demo(time: time)) })
  }

  /// The same text, with what its commands print now.
  func replayed(_ text: String) throws -> String {
    let lines = try session.replayed(text, special: special)
    return (lines + files()).map { "\($0)\n" }.joined()
  }

  private func files() -> [String] {
    let names = FileManager.default.enumerator(atPath: session.home.path)?.compactMap { $0 as? String } ?? []
    return names.sorted().map { name in
      let isOwn = name.split(separator: "/").dropLast().contains("hw")
      return "= \(isOwn ? String(session.home.mode(name) ?? 0, radix: 8) : "   ") \(name)"
    }
  }

  private func special(_ words: [String]) throws -> [String]? {
    if let method = words.first.flatMap(HTTP.Method.init(rawValue:)) {
      return try ask(method, Array(words.dropFirst()))
    }
    if words.first == "earlier", words.count == 4, let version = Int(words[2]) {
      try Program.hw.makeEarlierDatabase(words[1], version: version, in: session.path(words[3]))
      return []
    }
    if words.first == "keep", words.count == 3 {
      try keep(session.path(words[1]), url: words[2])
      return []
    }
    return nil
  }

  private func keep(_ file: String, url: String) throws {
    let history = try RaceHistory(Store(folder: session.path("~/.local/share/hw"), time: time))
    let recorder = RaceRecorder(history: history, url: url, time: time) { Issue.record("\($0)") }
    let bytes = try Data(contentsOf: URL(filePath: file))
    for race in try RaceRecording.read(MemorySource(bytes), name: file) { recorder.add(race.events) }
  }

  /// What a backend responds: status, header fields, body.
  private func ask(_ method: HTTP.Method, _ words: [String]) throws -> [String] {
    guard let path = words.first else { throw Session.Malformed(line: method.rawValue) }
    var headers: Headers = ["X-Authorization": "sample"]
    let body = words.dropFirst().joined(separator: " ")
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    let response = router.respond(
      to: Request(method, try URL("demo:\(path)"), headers: headers, body: Array(body.utf8)))
    return ["\(response.status)"] + response.headers.fields.map { "\($0.name): \($0.value)" }
      + session.shown(String(decoding: response.body, as: UTF8.self))
  }
}
