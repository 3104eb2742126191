import Command
import System
import TestSupport
import Testing

@testable import hw

/// Every field of every list, on the sample data: selected, sorted by, and compared with its first and its last value.
/// What each operator and direction means for each kind of value is held by the tests of the output.
@Suite(.needs(.libsqlite3)) struct Fields {
  private static let lists: [[String]] = [
    ["race", "status"], ["nba", "teams"], ["nba", "games", "LAL", "--season", "2024"],
    ["nba", "players", "a"], ["nba", "standings"], ["bikes", "list"], ["wordle", "scores"], ["nodes", "top"],
    ["nodes", "search", "lu"], ["config", "list", "--no-config"],
  ]

  private let home: ScratchDirectory
  private let time = FakeClock(Timestamp(seconds: 1_736_960_400), offset: 3600)

  init() throws { home = try ScratchDirectory() }

  /// The lines of output, or what is wrong.
  private func run(_ words: [String]) -> [String] {
    let ran = Ran(
      .hw, words + ["--tsv", "--no-header"],
      environment: ["HOME": home.path, "HW_CONFIG": "/dev/null", "HW_URL": "demo:", "LC_ALL": "C.UTF-8"],
      time: time)
    guard ran.status == 0 else { return ["\(ran.status): \(ran.complaint)"] }
    return ran.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The first rows, and how many there are.
  private func shown(_ lines: [String]) -> String {
    let rows = lines.prefix(3).map { $0.count > 60 ? "\($0.prefix(60))…" : $0 }
    return "\(lines.count): " + rows.map { "[\($0)]" }.joined(separator: " ")
  }

  @Test(arguments: lists) func fieldsAreAsRecorded(list: [String]) throws {
    let command = try Program.hw.command(Array(list.prefix(2)))
    let isSorted = command.options.contains { $0.declaration.name == "sort" }
    var text = "hw \(list.joined(separator: " "))\n"
    for column in command.output.columns {
      let path = column.path
      text += "\(path)\n"
      func note(_ label: String, _ words: String...) {
        text += "  \(label) \(shown(run(list + ["--fields", path] + words)))\n"
      }
      let isSorted = isSorted && column.isSortable
      let order = isSorted ? ["--sort", path] : []
      let values = run(list + ["--fields", path] + order)
      text += "  \(isSorted ? "ascending" : "all") \(shown(values))\n"
      let filled = values.filter { !$0.isEmpty }
      for (sign, value) in [("=", filled.first), ("<", filled.last)] {
        if let value { note("\(sign)\(value.prefix(30))", "--where", "\(path)\(sign)\(value)") }
      }
      if filled.count < values.count { note("empty", "--where", "\(path)=") }
    }
    try RecordedText.hold("fields/\(list.prefix(2).joined(separator: "-")).txt", to: text)
  }
}
