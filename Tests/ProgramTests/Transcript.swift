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

/// A session at a shell, as a text: after each line that begins with `$ ` what the command printed, then what it
/// reported (`! `) and its status if it is not 0 (`? `). Lines that begin with `#` are comments. At the end are the files
/// of the home directory (`= `), those of hw itself with their modes.
///
/// A line is `earlier NAME VERSION FOLDER`, which makes a database as an earlier hw left it, or `keep FILE URL`, which adds the races of a file to the history as if they had been watched at that address,
/// or `[VARIABLE=VALUE…] hw WORD…`, or `printf TEXT | hw WORD…`, or `printf TEXT >FILE`, or `cat FILE…`, or
/// `METHOD PATH [BODY]`, a request to the backends of all suites. `COLUMNS=N` is a terminal of this width. The home directory is new, the data of the services are
/// samples, and it is 18:00 on 15 January 2025, an hour ahead of UTC. `@ N` goes N days ahead.
struct Transcript {
  private let home: ScratchDirectory
  private let time = FakeClock(Timestamp(seconds: 1_736_960_400), offset: 3600)
  private let router: Router

  init() throws {
    home = try ScratchDirectory()
    router = Router(try Program.hw.services.map { [time] in try $0.backend(.demo(time: time)) })
  }

  /// The same text, with what its commands print now. Nothing leaves this machine: nobody listens at the proxy.
  func replayed(_ text: String) throws -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("#") { lines.append(line) }
      if line.hasPrefix("@ ") {
        time.setCalendar(forward: .seconds((Int64(line.dropFirst(2)) ?? 0) * 86_400))
        lines.append(line)
      }
      guard line.hasPrefix("$ ") else { continue }
      lines.append(line)
      lines += try run(String(line.dropFirst(2)))
    }
    return (lines + files()).map { "\($0)\n" }.joined()
  }

  private func files() -> [String] {
    let names = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
    return names.sorted().map { name in
      let isOwn = name.split(separator: "/").dropLast().contains("hw")
      return "= \(isOwn ? String(home.mode(name) ?? 0, radix: 8) : "   ") \(name)"
    }
  }

  private func run(_ line: String) throws -> [String] {
    guard var words = ShellWord.split(line)?[...] else { throw Malformed(line: line) }
    if let method = words.first.flatMap(HTTP.Method.init(rawValue:)) {
      return try ask(method, Array(words.dropFirst()))
    }
    if words.first == "cat" { return words.dropFirst().flatMap { contents(of: path($0)) } }
    if words.first == "earlier", words.count == 4, let version = Int(words[words.startIndex + 2]) {
      try Program.hw.makeEarlierDatabase(
        words[words.startIndex + 1], version: version, in: path(words[words.startIndex + 3]))
      return []
    }
    if words.first == "keep", words.count == 3 {
      try keep(path(words[words.startIndex + 1]), url: words[words.startIndex + 2])
      return []
    }
    var input = ""
    if words.first == "printf", words.count > 2 {
      let end = words.startIndex + 2
      input = words[end - 1].replacing("\\n", with: "\n").replacing("\\t", with: "\t")
      if words[end].hasPrefix(">") {
        let file = path(words[end].dropFirst().description)
        try FileManager.default.createDirectory(
          atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(input.utf8).write(to: URL(filePath: file))
        return []
      }
      guard words[end] == "|" else { throw Malformed(line: line) }
      words = words[(end + 1)...]
    }
    var environment = [
      "HOME": home.path, "HW_URL": "demo:", "HW_PAGER": "", "LANG": "C.UTF-8",
      "ALL_PROXY": "http://127.0.0.1:1",
    ]
    while let word = words.first, word != "hw" {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2 else { throw Malformed(line: line) }
      environment[sides[0]] = path(sides[1])
      words.removeFirst()
    }
    let columns = environment.removeValue(forKey: "COLUMNS").flatMap { Int($0) }
    if columns != nil { environment["TERM"] = "xterm-256color" }
    // Files are those of the home directory, whatever the directory of the tests is.
    let arguments = words.dropFirst().map(path)
    let ran = Ran(
      .hw, Array(arguments), environment: environment, time: time, input: input,
      terminal: columns == nil ? [] : [.output], columns: columns)
    return shown(ran.output) + shown(ran.errors).map { "! \($0)" }
      + (ran.status == 0 ? [] : ["? \(ran.status)"])
  }

  private func path(_ word: String) -> String { word.replacing("~/", with: "\(home.path)/") }

  private func keep(_ file: String, url: String) throws {
    let history = try RaceHistory(Store(folder: path("~/.local/share/hw"), time: time))
    let recorder = RaceRecorder(log: nil, history: history, url: url, time: time) { Issue.record("\($0)") }
    let bytes = try Data(contentsOf: URL(filePath: file))
    for race in try RaceRecording.read(MemorySource(bytes), name: file) { try recorder.add(race.events) }
  }

  /// The lines of a file, or the names in a folder.
  private func contents(of path: String) -> [String] {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: path) { return names.sorted() }
    guard let data = FileManager.default.contents(atPath: path) else { return ["! no such file"] }
    return shown(String(decoding: data, as: UTF8.self))
  }

  /// What a backend responds: status, header fields, body.
  private func ask(_ method: HTTP.Method, _ words: [String]) throws -> [String] {
    guard let path = words.first else { throw Malformed(line: method.rawValue) }
    var headers: Headers = ["X-Authorization": "sample"]
    let body = words.dropFirst().joined(separator: " ")
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    let response = router.respond(
      to: Request(method, try URL("demo:\(path)"), headers: headers, body: Array(body.utf8)))
    return ["\(response.status)"] + response.headers.fields.map { "\($0.name): \($0.value)" }
      + shown(String(decoding: response.body, as: UTF8.self))
  }

  /// The lines of a text; control characters are visible, and a last line that does not end is marked.
  private func shown(_ text: String) -> [String] {
    let scalars = text.replacing(home.path, with: "~").replacing(
      /Idempotency-Key: [0-9a-f]{32}/, with: "Idempotency-Key: •••"
    ).replacing(/^[0-9a-f]{32}$/.anchorsMatchLineEndings(), with: "TOKEN").unicodeScalars
    var lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(
        String.UnicodeScalarView(line.map { $0.value < 0x20 ? Unicode.Scalar(0x2400 + $0.value) ?? $0 : $0 }))
    }
    if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "␄" }
    return lines.map { ["$", "#", "@"].contains($0.prefix(1)) ? " \($0)" : $0 }
  }

  struct Malformed: Error {
    let line: String
  }
}
