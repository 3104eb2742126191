import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// What a client gets for each request, and what the log says of it, byte by byte. Control characters are visible: `␍`
/// and `␊` end the lines of a head, and `␄` is the end of a text that has none.
@Suite(.ownThread) struct ExchangedBytes {
  private static func visible(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": shown += "␍"
      case "\n": shown += "␊\n"
      default:
        shown.unicodeScalars.append(
          scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar)
      }
    }
    return shown.hasSuffix("\n") ? shown : "\(shown)␄\n"
  }

  /// The text that is shown so. `{9 a}` is a letter nine times.
  private static func hidden(_ shown: some StringProtocol) -> String {
    shown.replacing("␊\n", with: "\n").replacing("␄\n", with: "")
      .replacing(/\{(\d+) (.)\}/) { String(repeating: String($0.output.2), count: Int($0.output.1) ?? 0) }
      .replacing(/[\u{2400}-\u{241F}]/) { match in
        match.output.unicodeScalars.first.flatMap { Unicode.Scalar($0.value - 0x2400) }.map { String($0) }
          ?? ""
      }
  }

  /// The requests are those of `wire.txt`, each to a server of its own.
  @Test func exchangesAreAsRecorded() throws {
    let requests = RecordedText.text("wire.txt").split(separator: "--- request\n").compactMap {
      $0.split(separator: "--- response").first
    }
    for (name, isPublic) in [("wire", false), ("wire-public", true)] {
      let text = try requests.map { try exchange($0, isPublic: isPublic) }.joined()
      let hidden = text.replacing(/[0-9a-f]{12}-/, with: "ID-").replacing(
        /127\.0\.0\.1:\d{4,5}/, with: "ADDRESS")
      try RecordedText.hold("\(name).txt", to: hidden)
    }
  }

  private func exchange(_ request: Substring, isPublic: Bool) throws -> String {
    var log: [String] = []
    let stepped = try SteppedServer {
      $0.origins.isPublic = isPublic
      $0.log = { record in
        let facts = [
          record.suite, record.method?.rawValue, record.target, "\(record.status)", "\(record.bytes)",
        ]
        log.append(
          facts.map { $0 ?? "-" }.joined(separator: " ") + (record.failure.map { ", \($0.kind)" } ?? ""))
      }
      $0.logFailure = { log.append("failure: \($0.message)") }
    }
    let client = try stepped.exchange(ExchangedBytes.hidden(request))
    return "--- request\n\(request)--- response\(client.isClosed ? ", closed" : "")\n"
      + ExchangedBytes.visible(client.text) + log.map { "--- log: \($0)\n" }.joined()
  }
}
