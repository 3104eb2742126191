import Command
import Foundation
import JSON
import System
import TestSupport
import Testing

@testable import Tools
@testable import hw

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
