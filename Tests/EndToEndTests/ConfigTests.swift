import Foundation
import TestSupport
import Testing

/// `hw config`: the file that people edit by hand as well.
@Suite(.ownThread) struct ConfigCommands {
  /// Runs a line in a home with this configuration, and says what became of the file.
  private func run(_ line: String, with text: String? = nil) throws -> (ending: Ending, file: String) {
    let home = try Home()
    if let text {
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/.config/hw", withIntermediateDirectories: true)
      try text.write(toFile: "\(home.path)/.config/hw/config", atomically: true, encoding: .utf8)
    }
    return (try shell(line, in: home), home.text(".config/hw/config"))
  }

  private static let edited = "# mine\n\nnodes.lang=de\n; old\n  timeout = 7  \n"

  @Test(
    "Comments, blank lines and order stay",
    arguments: [
      ("hw config set nodes.lang fr", "# mine\n\nnodes.lang = fr\n; old\n  timeout = 7  \n"),
      ("hw config set retries 1", "# mine\n\nnodes.lang=de\n; old\n  timeout = 7  \nretries = 1\n"),
      ("hw config unset timeout", "# mine\n\nnodes.lang=de\n; old\n"),
      ("hw config unset retries", edited),
    ] as [(String, String)])
  func edits(_ line: String, _ file: String) throws {
    let result = try run(line, with: ConfigCommands.edited)
    #expect(result.ending == Ending(status: 0))
    #expect(result.file == file)
  }

  @Test(
    "What cannot be is refused, and the file left as it is",
    arguments: [
      ("hw config set nodes.lnag de", 2, "did you mean 'nodes.lang'?"),
      ("hw config get nodes.lnag", 2, "did you mean 'nodes.lang'?"),
      ("hw config unset nodes.lnag", 2, "did you mean 'nodes.lang'?"),
      ("hw config set timeout never", 2, "'timeout' requires a number of seconds"),
      ("hw config set nodes.lang xx", 2, "'nodes.lang' requires a language"),
      ("hw config set wait maybe", 2, "'wait' requires on or off"),
      ("hw config set serve.listen x", 2, "'serve.listen': malformed address 'x'\n    write 127.0.0.1:7400"),
      ("hw config set serve.metrics-listen x", 2, "'serve.metrics-listen': malformed address 'x'"),
      ("hw config set serve.public-url x", 2, "'serve.public-url' requires an http or https address"),
      (
        "hw config set store mysql://ann:hush@h/d", 2,
        "'store' requires a directory or a PostgreSQL database, not 'mysql:'"
      ),
      (
        "echo 'host=h password=hush' | hw config set store -", 2,
        "'store' requires a directory or a PostgreSQL database, not 'host='"
      ),
      ("hw config set serve.host http://x", 2, "'serve.host' requires a host name"),
      ("hw config set url \"$(printf 'a\\nb')\"", 2, "control characters"),
      ("hw config set wordle.token secret", 2, "is a secret"),
      ("hw config set timeout", 2, "missing operand VALUE"),
      ("hw config get retries", 3, "its default is 2"),
      ("hw config get wordle.token", 3, "set it with 'hw config set wordle.token -'\n"),
      ("hw config get alias.x", 3, "set it with 'hw config set alias.x VALUE'\n"),
    ] as [(String, Int32, String)])
  func refusals(_ line: String, _ status: Int32, _ says: String) throws {
    let result = try run(line, with: ConfigCommands.edited)
    #expect(result.ending.status == status)
    #expect(result.ending.errors.contains(says))
    #expect(result.file == ConfigCommands.edited)
  }

  @Test(
    "A damaged file is named with its line, and never overwritten",
    arguments: ["hw nodes top", "hw wordle scores --timeout 3"],
    ["timeout = 7\nnonsense\n", "timeout = 7\n= 3\n", "timeout = 7\na\u{1}b = 3\n"])
  func damage(_ line: String, _ text: String) throws {
    let result = try run(line, with: text)
    #expect(result.ending.status == 10)
    #expect(result.ending.output == "")
    #expect(result.ending.errors.contains("config', line 2 "))
    #expect(result.file == text)
  }

  @Test func withoutTheFile() throws {
    #expect(try run("hw nodes top -n 1 --no-config", with: "nonsense\n").ending.status == 0)
    #expect(try run("hw config list --no-config", with: "nonsense\n").ending.status == 0)
  }

