import Command
import Foundation
import TestSupport
import Testing

@testable import hw

/// Where hw is run by somebody who has little: no home, no streams, a folder that is gone, a terminal that can do nothing.
@Suite(.ownThread) struct Surroundings {
  /// The number of a closed stream is not that of the next file: what is for a reader would be written into it.
  @Test func aClosedOutputIsNotTheNextFile() throws {
    let home = try Home()
    let ending = try shell(
      "hw serve --race-seconds 1 -- sh -c 'hw race watch --no-history --jsonl --save saved >&-'", in: home)
    #expect(ending.status == 10)
    #expect(ending.errors.contains("cannot write 'standard output'"))
    let lines = home.text("saved").split(separator: "\n")
    #expect(Set(lines).count == lines.count)
  }

  @Test func closedErrorsAreNotTheNextFile() throws {
    let home = try Home()
    let ending = try shell(
      "hw serve --race-seconds 1 -- sh -c 'hw race watch --no-history -v --save saved 2>&-'", in: home)
    #expect(ending.status == 0)
    let lines = home.text("saved").split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("{") })
  }

  @Test(
    "Streams that are closed",
    arguments: [
      ("hw nodes top --tsv -n 1 <&-", 0, "rank"), ("hw wordle tiles <&-", 10, ""),
      ("hw --version >&-", 10, ""),
      ("hw nodes top --tsv -n 1 2>&-", 0, "rank"), ("hw nope >&- 2>&-", 2, ""),
      ("hw serve -- hw nodes top --tsv -n 1 <&-", 0, "rank"),
    ] as [(String, Int32, String)])
  func closed(line: String, status: Int32, begins: String) throws {
    let ending = try shell(line)
    #expect(ending.status == status)
    #expect(ending.output.hasPrefix(begins))
  }

  @Test(
    "Without a home, what needs none works, and the rest says what to set",
    arguments: [
      ("hw nodes top -n 1 --tsv", 0, ""), ("hw race duration", 0, ""), ("hw config list --origin", 0, ""),
      ("hw config list", 10, "set HOME or XDG_CONFIG_HOME"),
      ("hw config list", 10, "set HOME or XDG_CONFIG_HOME"),
      ("hw wordle scores --url embedded:", 10, "set HOME or XDG_DATA_HOME"),
      ("hw nodes snapshot", 10, "set HOME or XDG_STATE_HOME"),
      ("hw check --self", 1, ""),
    ] as [(String, Int32, String)])
  func homeless(line: String, status: Int32, says: String) throws {
    let ending = try shell("unset HOME; \(line)")
    #expect(ending.status == status)
    #expect(says.isEmpty || ending.errors.contains(says), "\(ending.errors)")
  }

  @Test(
    "In a folder that is gone",
    arguments: [
      ("hw nodes top -n 1 --tsv", 0, ""), ("hw serve -- hw nodes top -n 1 --tsv", 0, ""),
      ("hw bikes export --gbfs feed", 10, "cannot make folder 'feed'"),
    ] as [(String, Int32, String)])
  func folderless(line: String, status: Int32, says: String) throws {
    let ending = try shell("mkdir gone && cd gone && rmdir ../gone && \(line)")
    #expect(ending.status == status)
    #expect(says.isEmpty || ending.errors.contains(says), "\(ending.errors)")
  }

  @Test(
    "Folders that cannot be written: what is only kept for later is left out, what was asked for is refused",
    .enabled(if: geteuid() == 0), .needs(.setpriv),
    arguments: [
      ("nodes top -n 1 --tsv", 0, ""), ("serve -- ./open/hw nodes top -n 1 --tsv", 0, ""),
      ("config list --origin --tsv", 0, ""), ("nodes snapshot", 10, "cannot make folder"),
      ("config set timeout 3", 10, "cannot make folder"), ("race duration", 0, ""),
      ("wordle scores --url embedded:", 10, "cannot make folder"),
    ] as [(String, Int32, String)])
  func asSomebodyElse(line: String, status: Int32, says: String) throws {
    let ending = try shell(
      """
      mkdir -m 755 open && cp "$(command -v hw)" open/hw && mkdir -m 755 shut && chmod 755 .
      HOME=$PWD/shut setpriv --reuid=65534 --clear-groups ./open/hw \(line)
      """)
    // In a folder that others may not reach, there is nothing to see.
    if ending.status == 126 || ending.status == 127 { return }
    #expect(ending.status == status, "\(ending.errors)")
    #expect(says.isEmpty || ending.errors.contains(says), "\(ending.errors)")
  }

  /// A terminal that can do nothing is not handed to less, which would ask for a key and wait.
  @Test(arguments: ["dumb", nil])
  func aDumbTerminalHasNoPager(term: String?) throws {
    let terminal = try Terminal(columns: 80, rows: 5)
    let run = try Started(
      ["hw", "nodes", "top"], in: Home(), environment: ["TERM": term], input: terminal.descriptor,
      output: terminal.descriptor, errors: terminal.descriptor)
    #expect(run.end().status == 0)
    #expect(terminal.text.contains("Rank"))
  }

  @Test(
    "No line of a narrow terminal is longer than it",
    arguments: [
      "nodes top -n 2 --no-pager", "nba games LAL --limit 2 --no-pager", "config list --origin",
      "race status",
    ],
    [20, 40] as [UInt16])
  func narrow(words: String, columns: UInt16) throws {
    let terminal = try Terminal(columns: columns)
    let run = try Started(
      ["hw"] + words.split(separator: " ").map(String.init), in: Home(),
      environment: ["TERM": "dumb", "LANG": "pt_BR.UTF-8", "LC_ALL": nil], input: terminal.descriptor,
      output: terminal.descriptor)
    #expect(run.end().status == 0)
    let lines = terminal.text.split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
  }

  /// Help is set for the terminal it is read on, and for 80 columns elsewhere. What is to be typed stays whole.
  @Test(
    arguments: [(["help", "output"], 30), (["help", "output"], 79), (["wordle", "stats", "-h"], 40)]
      as [([String], UInt16)])
  func helpOnANarrowTerminal(words: [String], columns: UInt16) throws {
    let terminal = try Terminal(columns: columns)
    let run = try Started(
      ["hw"] + words, in: Home(), environment: ["TERM": "dumb"], output: terminal.descriptor)
    #expect(run.end().status == 0)
    let lines = terminal.text.split(separator: "\n").filter {
      !$0.contains("hw wordle") && !$0.contains("hw help")
    }
    #expect(lines.count > 5)
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
  }

  /// Every variable that is read anywhere in the source stands on the page about them.
  @Test func everyVariableIsTold() throws {
    let page = try shell("hw help environment").output
    let sources = GeneratedFiles.root.appending(path: "Sources").path
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    var names: Set<String> = []
    for file in files {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      for match in text.matches(of: /(?:environment|variables)\["([A-Za-z_]+)"\]/) {
        names.insert(String(match.output.1))
      }
    }
    #expect(names.count > 10)
    #expect(names.filter { !page.contains($0) } == [])
  }

  /// Where a person can be asked, nothing is lost before the answer: for every command that says that it may lose
  /// something, as it stands in its own examples.
  @Test(
    .needs(.setsid, .bash),
    arguments: Program.hw.allCommands.filter { $0.command.needs.contains(.loss) }.map(\.name))
  func nothingIsLostUnasked(name: String) throws {
    let command = try Program.hw.command(name.split(separator: " ").map(String.init))
    let example = try #require(command.examples.first { $0.command.contains("--yes") }?.command)
    let home = try Home()
    // What there is to lose: a setting, a race, a cached response, and snapshots of the demo service.
    let prepared = try shell(
      """
      set -e; hw config set nodes.lang de; hw serve race --race-seconds 1 -- hw race watch -q
      hw serve nodes -- hw nodes top -q --max-age 60; mkdir -p .local/state/hw/nodes; hw nodes snapshot --dry-run --tsv
      touch .local/state/hw/nodes/connectivity-2026-01-01T0000{01,02,03,04,05,06,07,08,09,10,11,12}Z-mainnet-demo%3A.json
      """, in: home, with: ["bash", "-c"])
    #expect(prepared.status == 0, "\(prepared.errors)")
    let terminal = try Terminal(columns: 100)
    let line = example.replacingOccurrences(of: " --yes", with: "")
      .replacingOccurrences(of: "race delete --keep 100", with: "race delete --keep 0")
      .components(separatedBy: " || ")[0]
    let run = try Started(
      ["setsid", "-c", "-w", "sh", "-c", line], in: home, environment: ["TERM": "xterm", "HW_PAGER": ""],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(terminal.see("[y/N]") != nil, "\(line)")
    terminal.type("n\n")
    #expect(run.end().status == 1)
    #expect(terminal.see("nothing was changed") != nil)
  }
}
