import Command
import Foundation
import JSON
import System
import TestSupport
import Testing

@testable import Toolbox
@testable import hw

/// What `hw check --self` says of a machine, but for the versions of its libraries.
@Suite struct SelfCheckTexts {
  private static let checks: Set = [
    "terminal", "locale", "configuration", "configuration folder", "data folder", "state folder",
    "cache folder", "proxies", "certificates", "clock", "completions",
  ]

  private static let machines: [(name: String, environment: [String: String], configuration: String)] = [
    ("a plain one", [:], ""),
    ("another language", ["LANG": "C", "LC_ALL": "de_DE.ISO-8859-1"], ""),
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
    ("a dumb terminal", ["TERM": "dumb"], ""), ("no colors", ["NO_COLOR": "1"], ""),
  ]

  @Test(arguments: [false, true])
  func areAsRecorded(onTerminal: Bool) throws {
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

  @Test(arguments: [true, false])
  func completionScriptsAreNamedAndOldOnesReported(isOld: Bool) throws {
    let home = try ScratchDirectory()
    let paths = [
      ".local/share/bash-completion/completions/hw", ".local/share/zsh/site-functions/_hw",
      ".local/share/fish/vendor_completions.d/hw.fish",
    ].map { home.file($0) }
    for (shell, path) in zip(Shell.allCases, paths) {
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      try File.replace(path, with: Array((shell.script(for: .hw) + (isOld ? "\n" : "")).utf8))
    }
    let ran = Ran(.hw, ["check", "--self", "--json"], environment: ["HOME": home.path])
    let check = try #require(
      try JSON.parse(ran.output).array.first { try $0["check"].string == "completions" })
    #expect(try check["result"].string == (isOld ? "warn" : "ok"))
    let found = try check["detail"].string.components(separatedBy: ", ").filter { $0.hasPrefix(home.path) }
    #expect(found == paths)
    let findings = try check["findings"].array.map { try $0.string }.filter { $0.contains(home.path) }
    #expect(
      findings
        == (isOld
          ? zip(paths, Shell.allCases).map {
            "'\($0)' is not of this version: create it again with 'hw completions \($1.rawValue)'"
          } : []))
  }

  private func check(_ name: String, _ home: ScratchDirectory, _ environment: [String: String] = [:]) throws
    -> JSON
  {
    let ran = Ran(
      .hw, ["check", "--self", "--json"], environment: environment.merging(["HOME": home.path]) { $1 })
    return try #require(try JSON.parse(ran.output).array.first { try $0["check"].string == name })
  }

  /// What commands refuse precedes what they pass over. A variable that sets several settings is named once.
  @Test func whatIsWrongWithTheConfiguration() throws {
    let home = try ScratchDirectory()
    try home.write("nodes.lang = xx\nnosuch = 1\n", to: ".config/hw/config")
    let check = try check("configuration", home, ["HW_LANG": "xx", "HW_NOSUCH": "1"])
    #expect(try check["result"].string == "FAIL")
    let path = home.file(".config/hw/config")
    let starts = [
      "'\(path)', line 1: 'nodes.lang' requires a language", "HW_LANG: 'lang' requires a language",
      "'\(path)', line 2: unknown setting 'nosuch'", "unknown variable 'HW_NOSUCH'",
    ]
    let findings = try check["findings"].array.map { try $0.string }
    #expect(findings.count == starts.count)
    #expect(zip(findings, starts).allSatisfy { $0.hasPrefix($1) }, "\(findings)")
  }

  /// Of the directory of the configuration only fish reads a script.
  @Test func theScriptInTheDirectoryOfFish() throws {
    let home = try ScratchDirectory()
    for shell in Shell.allCases {
      try home.write(shell.script(for: .hw), to: ".config/fish/completions/\(shell.fileName)")
    }
    let detail = try check("completions", home)["detail"].string
    #expect(
      detail.components(separatedBy: ", ").filter { $0.hasPrefix(home.path) } == [
        home.file(".config/fish/completions/hw.fish")
      ])
  }

  /// A directory that several settings name is searched once.
  @Test(arguments: Shell.allCases) func eachDirectoryOnce(shell: Shell) {
    let paths = shell.standardPaths(Environment(["HOME": "/h", "XDG_DATA_HOME": "/usr/share"]))
    #expect(Set(paths).count == paths.count)
    #expect(paths.filter { $0.hasPrefix("/usr/share/") } == ["/usr/share/\(shell.scriptPath)"])
    #expect(paths.first?.hasPrefix(shell == .fish ? "/h/.config/fish/" : "/usr/share/") == true)
  }
}
