import Foundation
import JSON
import Store
import System
import Testing
import TestSupport

@testable import Command
@testable import HTTP
@testable import hw
@testable import Server
@testable import Tools

/// The commands of no suite where a person watches: what they show before their output, and whether they ask.
@Suite(.needs(.libsqlite3)) struct ToolProgress {
  private let home: ScratchDirectory
  private let time = FakeClock()

  init() throws { home = try ScratchDirectory() }

  private func run(_ words: [String], terminal: Set<Ran.Stream> = [.errors], url: String = "demo:") -> Ran {
    Ran(
      .hw, words, environment: ["HOME": home.path, "HW_URL": url, "ALL_PROXY": "http://127.0.0.1:1"],
      time: time, terminal: terminal)
  }

  private func addUser(to store: String) throws {
    try #require(run(["users", "add", "ann", "--store", home.file(store)]).status == 0)
  }

  private static let clearLine = "\r\u{1B}[K"

  /// What a person sees where the output and the errors are on one terminal.
  private func seen(_ words: [String]) -> (text: String, status: Int32) {
    let sink = MemorySink()
    let ran = Ran(
      .hw, words, environment: ["HOME": home.path], time: time, terminal: [.errors], output: sink,
      errors: sink)
    return (sink.text.replacing(home.path, with: "~"), ran.status)
  }

  @Test func rowsReplaceProgressLine() throws {
    try Program.hw.makeEarlierDatabase("bikes", version: 8, in: home.file("store"))
    let migrated = seen([
      "store", "migrate", "--store", home.file("store"), "--fields", "database,to", "--tsv",
    ])
    #expect(migrated.text == "\rmigrating bikes\u{1B}[K\(Self.clearLine)database\tto\nbikes\t9\n")
    try addUser(to: "one")
    let copied = seen([
      "store", "copy", "--from", home.file("one"), "--to", home.file("two"), "--fields", "rows", "--tsv",
    ])
    #expect(copied.text == "\r1 row of a table copied\u{1B}[K\(Self.clearLine)rows\n1\n1\n0\n")
  }

  @Test func importResultReplacesProgressLine() throws {
    try home.write("name,color,pin,latitude,longitude\nWanda,red,0420,50.12,8.64\n", to: "bikes.csv")
    let imported = seen(["bikes", "import", home.file("bikes.csv"), "--demo", "--fields", "added", "--tsv"])
    #expect(imported.text == "\r1 bike read\u{1B}[K\(Self.clearLine)added\n1\n")
  }

  private func history() -> [String] {
    run(["bikes", "history", "--tsv", "--no-header", "--fields", "bike"], url: "embedded:").lines
  }

  private func ride(_ bike: String) {
    for words in [["rent", bike], ["return", bike, "--at", "50.12,8.64"]] {
      #expect(run(["bikes"] + words, url: "embedded:").status == 0)
    }
  }

  /// A user who is added while the history is read keeps the name in it.
  @Test func userIsAddedDuringPruning() throws {
    let store = Store(folder: home.file("store"), time: time)
    try addUser(to: "store")
    let personal = PersonalData(remains: { _, _ in [] }) { store, limit throws(Failure) in
      let late = UserTable.Record(user: User("late", isAdmin: false), added: limit.time)
      try UserTable(store).add(late, token: "0123456789abcdef", again: false) {}
      var pruned = PersonalData.Pruned()
      for name in ["late", "gone"] where try limit.isUser?(name) == false { pruned.names.insert(name) }
      return pruned
    }
    let pruning = HistoryPruning(
      suites: [Suite("cups", "Cups", personalData: personal, commands: [])], store: store)
    #expect(try pruning.run(before: time.now()).map(\.pruned.names) == [["gone"]])
  }

  @Test func serverPrunesOnceADay() throws {
    ride("1")
    let store = Store(folder: home.file(".local/share/hw"), time: time)
    var reports: [String] = []
    let upkeep = try HistoryUpkeep(
      HistoryPruning(suites: Program.hw.suites, store: store), days: 2, report: { reports.append($0) })
    for (days, left) in [(0, ["1"]), (1, ["1"]), (2, [])] as [(Int64, [String])] {
      try waitUntil("the pruning to end") {
        upkeep.tick(time)
        return !upkeep.isRunning
      }
      #expect(history() == left, "after \(days) days")
      time.advance(by: .seconds(86_401))
    }
    try home.write("rubbish", to: ".local/share/hw/bikes.db")
    upkeep.tick(time)
    try waitUntil("the failure to be reported") {
      upkeep.tick(time)
      return reports.count == 2
    }
    #expect(reports[0].hasPrefix("removed from the history: 1, before 2024-01-01T"))
    #expect(reports[1].hasPrefix("the history was not pruned: '\(home.path)"))
  }

  /// On one terminal the line of progress goes first, then come the rows, then what is wrong.
  @Test func damageIsReportedAfterRows() throws {
    try home.write("rubbish", to: "store/bikes.db")
    try home.write("rubbish", to: "store/wordle.db")
    try addUser(to: "store")
    let (text, status) = seen([
      "store", "verify", "--store", home.file("store"), "--fields", "table,rows", "--tsv",
    ])
    #expect(status == 10)
    #expect(
      text == """
        \rchecking race\u{1B}[K\(Self.clearLine)table\trows
        server_user\t1
        user_revision\t1
        former_user\t0
        hw: '~/store/bikes.db' is not a database
        hw: '~/store/wordle.db' is not a database
            it was left as it is; move it away

        """)
  }

  /// It says nothing of the service.
  @Test func interruptedCheckPrintsNothing() {
    let clock = FakeClock { _ throws(Failure) in throw Interruption.failure }
    let ran = Ran(
      .hw, ["check", "race", "--retries", "1"],
      environment: ["HOME": home.path, "HW_URL": "http://127.0.0.1:1"], time: clock)
    #expect(ran.status == 130 && ran.output == "")
    #expect(clock.sleeps.count == 1)
  }

  @Test(arguments: [(512, true), (513, false)]) func tokenLengthIsChecked(length: Int, isUsable: Bool) {
    let token = String(repeating: "k", count: length)
    let ran = Ran(
      .hw, ["users", "add", "ann", "--token-file", "-", "--store", home.file("store")],
      environment: ["HOME": home.path], time: time, input: "\(token)\n")
    #expect(ran.status == (isUsable ? 0 : 2) && ran.output == (isUsable ? "\(token)\n" : ""))
  }

  @Test func unwritableDirectoryFailsSelfCheck() throws {
    try home.write("", to: "file")
    let ran = Ran(
      .hw, ["check", "--self", "--json"],
      environment: [
        "HOME": home.path, "XDG_DATA_HOME": home.file("file"), "XDG_CACHE_HOME": home.file("new"),
      ])
    let rows = try JSON.parse(ran.output).array.filter { try $0["check"].string.hasSuffix(" folder") }
    #expect(
      try rows.map { try "\($0["check"].string): \($0["result"].string)" } == [
        "configuration folder: ok", "data folder: FAIL", "state folder: ok", "cache folder: ok",
      ])
    #expect(
      try rows[1]["findings"].array.map { try $0.string } == ["'\(home.file("file"))/hw' cannot be written"])
    #expect(ran.status == 1)
  }

  @Test func selfCheckReadsDatabases() throws {
    try #require(run(["wordle", "reset", "--yes"], url: "embedded:").status == 0)
    try #require(run(["users", "add", "anna"]).status == 0)
    try home.write("rubbish", to: ".local/share/hw/bikes.db")
    let rows = try JSON.parse(run(["check", "--self", "--json"]).output).array.filter {
      try $0["check"].string.hasPrefix("database of ")
    }
    let shown = try rows.map { row throws in
      let (title, result) = (try row["check"].string, try row["result"].string)
      return "\(title): \(result), \(try row["findings"].array.count), \(try row["detail"].string)"
    }
    #expect(
      shown.sorted() == [
        "database of bikes: FAIL, 1, \(home.file(".local/share/hw/bikes.db"))",
        "database of users: ok, 0, \(home.file(".local/share/hw/users.db"))",
        "database of wordle: ok, 0, \(home.file(".local/share/hw/wordle.db"))",
      ])
  }

  /// Who waits for the file would wait forever: the server does not run without it.
  @Test func unwritableReadyFileEndsServe() {
    let file = home.file("none/ready")
    let ran = Ran(
      .hw, ["serve", "wordle", "--demo", "--listen", "127.0.0.1:0", "--ready-file", file, "--", "true"],
      environment: ["HOME": home.path])
    #expect(ran.status == 10 && ran.output == "")
    #expect(ran.complaint.contains(file), "\(ran.errors)")
  }

  @Test func socketFileIsRemovedIfListenFails() throws {
    let (descriptor, port) = try Loopback.listen()
    defer { close(descriptor) }
    let serve = try #require(Program.hw.tools.commands.first { $0.name == "serve" })
    var call = Invocation(serve, suite: nil)
    let (listen, metrics) = ("unix:\(home.file("s"))", "127.0.0.1:\(port)")
    call.set(Toolbox.serveListen.declaration, to: listen, text: listen)
    call.set(Toolbox.serveMetrics.declaration, to: metrics, text: metrics)
    let opening = try SocketOpening(call, try ServiceManager(Environment([:])), picksPort: false)
    let refusal = failure { try opening.open() }
    #expect(refusal?.kind == .connection)
    #expect(!home.names.contains("s"))
  }
}

