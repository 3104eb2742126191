import Foundation
import JSON
import TestSupport
import Testing

/// A configuration that people made: with quotes, comments, mistakes, and the line ends of another system.
@Suite(.ownThread) struct ConfigurationText {
  private func run(_ line: String, _ text: String) throws -> (ending: Ending, file: String) {
    let home = try Home()
    try text.write(toFile: "\(home.path)/c", atomically: true, encoding: .utf8)
    return (try shell("chmod 600 c; export HW_CONFIG=c; " + line, in: home), home.text("c"))
  }

  @Test(
    "a value in quotes, a comment behind it, a byte order mark, CR LF",
    arguments: [
      ("timeout = 5 # why\n", "5"), ("timeout = \"5\"\n", "5"), ("timeout='5'# why\n", "5"),
      ("timeout\t=\t5\t#\n", "5"),
      ("\u{FEFF}timeout = 5\r\n", "5"), ("\u{FEFF}# a\r\ntimeout = \"5\" # b\r\n", "5"),
    ]) func values(text: String, value: String) throws
  {
    #expect(try run("hw config get timeout", text).ending == Ending(status: 0, output: value + "\n"))
    #expect(
      try run("hw config list --origin --tsv | grep ^timeout", text).ending.output.hasPrefix("timeout\t5\t\t")
    )
  }

  @Test(
    "what is around a value that is changed stays",
    arguments: [
      ("timeout = 5  # why\r\nretries = 1\r\n", "timeout = 9  # why\r\nretries = 1\r\n"),
      ("timeout: 5\nwait = \"on\nretries = 1\n", "timeout = 9\nwait = \"on\nretries = 1\n"),
      ("nonsense\n= 3\n", "nonsense\n= 3\ntimeout = 9\n"), ("timeout = never\n", "timeout = 9\n"),
      ("timeouts\n", "timeouts\ntimeout = 9\n"),
    ]) func changes(text: String, changed: String) throws
  {
    let result = try run("hw config set timeout 9", text)
    #expect(result.ending.status == 0, "\(result.ending.errors)")
    #expect(result.file == changed)
  }

  @Test(
    "a value that needs quotes gets them, and is read back",
    arguments: ["a # b", "#a", " a ", "\"a", "'", "a\\ # \"b"])
  func quotes(value: String) throws {
    let quoted = value.replacingOccurrences(of: "'", with: "'\\''")
    let result = try run(
      "printf '%s\\n' '\(quoted)' | hw config set wordle.token - && hw config get wordle.token", "")
    #expect(result.ending == Ending(status: 0, output: value + "\n"))
  }

  private static let damaged = "timeout = never\nnonsense\nretries = 1\nnodes.lnag = de\n"

  @Test func aBadLineIsMarkedAndBlocksNothing() throws {
    for line in ["hw config list --origin --json", "hw config list --json"] {
      let ending = try run(line, ConfigurationText.damaged).ending
      let marked = try ending.json().array.filter { $0["problem"].orNull != nil }.map {
        try "\($0["name"].string) \($0["origin"].string)"
      }
      #expect(marked.contains("timeout c:1") && marked.contains(" c:2"), "\(marked)")
      #expect(ending.errors.contains("line 4: unknown setting 'nodes.lnag'; did you mean 'nodes.lang'?"))
    }
    #expect(try run("hw config unset retries --yes", ConfigurationText.damaged).ending.status == 0)
    #expect(try run("hw nodes top", ConfigurationText.damaged).ending.status == 10)
    #expect(try run("hw check --self", ConfigurationText.damaged).ending.status == 10)
    let check = try run("hw check --self --no-config", ConfigurationText.damaged).ending
    #expect(check.status == 1)
    #expect(check.output.contains("FAIL  hw: configuration\n      'c', line 2 is not 'name = value'\n"))
  }

  @Test func aBadVariableIsMarkedAndBlocksNothing() throws {
    let ending = try run(
      "export HW_TIMEOUT=never; hw config list --origin --tsv --no-header --fields origin,problem; hw config set retries 1",
      ""
    ).ending
    #expect(ending.status == 0 && ending.errors == "")
    let marked = ending.output.split(separator: "\n").filter { !$0.hasSuffix("\t") }
    #expect(marked.count == 1 && marked[0].hasPrefix("HW_TIMEOUT\t"), "\(marked)")
    #expect(try run("HW_TIMEOUT=never hw nodes top", "").ending.status == 2)
  }

  @Test(
    "what is suspicious is reported",
    arguments: [
      ("HW_TIMEOT=3 ", "", "unknown variable 'HW_TIMEOT'; did you mean 'HW_TIMEOUT'?"),
      ("HW_CONFIG=nowhere ", "", "HW_CONFIG names 'nowhere', which does not exist"),
      ("chmod 644 c; ", "nba.key = abc\n", "'c' holds a secret, and others can read it"),
    ]) func warnings(before: String, text: String, message: String) throws
  {
    let list = try run(before + "hw config list", text).ending
    #expect(list.status == 0)
    #expect(list.errors.contains(message))
    let check = try run(before + "hw check --self", text).ending
    #expect(check.output.contains("warn  hw: configuration\n") && check.output.contains(message))
  }

  @Test func nothingIsSuspiciousWithoutReason() throws {
    let variables =
      "HW_BIN=a HW_PAGER=cat HW_NODES_LANG=de HW_NBA_KEY=x HW_STORE=s HW_STORE_FROM=s HW_STORE_TO=t HW_TOKEN=t HW_RACE_TOKEN=t "
    #expect(try run(variables + "hw config list", "nba.key = abc\n").ending.errors == "")
  }

  /// By a name that the sources have as a literal, or that a declaration has.
  @Test func everyVariableThatIsReadIsDocumentedAndKnown() throws {
    let name = try Regex("HW_[A-Z_]+")
    let page = try shell("hw help environment").output
    let documented = Set(page.matches(of: name).map { String($0.0) }).subtracting(["HW_", "HW_CONFIG"])
    #expect(
      documented.isSuperset(of: ["HW_STORE", "HW_STORE_FROM", "HW_STORE_TO", "HW_SERVE_LOG", "HW_TOKEN"]))
    let literal = try Regex("\"HW_[A-Z_]+[A-Z]\"")
    let sources = GeneratedFiles.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var read: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      read.formUnion(text.matches(of: literal).map { String($0.0.dropFirst().dropLast()) })
    }
    #expect(
      read.contains("HW_TOKEN") && read.subtracting(documented).subtracting(["HW_CONFIG"]).isEmpty, "\(read)")
    let exported = documented.sorted().map { "export \($0)=1\n" }.joined()
    let list = try run("\(exported)hw config list", "").ending
    #expect(list.status == 0 && !list.errors.contains("unknown variable"), "\(list.errors)")
  }

  @Test func everySettingIsDocumented() throws {
    let help = try shell("hw help config").output
    let names = try shell("hw config list --origin --tsv --no-header --fields name").output
    for name in names.split(separator: "\n").dropFirst() where !name.hasSuffix(".url") {
      #expect(help.contains("\n  \(name) ") || help.contains("\n  \(name)\n"), "\(name)")
    }
  }
}
