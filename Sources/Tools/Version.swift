import Command
import Output
import System

extension Toolbox {
  static let version = Command(
    "version", "Print the version",
    output: .one(VersionRow.self, text: "The program and its version.").schemaVersion(4),
    examples: [Example("hw version", "print name and version")]
  ) { _, context throws(Failure) in
    try context.output.write(VersionRow(program: context.program))
  }
}

private struct VersionRow: Row {
  let program: Program

  static let fields: Fields<VersionRow> = [
    .text("name", "Name", "the program") { $0.program.name },
    .text("version", "Version", "its version, as in semantic versioning: 1.2.0, 1.2.0-rc.1") {
      $0.program.version
    },
  ]

  static let text: (@Sendable (VersionRow, Screen?) -> String)? = { row, _ in
    "\(row.program.name) \(row.program.version)"
  }
}
