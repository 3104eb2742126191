import Command
import Foundation
import Testing
import TestSupport

@testable import hw

/// Where hw is run by somebody who has little: no home, no streams, a folder that is gone, a terminal that can do nothing.
@Suite(.ownThread, .needs(.libsqlite3)) struct Surroundings {
  /// The number of a closed stream is not that of the next file: what is for a reader would be written into it.
  @Test(arguments: [(">&-", 10 as Int32), ("-v 2>&-", 0)])
  func closedStreamDoesNotCorruptNextFile(closing: String, status: Int32) throws {
    let home = try Home()
    let ending = try shell("hw serve -- sh -c 'hw nodes top --json --record saved \(closing)'", in: home)
    #expect(ending.status == status)
    let files = try shell("cd saved && head -n 1 *.exchange && grep -c '^< 200$' *.exchange", in: home)
    #expect(files.output == "# hw recording 2\n1\n", "\(files)")
  }

  @Test(
    arguments: [
      ("hw nodes top --tsv -n 1 <&-", 0, "rank"), ("hw wordle tiles <&-", 10, ""),
      ("hw --version >&-", 10, ""), ("hw nodes top --tsv -n 1 2>&-", 0, "rank"), ("hw nope >&- 2>&-", 2, ""),
      ("hw serve -- hw nodes top --tsv -n 1 <&-", 0, "rank"),
    ] as [(String, Int32, String)])
  func closedStreamsAreReported(line: String, status: Int32, begins: String) throws {
    let ending = try shell(line)
    #expect(ending.status == status)
    #expect(ending.output.hasPrefix(begins))
  }

  @Test(
    arguments: [
      ("hw nodes top -n 1 --tsv", 0, ""), ("hw serve -- hw nodes top -n 1 --tsv", 0, ""),
      ("hw bikes export --gbfs feed", 10, "cannot make folder 'feed'"),
    ] as [(String, Int32, String)])
  func deletedWorkingDirectoryIsTolerated(line: String, status: Int32, says: String) throws {
    let ending = try shell("mkdir gone && cd gone && rmdir ../gone && \(line)")
    #expect(ending.status == status)
    #expect(says.isEmpty || ending.errors.contains(says), "\(ending.errors)")
  }

  @Test(
    .enabled(if: geteuid() == 0), .needs(.setpriv),
    arguments: [
      ("nodes top -n 1 --tsv", 0, ""), ("serve -- ./open/hw nodes top -n 1 --tsv", 0, ""),
      ("config list --origin --tsv", 0, ""), ("nodes snapshot", 10, "cannot make folder"),
      ("config set timeout 3", 10, "cannot make folder"), ("race duration", 0, ""),
      ("wordle scores --url embedded:", 10, "cannot make folder"),
    ] as [(String, Int32, String)])
  func unwritableHomeIsTolerated(line: String, status: Int32, says: String) throws {
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
}

@Suite(.ownThread) struct TerminalOutput {
  @Test func tableFitsTerminalWidth() throws {
    let home = try Home()
    try home.write(
      #"[{"name":"日本語テキスト","note":"a\u001b[31mred\u202e","n":5},{"name":"x","note":"","n":12}]"#,
      to: "rows.json")
    let terminal = try Terminal(columns: 20)
    let ending = try Started(
      ["hw", "rows", "rows.json"], in: home, environment: ["TERM": "xterm", "HW_PAGER": "cat"],
      output: terminal.descriptor
    ).end()
    #expect(ending.status == 0)
    #expect(
      terminal.text
        == "\u{1B}[1mname\u{1B}[0m     \u{1B}[1mnote\u{1B}[0m      \u{1B}[1mn\u{1B}[0m\n日本語…  a\u{FFFD}[31m…   5\nx                 12\n"
    )
  }
}
