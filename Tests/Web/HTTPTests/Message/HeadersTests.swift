import Testing

@testable import HTTP

@Suite struct HeadersTests {
  @Test func namesAreCaseInsensitiveAndMayRepeat() {
    var headers: Headers = ["Link": "a", "X": "1", "LINK": "b"]
    headers.append("link", "c")
    #expect(headers["lInK"] == "a" && headers.values("Link") == ["a", "b", "c"])
    #expect(headers["Lin"] == nil && headers["Links"] == nil && headers.values("Y") == [])
    headers["Link"] = "d"
    #expect(headers == ["X": "1", "Link": "d"])
    headers["link"] = nil
    #expect(headers == ["X": "1"])
  }

  @Test func listCombinesRepeatedFields() {
    let headers: Headers = [
      "Connection": " Keep-Alive ,\tClose", "X": "y", "connection": "", "CONNECTION": "a b,",
    ]
    #expect(headers.list("Connection") == ["keep-alive", "close", "", "a b", ""])
    #expect(headers.list("Y") == [])
  }

  @Test(arguments: [
    ("a: b", ["a", "b"]), ("a:b", ["a", "b"]), ("a:   b: c ", ["a", "b: c "]), (":", ["", ""]), ("a", []),
  ])
  func splitsALine(line: String, parts: [String]) {
    #expect(line.splitField.map { [$0.name, $0.value] } ?? [] == parts)
  }
}

@Suite struct SentSecretsTests {
  private func masked(_ text: String, _ headers: Headers) -> String { SentSecrets(headers).masked(text) }

  @Test(arguments: [
    ("abcd", "xabcdx abcdabcd", "x•••x ••••••"), ("abcd", "abcd", "•••"), ("abcd", "abc", "abc"),
    ("abcd", "ababcd", "ab•••"), ("abc", "abc", "abc"), ("Bearer abcd", "Bearer abcd", "Bearer •••"),
    ("Bearer abc", "Bearer abc", "Bearer abc"), ("a_bc def", "a_bc def def", "••• def"), ("abcd", "", ""),
  ])
  func secretIsMaskedInText(secret: String, text: String, shown: String) {
    #expect(masked(text, ["X-Token": secret]) == shown)
    #expect(masked(text, ["X-Other": secret]) == text)
  }

  @Test func aLongerSecretIsMaskedFirst() {
    for headers: Headers in [["Token": "abcd", "Key": "abcdef"], ["Key": "abcdef", "Token": "abcd"]] {
      #expect(masked("abcdef abcd", headers) == "••• •••")
    }
  }

  @Test func aQueryHasSecretsToo() {
    var secrets = SentSecrets()
    secrets.add(.get("https://host/?token&api%6Bey=a%2Fbcd&q=wxyz", headers: ["Cookie": "sess-1"]))
    #expect(secrets.masked("a/bcd a%2Fbcd wxyz token sess-1") == "••• ••• wxyz token •••")
  }

  /// What is not the encoding of a text is a name or a value as it is written.
  @Test func secretOfUndecodableQueryIsMasked() {
    var secrets = SentSecrets()
    secrets.add(.get("https://host/?token%FF=ab%FFcd"))
    #expect(secrets.masked("ab%FFcd token%FF") == "••• token%FF")
  }
}