/// Input that cannot be read to its end.
@Suite struct BrokenInput {
  /// Has a text, and then a disk that does not respond.
  private final class Broken: ByteSource {
    private var text: [UInt8]

    init(_ text: String) { self.text = Array(text.utf8) }

    func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
      guard !text.isEmpty else { throw Failure(.storage, "the disk is gone") }
      let source = MemorySource(text)
      text = []
      return source.read(into: &buffer)
    }
  }

  /// The file is not blamed on a row, and reading it does not go on.
  @Test(arguments: [("{\"a\":1}\n", nil), ("{\"a\":[1]}\n", "a")] as [(String, String?)])
  func readErrorEndsRows(text: String, path: String?) throws {
    for file in [nil, "f"] as [String?] {
      var input = RowInput(Broken(text), at: path.map { JSON.Path($0) }, file: file)
      let first = try input.next()
      #expect(first != nil)
      let found = failure { try input.next() }
      #expect(found?.kind == .storage && found?.message == "the disk is gone")
    }
  }
}

/// `hw cache` with responses in the cache.
@Suite struct CacheCommands {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ words: String...) -> Ran {
    Ran(.hw, ["cache"] + words, environment: ["HOME": home.path], time: FakeClock())
  }

  /// Caches a response; returns the size of its file.
  private func keep(_ name: String) throws -> Int {
    let address = "https://h.test/\(name)"
    let entry = CacheEntry(response: Response(200), stored: FakeClock.start.seconds)
    let file = CacheEntry.fileName(for: Request(.get, try URL(address)))
    try home.write(String(decoding: entry.bytes, as: UTF8.self), to: ".cache/hw/\(file)")
    return entry.bytes.count
  }

  @Test(arguments: [(1, "1 cached response"), (2, "2 cached responses")])
  func clearRemovesResponses(count: Int, shown: String) throws {
    let bytes = try (0..<count).map { try keep("\($0)") }.reduce(0, +)
    let line = "\(shown), \(bytes) bytes\n"
    #expect(run("clear", "--dry-run").output == line && home.names(".cache/hw").count == count)
    #expect(run("clear").output == line && home.names(".cache/hw") == [])
    #expect(run("clear", "--json").output == "{\"responses\":0,\"bytes\":0}\n")
  }
}

