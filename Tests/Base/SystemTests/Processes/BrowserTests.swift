import Foundation
import TestSupport
import Testing

@testable import System

@Suite struct BrowserTests {
  private func environment(_ browser: String?, path: String) -> Environment {
    var variables = ["PATH": path]
    variables["BROWSER"] = browser
    return Environment(variables)
  }

  @Test(
    "The command is that of BROWSER with its options, or else xdg-open",
    arguments: [
      ("/bin/sh", ["/bin/sh"]), ("/bin/sh --new-window  -x", ["/bin/sh", "--new-window", "-x"]),
      ("sh -c", ["sh", "-c"]), ("/nonexistent --new-window", nil), ("", nil), (" ", nil), (nil, nil),
    ] as [(String?, [String]?)])
  func command(browser: String?, words: [String]?) throws {
    #expect(Browser.command(environment(browser, path: "/bin:/usr/bin")) == words ?? fallback)
    #expect(
      Browser.command(environment(browser, path: "/nonexistent"))
        == (browser?.hasPrefix("/bin") == true ? words : nil))
  }

  /// The machine of the test may have one.
  private var fallback: [String]? {
    ["/bin", "/usr/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/xdg-open") }
      ? ["xdg-open"] : nil
  }

  @Test func browserThatCannotBeStartedIsReported() {
    let address = "https://example.org/"
    #expect(Browser.open(address, environment("true --new-window", path: "/bin:/usr/bin")) == nil)
    #expect(
      Browser.open(address, environment("/nonexistent", path: "/nonexistent"))
        == "no browser is installed: open https://example.org/ yourself")
    #expect(
      Browser.open("https://a/\0", environment("true", path: "/bin:/usr/bin"))
        == "cannot run 'true': invalid argument")
  }

  /// Writes what it was started with beside itself: its arguments, descriptors and process group.
  private static let script = """
    in=$(readlink /proc/$$/fd/0)
    out=$(readlink /proc/$$/fd/1)
    errors=$(readlink /proc/$$/fd/2)
    group=$(cut -d' ' -f5 /proc/$$/stat)
    cat >/dev/null 2>&1 || exit 3
    echo "$*,$in,$out,$errors,$group" >"$0.new" && mv "$0.new" "$0.seen"
    """

  @Test func browserReceivesAddressAndNullStreams() throws {
    let scratch = try ScratchDirectory()
    try scratch.write(BrowserTests.script, to: "open")
    let address = "https://example.org/?a=b&c=d e"
    let seen = "--new \(address),/dev/null,/dev/null,/dev/null,"
    // It leads a group of its own, and is waited for by another thread.
    let browser = environment("sh \(scratch.file("open")) --new", path: "/bin:/usr/bin")
    #expect(Browser.open(address, browser) == nil)
    let started = try scratch.wait(for: "open.seen")
    #expect(started.hasPrefix(seen) && !started.hasSuffix(",\(getpgid(0))\n"))
    let leader = try #require(started.split(separator: ",").last.flatMap { Int32($0.trimmed) })
    try waitUntil("the end of the browser to be noted") { !File.exists("/proc/\(leader)") }
  }
}
