import Foundation
import TestSupport
import Testing

/// `hw version`: the program, and the libraries that it finds.
@Suite(.ownThread) struct TheVersion {
  private func object(_ environment: [String: String?] = [:], _ line: String = "hw version --json") throws
    -> [String: Any]
  {
    let ending = try shell(line, environment: environment)
    #expect(ending.errors == "")
    #expect(ending.status == 0)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
  }

  @Test func asText() throws {
    #expect(try shell("hw version") == Ending(status: 0, output: "hw 0.9.0\n"))
    #expect(try shell("hw --version") == Ending(status: 0, output: "hw 0.9.0\n"))
  }

  /// The versions are those that the programs of the same libraries report.
  @Test(.needs(.curl, .sqlite3)) func libraries() throws {
    let libraries = try #require(try object()["libraries"] as? [String: Any])
    #expect(Set(libraries.keys) == ["curl", "sqlite", "libpq", "zlib"])
    let curl = try shell("curl --version | head -n 1").output
    #expect(curl.contains("libcurl/\(libraries["curl"] as? String ?? "none") "))
    if let zlib = libraries["zlib"] as? String { #expect(curl.contains("zlib/\(zlib) ")) }
    let sqlite = try shell("sqlite3 --version").output.split(separator: " ").first.map(String.init)
    #expect(libraries["sqlite"] as? String == sqlite)
  }

  /// A library for LD_PRELOAD in which `dlopen` prints the name to standard error, or nothing, and finds no library.
  private func makePreload(in home: Home, printing: Bool) throws {
    let source = """
      #include <stdio.h>
      void *dlopen(const char *name, int mode) {
        if (\(printing ? 1 : 0)) fprintf(stderr, "%s\\n", name);
        return NULL;
      }

      """
    try source.write(toFile: "\(home.path)/none.c", atomically: true, encoding: .utf8)
    let compiler = try #require(Tool.compiler.path)
    try #require(try shell("\(compiler) -shared -fPIC -o none.so none.c", in: home).status == 0)
  }

  /// A library that is not installed is null, and no error.
  @Test(.needs(.compiler)) func withoutLibraries() throws {
    let home = try Home()
    try makePreload(in: home, printing: false)
    let ending = try shell("LD_PRELOAD=$PWD/none.so hw version --json", in: home)
    #expect(ending.errors == "")
    #expect(
      ending.output.contains(#""libraries":{"curl":null,"sqlite":null,"libpq":null,"zlib":null}"#),
      "\(ending.output)")
  }

  /// The version as text opens no library.
  @Test(.needs(.compiler)) func textLoadsNothing() throws {
    let home = try Home()
    try makePreload(in: home, printing: true)
    for line in ["hw --version", "hw version"] {
      #expect(try shell("LD_PRELOAD=$PWD/none.so \(line)", in: home).errors == "")
    }
    #expect(try shell("LD_PRELOAD=$PWD/none.so hw version --json", in: home).errors.contains("libcurl"))
  }

  @Test func asATable() throws {
    let table = try shell("hw version --output table").output
    for heading in ["Name", "Version", "libcurl", "SQLite", "libpq", "zlib"] {
      #expect(table.contains(heading))
    }
  }
}
