import Command
import Output
import System

/// The commands that belong to no suite.
public enum Toolbox {
  /// `suites` are those that `hw serve` serves.
  public static func suite(serving suites: @escaping @Sendable () -> [Suite]) -> Suite {
    Suite(
      "", "Commands that belong to no suite",
      discussion: """
        Five suites turn five small services into commands that shell scripts, jq pipelines, cron jobs and CI checks \
        can trust: tables for people, JSON for programs, an exit status that says what happened.
        """,
      commands: [serve(suites), check, rows, schema, help, completions, version]
    )
  }
}

extension Toolbox {
  static let version = Command(
    "version", "Print the version",
    output: .one(VersionRow.self, text: "The program and its version."),
    examples: [Example("hw version --json", "the version as JSON")]
  ) { _, context throws(Failure) in
    try context.output.write(VersionRow(program: context.program))
  }
}

private struct VersionRow: Row {
  let program: Program

  static let fields: Fields<VersionRow> = [
    .text("name", "Name", "the program") { $0.program.name },
    .text("version", "Version", "its version: major.minor.patch") { $0.program.version },
  ]

  static let text: (@Sendable (VersionRow, Screen?) -> String)? = { row, _ in
    "\(row.program.name) \(row.program.version)"
  }
}
