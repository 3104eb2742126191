import Foundation
import Testing

@testable import System

@Suite struct TheBrowser {
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

  @Test func aBrowserThatFailsIsAFailure() {
    func failure(_ browser: String, path: String) -> Failure? {
      do throws(Failure) {
        try Browser.open("https://example.org/", environment(browser, path: path))
        return nil
      } catch {
        return error
      }
    }
    #expect(failure("true --new-window", path: "/bin:/usr/bin") == nil)
    for (browser, path) in [("false", "/bin:/usr/bin"), ("/nonexistent", "/nonexistent")] {
      let failed = failure(browser, path: path)
      #expect(failed?.message == "no browser could be opened")
      #expect(failed?.hint == "open it yourself: https://example.org/")
    }
  }
}