/// What `hw check --self` says of a machine, but for the versions of its libraries.
@Suite(.needs(.libsqlite3)) struct SelfCheckTexts {
  private static let checks: Set = [
    "configuration", "configuration folder", "data folder", "state folder", "cache folder",
  ]

  private static let machines: [(name: String, environment: [String: String], configuration: String)] = [
    ("a plain one", [:], ""),
    (
      "settings that are wrong", ["HW_NBA_TIMEOUT": "x", "HW_RETRIES": "x", "HW_NOSUCH": "1"],
      "race.timeout = y\nnosuch = 1\nalias.nba = race\n"
    ),
    ("lines that are wrong", [:], "timeout\nalias.a = \"b\n"),
    ("a setting that is right", [:], "# mine\ntimeout = 9\n"),
    ("folders", ["XDG_DATA_HOME": "/proc/none", "XDG_CACHE_HOME": "relative"], ""),
    ("no home", ["HOME": ""], ""),
  ]

  @Test func selfChecksAreAsRecorded() throws {
    var text = ""
    for (name, changes, configuration) in Self.machines {
      let home = try ScratchDirectory()
      try FileManager.default.createDirectory(
        atPath: home.file(".config/hw"), withIntermediateDirectories: true)
      if !configuration.isEmpty {
        try File.replace(home.file(".config/hw/config"), with: Array(configuration.utf8))
      }
      let environment = ["HOME": home.path, "HW_URL": "demo:"]
      let ran = Ran(
        .hw, ["check", "--self", "--json"],
        environment: environment.merging(changes) { $1 }.filter { $1 != "" }, time: FakeClock())
      text += "--- \(name): status \(ran.status)\n"
      for row in try JSON.parse(ran.output.isEmpty ? "[]" : ran.output).array
      where Self.checks.contains(try row["check"].string) {
        let findings = try row["findings"].array.map { finding throws in try finding.string }
        let facts = [
          try row["check"].string, try row["result"].string, try row["detail"].orNull?.string ?? "",
        ]
        text += (facts + findings).joined(separator: " | ").replacing(home.path, with: "~") + "\n"
      }
      text += ran.errors.replacing(home.path, with: "~").split(separator: "\n").map { "! \($0)\n" }.joined()
    }
    try RecordedText.hold("self-checks.txt", to: text)
  }
}
