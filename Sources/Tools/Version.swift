import Command
import HTTP
import Output
import Store
import System

extension Toolbox {
  static let version = Command(
    "version", "Print the version",
    discussion: """
      JSON and other formats add the versions of the libraries that hw loads on first use; null is one that is not \
      installed. libcurl is for https and proxies, SQLite for local data, and libpq for a PostgreSQL store. zlib is \
      the one of libcurl.
      """,
    output: .one(VersionRow.self, text: "The program and its version.").schemaVersion(3),
    examples: [
      Example("hw version", "print name and version"),
      Example("hw version --json | jq .libraries", "list the versions of the libraries"),
    ]
  ) { _, context throws(Failure) in
    try context.output.write(VersionRow(program: context.program))
  }
}

/// The getters load the libraries, so the text format loads none.
private struct VersionRow: Row {
  let program: Program

  static let fields: Fields<VersionRow> = [
    .text("name", "Name", "the program") { $0.program.name },
    .text("version", "Version", "its version: major.minor.patch") { $0.program.version },
    .text(
      "libraries.curl", "libcurl", "the version of libcurl, or null",
      orNull: { _ in Libraries.curl["libcurl"] }),
    .text(
      "libraries.sqlite", "SQLite", "the version of SQLite, or null",
      orNull: { _ in try? Database.libraryVersion() }),
    .text(
      "libraries.libpq", "libpq", "the version of libpq, or null",
      orNull: { _ in try? Database.postgreSQLLibraryVersion() }),
    .text(
      "libraries.zlib", "zlib", "the version of zlib in libcurl, or null",
      orNull: { _ in Libraries.curl["zlib"] }),
  ]

  static let text: (@Sendable (VersionRow, Screen?) -> String)? = { row, _ in
    "\(row.program.name) \(row.program.version)"
  }
}

private enum Libraries {
  /// The parts of libcurl's own text, such as `libcurl/8.5.0 OpenSSL/3.0.13 zlib/1.3`.
  static var curl: [String: String] {
    var versions: [String: String] = [:]
    for part in ((try? CurlTransport.version()) ?? "").split(separator: " ") {
      let words = part.split(separator: "/")
      if words.count == 2 { versions[String(words[0])] = String(words[1]) }
    }
    return versions
  }
}
