import Foundation
import TestSupport
import Testing

@testable import Command
@testable import Output
@testable import Terminal
@testable import hw

/// The tables that people read, on a terminal of 80 columns and without color.
@Suite(.needs(.libsqlite3)) struct ReadableTables {
  private static let lists = [
    "nodes top", "nodes search a", "nba teams", "nba games LAL --limit 30", "nba games LAL --upcoming",
    "nba players --limit 30", "nba standings", "bikes list --near 50.1195,8.6381 --include-rented",
    "bikes history", "wordle scores -o table", "wordle ranking", "wordle players", "race status",
    "config list --origin",
  ]

  private func lines(_ line: String, _ environment: [String: String]) -> [String] {
    let words = line.split(separator: " ").map(String.init) + ["--no-pager"]
    let ran = Ran(
      .hw, words, environment: environment.merging(["HW_URL": "demo:"]) { first, _ in first },
      terminal: [.output], columns: 80)
    #expect(ran.status == 0, "\(ran.errors)")
    return ran.output.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n").map(String.init)
  }

  @Test(arguments: lists) func defaultFieldsFitEightyColumns(_ line: String) throws {
    let lines = lines(line, [:])
    for line in lines { #expect(DisplayWidth.of(line) <= 80, "\(line)") }
    let words = line.split(separator: " ").map(String.init)
    let columns = try Program.hw.command(Array(words.prefix(2))).output.columns.filter(\.isShown)
    // Numbers and dates are whole: only names are cut.
    for column in columns { #expect(lines[0].contains(column.title), "\(column.title)") }
  }

  /// With names of 16 cells and times as days, each list still fits.
  @Test func namesKeepSixteenCells() {
    for (name, command) in Program.hw.allCommands where command.output.list?.arrival != .inside {
      guard command.output.list != nil, name != "store verify" else { continue }
      let columns = command.output.columns.filter(\.isShown)
      let widths = columns.map { max($0.title.count, ReadableTables.cells($0)) }
      #expect(widths.reduce(0, +) + 2 * (columns.count - 1) <= 80, "hw \(name): \(widths)")
    }
  }

  /// The cells of a usual value, and of a long name so many as a table leaves it.
  private static func cells(_ column: Column) -> Int {
    switch column.type {
    case .text where !column.values.isEmpty: column.values.map(\.count).max() ?? 0
    case .text where column.path == "id" || column.path == "bike": 5
    case .text where column.path == "pin": 4
    case .choice(let names): names.map(\.count).max() ?? 0
    case .text where column.scale != nil: 6
    case .day, .time: 10
    case .integer, .number: 4
    case .flag: 6
    case .text, .list, .record, .byName, .object, .any: 16
    }
  }

  @Test(arguments: lists) func factsDoNotDependOnColorOrLocale(_ line: String) {
    let plain = ["LC_ALL": "C", "NO_COLOR": "1", "TERM": "dumb"]
    let colored = ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"]
    #expect(lines(line, plain) == lines(line, colored))
  }
}
