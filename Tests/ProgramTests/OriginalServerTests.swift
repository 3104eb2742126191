import HTTP
import Server
import System
import TestSupport
import Testing

@testable import Command
@testable import Tools
@testable import hw

/// Responses of the original server of bikes, as `../bench/bikes-original.js` gives them: a request (`>`), the response, and
/// the name of the difference in `hw-routes(7)` if that of hw is another one (`!`).
@Suite(.needs(.libsqlite3)) struct OriginalServerExchanges {
  private static func router() throws -> Router {
    let suite = try #require(Program.hw.suites.first { $0.name == "bikes" })
    let time = FakeClock()
    return Router([
      try suite.backend(BackendSettings(store: .memory(time: time), hasSamples: false, time: time))
    ])
  }

  private static func respond(_ router: Router, to words: [String]) throws -> String {
    let body = words.count > 2 ? Array(words[2].utf8) : []
    var headers: Headers = [:]
    if !body.isEmpty { headers["Content-Type"] = words.count > 3 ? words[3] : "application/json" }
    let method = try #require(Method(rawValue: words[0]))
    let response = router.respond(
      to: Request(method, try URL("demo:\(words[1])"), headers: headers, body: body))
    return "\(response.status) \(response.text.trimmingSuffix { $0.isNewline })"
  }

  @Test func routeReferenceNamesEachDifference() throws {
    var router = try Self.router()
    var request = ""
    var differs = false
    var names: Set<String> = []
    var lines = RecordedText.text("original-bikes.txt").split(separator: "\n").map(String.init)
    lines.append("##")
    for line in lines {
      if line.hasPrefix("! ") {
        #expect(differs, "\(request) has the same response")
        names.insert(String(line.dropFirst(2)))
        differs = false
        continue
      }
      guard line.hasPrefix("> ") || line.hasPrefix("##") else {
        let response = try Self.respond(router, to: ShellWord.split(String(request.dropFirst(2))) ?? [])
        differs = response.trimmingSuffix { $0 == " " } != line
        continue
      }
      #expect(!differs, "\(request) has another response")
      request = line
      if line.hasPrefix("##") { router = try Self.router() }
    }
    #expect(names == Set(RouteReference.differences.map(\.name)))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
