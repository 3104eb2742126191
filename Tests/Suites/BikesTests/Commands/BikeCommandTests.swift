import Command
import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

/// The commands on the sample data, or in an account of their own.
@Suite(installed) struct BikeCommands {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ words: String, columns: Int? = nil, url: String = "demo:") -> Ran {
    Ran(
      .only("bikes", Bikes.suite), ["bikes"] + words.split(separator: " ").map(String.init),
      environment: ["HOME": home.path, "HW_URL": url, "HW_PAGER": "", "TERM": "xterm-256color"],
      time: FakeClock(), terminal: columns == nil ? [] : [.output], columns: columns)
  }

  /// One entry more than are listed is requested, so that what is left out is known.
  @Test(arguments: [100, 101]) func theHistoryIsCutAt100(count: Int) throws {
    try home.write("", to: ".local/share/hw/.keep")
    try TestServer(folder: home.file(".local/share/hw")).addRentals(count)
    let note = "hw: only the newest 100 entries are listed; use --all for all\n"
    for (words, lines, errors) in [
      ("", 100, count == 100 ? "" : note), ("--all", count, ""), ("--limit 99", 99, ""),
      ("--limit 100", 100, ""), ("--limit 101", count, ""), ("--limit 102", count, ""),
      ("--sort id", count, ""), ("--where action=rent", count, ""),
    ] {
      let ran = run("history --jsonl --fields id \(words)", url: "embedded:")
      #expect(ran.status == 0 && ran.lines.count == lines && ran.errors == errors, "\(words): \(ran)")
    }
  }

  @Test func pageOfAMapIsWrittenToStandardOutputOrAFile() {
    let ran = run("map --html -")
    #expect(ran.status == 0 && ran.output.hasPrefix("<!doctype html>\n") && ran.output.hasSuffix("</html>\n"))
    let filed = run("map --html \(home.file("map.html"))")
    #expect(filed.output == "\(home.file("map.html"))\n" && home.text("map.html") == ran.output)
  }

  /// A map has at least 20 columns.
  @Test(arguments: [(10, 17), (20, 17), (21, 18)]) func theWidthOfAMap(columns: Int, blanks: Int) {
    let ran = run("map --near 50.1195,8.6382 --color never", columns: columns)
    #expect(ran.status == 0 && ran.lines.first == String(repeating: " ", count: blanks) + "N↑", "\(ran)")
  }

  /// It has a row less than the terminal, but 8 at least and 60 at most.
  @Test(arguments: [(5, 8), (9, 8), (10, 9), (60, 59), (61, 60), (99, 60)])
  func theHeightOfAMap(rows: Int, lines: Int) {
    let output = MemorySink()
    let host = Host(
      environment: Environment(["HW_URL": "demo:"]), time: FakeClock(),
      input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(
        output, isTerminal: true, size: { WindowSize(columns: 40, rows: rows) }),
      errors: ErrorStream(MemorySink()))
    _ = Runner(.only("bikes", Bikes.suite), host).run { () throws(Failure) in
      ["bikes", "map", "--near", "50.1195,8.6382"]
    }
    #expect(output.text.utf8.count { $0 == UInt8(ascii: "\n") } == lines, "\(output.text)")
  }

  @Test func filesForOthersCanBeReadByThem() {
    #expect(run("export --gbfs \(home.file("feed"))").status == 0)
    #expect(home.names("feed").map { home.mode("feed/\($0)") } == [0o644, 0o644, 0o644, 0o644])
  }
}