  /// As under su: HOME is somebody else's, and may not even be entered.
  @Test(.enabled(if: geteuid() == 0), .needs(.setpriv))
  func aHomeThatMayNotBeEntered() throws {
    let home = try Home()
    let line = """
      mkdir -m 755 open && cp "$(command -v hw)" open/hw && mkdir -p shut/.config/hw && chmod 700 shut && chmod 755 .
      HOME=$PWD/shut setpriv --reuid=65534 --clear-groups ./open/hw nodes top -n 1 --demo --tsv
      """
    let ending = try shell(line, in: home)
    // In a folder that others may not reach, there is nothing to see.
    if ending.status == 126 || ending.status == 127 { return }
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Root may read everything, so it becomes another user.
  @Test(arguments: [
    ("nodes top -n 1 --demo", 10), ("nodes top -n 1 --demo --no-config", 0), ("config list", 10),
    ("config list --origin", 10), ("config get timeout", 10), ("config set timeout 6", 10),
  ])
  func aDirectoryThatMayNotBeEntered(words: String, status: Int32) throws {
    let line = """
      mkdir -m 755 open && cp "$(command -v hw)" open/hw && mkdir -p own/.config/hw || exit
      echo timeout = 5 >own/.config/hw/config; chmod 755 . own own/.config; chmod 000 own/.config/hw
      HOME=$PWD/own \(geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : "") ./open/hw \(words)
      status=$?; chmod 755 own/.config/hw; exit $status
      """
    let ending = try shell(line)
    // In a folder that others may not reach, there is nothing to see.
    if ending.status == 126 || ending.status == 127 { return }
    #expect(ending.status == status, "\(ending)")
    if status == 10 {
      #expect(ending.output == "")
      #expect(ending.errors.hasPrefix("hw: cannot "), "\(ending.errors)")
      #expect(ending.errors.contains("/own/.config/hw/config"), "\(ending.errors)")
      #expect(ending.errors.contains("permission denied"), "\(ending.errors)")
    }
  }

  /// A value that no option takes is blamed on its line, and can be mended.
  @Test func aWrongValue() throws {
    let wrong = try run("hw nodes top", with: "# a\ntimeout = never\n")
    #expect(wrong.ending.status == 2)
    #expect(wrong.ending.errors.contains("config:2: timeout' requires a number of seconds"))
    #expect(try run("hw config set timeout 5", with: "timeout = never\n").file == "timeout = 5\n")
  }

  @Test(
    "The order of precedence",
    arguments: [
      ("hw config list --origin --timeout 1", "1\t--timeout"),
      ("hw config list --origin --no-timeout", "30\t--no-timeout"),
      ("HW_TIMEOUT=2 hw config list --origin", "2\tHW_TIMEOUT"),
      ("hw config list --origin", "7\t.config/hw/config:5"),
      ("hw config list --origin --no-config", "30\tdefault"),
    ] as [(String, String)])
  func origins(_ line: String, _ row: String) throws {
    let ending = try run("\(line) --tsv --no-header", with: ConfigCommands.edited).ending
    let found =
      ending.output.split(separator: "\n").first { $0.hasPrefix("timeout\t") }.map(String.init) ?? ""
    let parts = row.split(separator: "\t")
    #expect(found.hasPrefix("timeout\t\(parts[0])\t"))
    #expect(found.hasSuffix(parts[1]))
  }

  @Test(
    "A setting of one suite goes before one of all, a variable before the file",
    arguments: [
      ("", "Tokio"), ("HW_LANG=fr ", "Tokyo"), ("HW_LANG=fr HW_NODES_LANG=ru ", "Токио"),
    ] as [(String, String)])
  func strength(_ variables: String, _ shown: String) throws {
    let result = try run("\(variables)hw nodes top -n 1", with: "lang = zh-CN\nnodes.lang = de\n")
    #expect(result.ending.output.contains(shown))
  }

  @Test(
    "A value from standard input is its first line, without the line end and a byte order mark",
    arguments: ["de\\n", "de\\r\\n", "de", "de\\r\\nfr\\r\\n", "\\357\\273\\277de\\r\\n"])
  func standardInput(_ text: String) throws {
    let result = try run("printf '\(text)' | hw config set nodes.lang -")
    #expect(result.ending == Ending(status: 0))
    #expect(result.file == "nodes.lang = de\n")
  }

  @Test(
    "A secret in a file is its first line that is not empty", arguments: ["4711", "\\r\\n4711\\r\\n5\\r\\n"])
  func secretFile(_ text: String) throws {
    let result = try run(
      """
      printf '\(text)' >pin && chmod 600 pin &&
      hw bikes add --name W --frame-color red --pin-file pin --at 50,8 --fields name --tsv --no-header
      """)
    #expect(result.ending == Ending(status: 0, output: "W\n"))
  }

  @Test func secrets() throws {
    let result = try run(
      "echo s3cret | hw config set wordle.token - && hw config list --origin && hw config list --json")
    #expect(result.file == "wordle.token = s3cret\n")
    #expect(!result.ending.output.contains("s3cret"))
    #expect(result.ending.output.contains("********"))
    let sent = try run("hw wordle scores --url http://127.0.0.1:1 --explain", with: "wordle.token = s3cret\n")
    #expect(sent.ending.status == 0)
  }

  @Test(
    "Of two lines of one name the last one counts, and unset removes both",
    arguments: [
      ("hw config get timeout", "2\n", "timeout = 1\nretries = 3\ntimeout = 2\n"),
      ("hw config set timeout 4; hw config get timeout", "4\n", "timeout = 1\nretries = 3\ntimeout = 4\n"),
      ("hw config unset timeout --yes; hw config get timeout", "", "retries = 3\n"),
    ])
  func twoLinesOfOneName(line: String, output: String, file: String) throws {
    let result = try run(line, with: "timeout = 1\nretries = 3\ntimeout = 2\n")
    #expect(result.ending.output == output)
    #expect(result.file == file)
  }

  @Test func theLastOfTwoLinesIsInForce() throws {
    let line = "hw config list --origin --tsv --no-header | grep '^timeout'"
    let ending = try run(line, with: "timeout = 1\ntimeout = 2\n").ending
    #expect(ending.output.hasPrefix("timeout\t2\t") && ending.output.hasSuffix("/config:2\n"), "\(ending)")
  }

  /// A secret is masked there as well.
  @Test(
    "unset --dry-run prints what would go and changes nothing",
    arguments: [
      ("timeout = 7\n", "timeout", ":1: timeout = 7\n"),
      ("# mine\nwordle.token = s3cret\n", "wordle.token", ":2: wordle.token = ********\n"),
      ("timeout = 7\n", "retries", ""), ("timeout = 1\ntimeout = 2\n", "timeout", ":2: timeout = 2\n"),
    ])
  func dryRun(text: String, name: String, printed: String) throws {
    let result = try run("hw config unset \(name) --dry-run", with: text)
    #expect(result.file == text)
    #expect(result.ending.status == 0)
    #expect(
      result.ending.output.split(separator: "\n").count == text.components(separatedBy: "\(name) =").count - 1
    )
    #expect(result.ending.output.hasSuffix(printed) && result.ending.output.isEmpty == printed.isEmpty)
    #expect(!(result.ending.output + result.ending.errors).contains("s3cret"))
  }

