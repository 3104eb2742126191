import Foundation
import TestSupport
import Testing

/// `hw version`: the program, and the libraries that it finds.
@Suite(.ownThread) struct VersionCommand {
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
  @Test(.needs(.compiler)) func missingLibrariesAreNull() throws {
    let home = try Home()
    try makePreload(in: home, printing: false)
    let ending = try shell("LD_PRELOAD=$PWD/none.so hw version --json", in: home)
    #expect(ending.errors == "")
    #expect(
      ending.output.contains(#""libraries":{"curl":null,"sqlite":null,"libpq":null,"zlib":null}"#),
      "\(ending.output)")
  }

  /// The version as text opens no library.
  @Test(.needs(.compiler)) func textVersionLoadsNoLibrary() throws {
    let home = try Home()
    try makePreload(in: home, printing: true)
    for line in ["hw --version", "hw version"] {
      #expect(try shell("LD_PRELOAD=$PWD/none.so \(line)", in: home).errors == "")
    }
    #expect(try shell("LD_PRELOAD=$PWD/none.so hw version --json", in: home).errors.contains("libcurl"))
  }
}
