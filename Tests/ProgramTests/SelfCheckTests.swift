import Command
import Foundation
import JSON
import System
import TestSupport
import Testing

@testable import Tools
@testable import hw

/// What `hw check --self` says of a machine, but for the versions of its libraries.
@Suite struct SelfCheckTexts {
  private static let checks: Set = [
    "terminal", "locale", "configuration", "configuration folder", "data folder", "state folder",
    "cache folder", "proxies", "certificates", "clock",
  ]

  private static let machines: [(name: String, environment: [String: String], configuration: String)] = [
    ("a plain one", [:], ""),
    ("another language", ["LANG": "C", "LC_ALL": "de_DE.ISO-8859-1"], ""),
    ("the language of characters", ["LANG": "C", "LC_CTYPE": "C.utf8"], ""),
    ("another one of characters", ["LC_CTYPE": "C"], ""),
    ("one language for all", ["LC_ALL": "POSIX", "LC_CTYPE": "C.UTF-8"], ""),
    ("a language of a country", ["LANG": "de_DE.UTF8"], ""),
    ("without a language", ["LANG": ""], ""),
    (
      "settings that are wrong", ["HW_NBA_TIMEOUT": "x", "HW_RETRIES": "x", "HW_NOSUCH": "1"],
      "race.timeout = y\nnosuch = 1\nalias.nba = race\n"
    ),
    ("lines that are wrong", [:], "timeout\nalias.a = \"b\n"),
    ("a setting that is right", [:], "# mine\ntimeout = 9\n"),
    (
      "proxies", ["https_proxy": "http://user:secret@proxy:1", "NO_PROXY": "localhost", "ALL_PROXY": ""], ""
    ),
    ("certificates", ["SSL_CERT_FILE": "/proc/none", "SSL_CERT_DIR": "/proc"], ""),
    ("a bundle", ["CURL_CA_BUNDLE": "/proc/version", "SSL_CERT_FILE": "/proc/none"], ""),
    ("folders", ["XDG_DATA_HOME": "/proc/none", "XDG_CACHE_HOME": "relative"], ""),
    ("no home", ["HOME": ""], ""),
    ("a dumb terminal", ["TERM": "dumb"], ""), ("no terminal type", ["TERM": ""], ""),
    ("no colors", ["NO_COLOR": "1"], ""),
  ]

  @Test(arguments: [false, true])
  func selfChecksAreAsRecorded(onTerminal: Bool) throws {
    var text = ""
    for (name, changes, configuration) in Self.machines {
      let home = try ScratchDirectory()
      try FileManager.default.createDirectory(
        atPath: home.file(".config/hw"), withIntermediateDirectories: true)
      if !configuration.isEmpty {
        try File.replace(home.file(".config/hw/config"), with: Array(configuration.utf8))
      }
      let environment = ["HOME": home.path, "LANG": "C.UTF-8", "TERM": "xterm", "HW_URL": "demo:"]
      let ran = Ran(
        .hw, ["check", "--self", "--json"],
        environment: environment.merging(changes) { $1 }.filter { $1 != "" },
        time: FakeClock(), terminal: onTerminal ? [.output] : [], columns: onTerminal ? 90 : nil)
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
    try RecordedText.hold("self-checks\(onTerminal ? "-terminal" : "").txt", to: text)
  }

  @Test(arguments: [(1_767_225_599, "FAIL"), (1_767_225_600, "ok")] as [(Int64, String)])
  func clockBeforeReleaseFails(seconds: Int64, result: String) throws {
    let home = try ScratchDirectory()
    let ran = Ran(
      .hw, ["check", "--self", "--tsv", "--fields", "check,result"], environment: ["HOME": home.path],
      time: FakeClock(Timestamp(seconds: seconds)))
    #expect(ran.lines.contains("clock\t\(result)"))
  }
}