  /// Eight at once: no setting is lost.
  @Test func inParallel() throws {
    let line = """
      for s in timeout deadline retries max-age nodes.timeout nodes.retries wordle.timeout wordle.retries; do
      hw config set $s 3 & done; wait; hw config list --tsv --no-header | wc -l
      """
    #expect(try run(line).ending.output.split(separator: " ").joined() == "9\n")
  }

  @Test func permissionsAndLinks() throws {
    let line = """
      mkdir -p dots .config/hw; echo '# dots' >dots/hw; ln -s ../../dots/hw .config/hw/config
      hw config set timeout 5; cat dots/hw; test -L .config/hw/config && ls -l dots/hw | cut -c 1-10
      """
    #expect(try run(line).ending.output == "# dots\ntimeout = 5\n-rw-------\n")
  }

  @Test func anotherFile() throws {
    let line =
      "export HW_CONFIG=mine; hw config set nodes.lang de; hw config list --tsv; cat mine; hw nodes top -n 1"
    let ending = try run(line).ending
    let list = "name\tvalue\tproblem\torigin\nHW_CONFIG\tmine\t\tHW_CONFIG\nnodes.lang\tde\t\tmine:1\n"
    #expect(ending.output.hasPrefix("\(list)nodes.lang = de\n"))
    #expect(ending.output.contains("Tokio"))
  }

  /// A name that was a setting once stops no command, is reported by the list, and can be removed.
  @Test func unknownNamesAreReportedAndRemoved() throws {
    let text = "nodes.lnag = de\nserve.cors = https://app.example\n"
    #expect(try run("hw nodes top -n 1 -q >/dev/null", with: text).ending == Ending(status: 0))
    let ending = try run("hw config list", with: text).ending
    #expect(ending.status == 0)
    #expect(ending.errors.contains("line 1: unknown setting 'nodes.lnag'; did you mean 'nodes.lang'?"))
    #expect(ending.errors.contains("line 2: unknown setting 'serve.cors'"))
    #expect(try run("hw config unset serve.cors --yes", with: text).file == "nodes.lnag = de\n")
  }
}
