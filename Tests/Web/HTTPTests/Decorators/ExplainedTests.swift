import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct ExplainedTests {
  private func line(
    _ method: HTTP.Method, _ url: String, headers: Headers = [:], body: [UInt8] = [],
    secret: SecretSource? = .variable("HW_NBA_KEY")
  ) throws -> String {
    var lines: [String] = []
    let explained = ExplainingTransport(
      secrets: secret.map { ["Authorization": $0, "X-Authorization": $0] } ?? [:]
    ) { lines.append($0) }
    let request = try Request(method, HTTP.URL(url), headers: headers, body: body)
    #expect(throws: Failure.explained) { try explained.send(request) }
    #expect(lines.count == 1)
    return lines[0]
  }

  /// A line has the request, its fields, `body TEXT` and `secret SOURCE`; the next one is that of curl.
  @Test func linesAreAsRecorded() throws {
    try RecordedText.holdLines("curl.txt") { line in
      let parts = line.split(separator: " | ").map { $0.split(separator: " ", maxSplits: 2).map(String.init) }
      var headers: Headers = [:]
      var body: [UInt8] = []
      var source = SecretSource?.some(.variable("HW_NBA_KEY"))
      for part in parts.dropFirst() {
        let rest = part.dropFirst().joined(separator: " ")
        switch part[0] {
        case "body": body = Array(rest.utf8)
        case "secret":
          source =
            switch part[1] {
            case "variable": .variable(part[2])
            case "file": .file(part[2])
            case "setting": .setting(part[2])
            default: nil
            }
        default: headers.append(String(part[0].dropLast()), rest)
        }
      }
      let method = HTTP.Method(rawValue: parts[0][0]) ?? .get
      let url = parts[0].dropFirst().joined(separator: " ")
      return try self.line(method, url, headers: headers, body: body, secret: source)
    }
  }

  @Test func aCommentSaysWhatDependsOnTheResponse() throws {
    var lines: [String] = []
    let explained = ExplainingTransport(secrets: [:]) { lines.append($0) }
    var request = try Request(.get, HTTP.URL("https://host/x"))
    request.next = "GET /y\u{1B}"
    #expect(throws: Failure.explained) { try explained.send(request) }
    #expect(lines == ["curl https://host/x", "# then, with the response: GET /y\u{FFFD}"])
  }

  /// What the shell makes of the line is what stood in the request.
  @Test(.needs(.bash)) func printedCommandIsQuotedForTheShell() throws {
    let nasty = "a'b\"c$HOME`id`\\!*~ \n#é;&|<>(){}[]"
    var line = try line(
      .post, "https://host/a'b!$c~?api_key=k&x='", headers: ["X-Note": nasty, "Cookie": "s"],
      body: Array(nasty.utf8))
    // curl reads the header fields of a secret from a file.
    line =
      "curl() { for w; do case $w in @/*) cat \"${w#@}\"; printf '\\0' ;; *) printf '%s\\0' \"$w\" ;; esac; done; }; \(line)"
    let output = try Spawn.run(["env", "HW_API_KEY=K E Y", "HW_COOKIE=C", "bash", "-c", line])
    let words = output.split(separator: "\0").map(String.init)
    #expect(
      words == [
        "-H", "X-Note: \(nasty)", "-H", "Cookie: C", "--data-raw", nasty,
        "https://host/a'b!$c~?api_key=K E Y&x='",
      ])
  }

  @Test func closedPipeIsReported() throws {
    let closed = Failure(.closedPipe, "standard output was closed")
    let explained = ExplainingTransport(secrets: [:]) { _ throws(Failure) in throw closed }
    #expect(throws: closed) { try explained.send(.get("https://host/")) }
  }
}
