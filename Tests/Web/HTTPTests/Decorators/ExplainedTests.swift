import Foundation
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

  @Test(
    arguments: [
      (.get, "https://host/x", "curl https://host/x"),
      (.head, "https://host/x", "curl --head https://host/x"),
      (.post, "https://host/x", "curl -X POST https://host/x"),
      (.delete, "https://host/x", "curl -X DELETE https://host/x"),
      (.get, "https://host/x?a=1&b=2", "curl 'https://host/x?a=1&b=2'"),
      (.get, "https://host/x?team_ids[]=14", "curl --globoff 'https://host/x?team_ids[]=14'"),
      (.get, "https://host/it's", "curl 'https://host/it'\\''s'"),
      (.get, "https://host/x?api_key=abc&page=2", "curl \"https://host/x?api_key=$HW_API_KEY&page=2\""),
      (.get, "https://host/x!?api_key=abc", "curl 'https://host/x!?api_key='\"$HW_API_KEY\""),
      (.get, "http://[::1]:7400/x", "curl 'http://[::1]:7400/x'"),
      (.get, "unix:/run/hw.sock:/scores", "curl --unix-socket /run/hw.sock http://localhost/scores"),
      (.get, "unix:/run/h w.sock", "curl --unix-socket '/run/h w.sock' http://localhost/"),
      (.get, "demo:/scores", "# GET demo:/scores: handled within hw, without a request"),
      (
        .get, "embedded::/scores?token=abc",
        "# GET embedded:/scores?token=•••: handled within hw, without a request"
      ),
      (.get, "embedded:/d:/x", "# GET embedded:/d:/x: handled within hw, without a request"),
      (.get, "https://host", "curl https://host"),
      (.get, "https://host/x?%74oken=abc", "curl \"https://host/x?%74oken=$HW_TOKEN\""),
      (.get, "https://host/x?key%FF=abc", "curl \"https://host/x?key%FF=$HW_KEY_FF\""),
    ] as [(HTTP.Method, String, String)])
  func printsTheRequestAsOneLine(method: HTTP.Method, url: String, expected: String) throws {
    #expect(try line(method, url) == expected)
  }

  @Test(
    arguments: [
      (["Accept": "application/json"], "-H 'Accept: application/json'"),
      (["Authorization": "abc"], #"-H @<(printf 'Authorization: %s' "$HW_NBA_KEY")"#),
      (["Authorization": "Bearer abc"], #"-H @<(printf 'Authorization: Bearer %s' "$HW_NBA_KEY")"#),
      (["X-Authorization": "abc"], #"-H @<(printf 'X-Authorization: %s' "$HW_NBA_KEY")"#),
      (["Cookie": "a=b"], #"-H @<(printf 'Cookie: %s' "$HW_COOKIE")"#),
      (["X-Api-Key": "a"], #"-H @<(printf 'X-Api-Key: %s' "$HW_X_API_KEY")"#),
      (["X-Empty": ""], "-H 'X-Empty;'"), (["X-Note": "it's $HOME"], "-H 'X-Note: it'\\''s $HOME'"),
    ] as [(Headers, String)])
  func putsVariablesForSecrets(headers: Headers, expected: String) throws {
    #expect(try line(.get, "https://host/", headers: headers) == "curl \(expected) https://host/")
  }

  @Test(
    arguments: [
      (.variable("HW_TOKEN"), #""$HW_TOKEN""#), (.file("key"), #""$(cat key)""#), (.file("-"), #""$(cat)""#),
      (.file("my key's"), #""$(cat 'my key'\''s')""#), (.file("-k"), #""$(cat ./-k)""#),
      (.setting("nba.key"), #""$(hw config get nba.key)""#), (nil, #""$HW_AUTHORIZATION""#),
    ] as [(SecretSource?, String)])
  func readsTheSecretFromWhereItWasGiven(source: SecretSource?, text: String) throws {
    #expect(
      try line(.get, "https://host/", headers: ["Authorization": "abc"], secret: source)
        == "curl -H @<(printf 'Authorization: %s' \(text)) https://host/")
  }

  @Test func aCommentSaysWhatDependsOnTheResponse() throws {
    var lines: [String] = []
    let explained = ExplainingTransport(secrets: [:]) { lines.append($0) }
    var request = try Request(.get, HTTP.URL("https://host/x"))
    request.next = "GET /y\u{1B}"
    #expect(throws: Failure.explained) { try explained.send(request) }
    #expect(lines == ["curl https://host/x", "# then, with the response: GET /y\u{FFFD}"])
  }

  @Test func printsTheBody() throws {
    let json: Headers = ["Content-Type": "application/json"]
    #expect(
      try line(.post, "https://host/x", headers: json, body: Array("{\"a\":\"it's\"}".utf8))
        == "curl -H 'Content-Type: application/json' --data-raw '{\"a\":\"it'\\''s\"}' https://host/x")
    #expect(
      try line(.put, "https://host/x", body: Array("@x".utf8))
        == "curl -X PUT -H Content-Type: --data-raw @x https://host/x")
    #expect(
      try line(.post, "https://host/x", headers: json, body: [0, 255])
        == "echo AP8= | base64 -d | curl -H 'Content-Type: application/json' --data-binary @- https://host/x")
  }

  @Test(arguments: [HTTP.Method.get, .head, .put])
  func aMethodThatCurlWouldNotChooseForABodyIsNamed(method: HTTP.Method) throws {
    #expect(
      try line(method, "https://host/x", body: Array("a".utf8))
        == "curl -X \(method.rawValue) -H Content-Type: --data-raw a https://host/x")
  }

  /// A blank, a tab and a line feed are text.
  @Test(
    arguments: [
      ([0x20, 0x09, 0x0A], "' \t\n'"), ([0x1F], "Hw=="), ([0x7F], "fw=="), ([0xFF], "/w=="), ([0x0B], "Cw=="),
      ([0x08], "CA=="),
    ] as [([UInt8], String)])
  func aBodyThatIsNoTextIsInBase64(body: [UInt8], word: String) throws {
    let line = try line(.post, "https://host/x", body: body)
    #expect(
      line
        == (word.hasPrefix("'")
          ? "curl -H Content-Type: --data-raw \(word) https://host/x"
          : "echo \(word) | base64 -d | curl -H Content-Type: --data-binary @- https://host/x"))
  }

  /// What the shell makes of the line is what stood in the request.
  @Test func survivesTheShell() throws {
    let nasty = "a'b\"c$HOME`id`\\!*~ \n#é;&|<>(){}[]"
    var line = try line(
      .post, "https://host/a'b!$c~?api_key=k&x='", headers: ["X-Note": nasty, "Cookie": "s"],
      body: Array(nasty.utf8))
    // curl reads the header fields of a secret from a file.
    line =
      "curl() { for w; do case $w in @/*) cat \"${w#@}\"; printf '\\0' ;; *) printf '%s\\0' \"$w\" ;; esac; done; }; \(line)"
    let shell = Process()
    shell.executableURL = Foundation.URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", line]
    shell.environment = ["HW_API_KEY": "K E Y", "HW_COOKIE": "C"]
    let pipe = Foundation.Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let output = try #require(try pipe.fileHandleForReading.readToEnd())
    shell.waitUntilExit()
    let words = String(decoding: output, as: UTF8.self).split(separator: "\0").map(String.init)
    #expect(
      words == [
        "-H", "X-Note: \(nasty)", "-H", "Cookie: C", "-H", "Content-Type:", "--data-raw", nasty,
        "https://host/a'b!$c~?api_key=K E Y&x='",
      ])
  }

  @Test func passesOnThatNobodyReads() throws {
    let closed = Failure(.closedPipe, "standard output was closed")
    let explained = ExplainingTransport(secrets: [:]) { _ throws(Failure) in throw closed }
    #expect(throws: closed) { try explained.send(.get("https://host/")) }
  }
}
