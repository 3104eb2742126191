import System
import TestSupport
import Testing

@testable import Store

@Suite struct PostgreSQLAddressMaskingTests {
  @Test func passwordsAreMasked() throws {
    try RecordedText.holdTexts("masked-addresses.txt") { ["= \(PostgreSQLAddress.masked($0))"] }
  }

  @Test func addressIsRecognizedByScheme() {
    for address in ["postgresql:", "postgres://h", "PostgreSQL://h"] {
      #expect(PostgreSQLAddress.isAddress(address))
    }
    for path in ["", "postgresql", "postgresq:", "./postgres:", "mysql://h", "/srv/postgres:1"] {
      #expect(!PostgreSQLAddress.isAddress(path))
    }
  }
}

@Suite("Addresses of PostgreSQL", .needs(.libpq)) struct PostgreSQLAddressTests {
  @Test func namesAreAsRecorded() throws {
    try RecordedText.holdTexts("named-addresses.txt") { text in
      let address = try PostgreSQLAddress(text)
      return ["= \(address.name)\(address.hasPassword ? ", with a password" : "")"]
    }
  }

  private static let usual = [
    "fallback_application_name=hw", "tcp_user_timeout=10000", "keepalives_idle=8", "keepalives_interval=4",
    "keepalives_count=3",
  ]

  private func parameters(
    _ text: String, _ environment: [String: String] = [:]
  ) throws(Failure) -> [[String]] {
    try PostgreSQLAddress(text).attempts(Environment(environment)).parameters.map { parameters in
      parameters.map { "\($0.keyword)=\($0.value)" }
    }
  }

  @Test(
    arguments: [
      ("postgresql:///db", [[]]), ("postgresql://a:1/db", [[]]),
      ("postgresql:///db?host=a,b", [["host=a"], ["host=b"]]),
      ("postgresql://a:1,b:2/db", [["host=a", "port=1"], ["host=b", "port=2"]]),
      (
        "postgresql://a:1,b,c:3/db", [["host=a", "port=1"], ["host=b", "port=5432"], ["host=c", "port=3"]]
      ),
      ("postgresql://a,b/db", [["host=a", "port=5432"], ["host=b", "port=5432"]]),
      ("postgresql://a,b/db?port=7", [["host=a"], ["host=b"]]), ("postgresql://a,b/db?port=1,2,3", [[]]),
      ("postgresql://a,b,c/db?port=1,2", [[]]),
      ("postgresql:///db?hostaddr=127.0.0.1,127.0.0.2", [["hostaddr=127.0.0.1"], ["hostaddr=127.0.0.2"]]),
      // An empty list is none.
      (
        "postgresql:///db?host=&hostaddr=127.0.0.1,127.0.0.2",
        [["hostaddr=127.0.0.1"], ["hostaddr=127.0.0.2"]]
      ),
      (
        "postgresql:///db?host=a,b&hostaddr=127.0.0.1,127.0.0.2",
        [["host=a", "hostaddr=127.0.0.1"], ["host=b", "hostaddr=127.0.0.2"]]
      ),
      ("postgresql:///db?host=a&hostaddr=127.0.0.1,127.0.0.2", [[]]),
      ("postgresql:///db?host=a,b&hostaddr=127.0.0.1", [[]]),
    ] as [(String, [[String]])])
  func eachHostIsAttemptIfListsFitTogether(text: String, own: [[String]]) throws {
    let wanted = own.map {
      PostgreSQLAddressTests.usual + [
        "target_session_attrs=read-write", "dbname=\(text)", "client_encoding=UTF8",
      ]
        + $0
    }
    #expect(try parameters(text) == wanted)
  }

  @Test func readingAcceptsAnyServer() throws {
    let attempts = try PostgreSQLAddress("postgresql://h/db").attempts(Environment([:]), for: .reading)
    #expect(attempts.parameters.count == 1)
    let session = attempts.parameters[0].first { $0.keyword == "target_session_attrs" }
    #expect(session?.value == "any")
  }

  @Test func aVariableChoosesTheServers() throws {
    let address = "postgresql://h/db"
    #expect(
      try parameters(address, ["PGTARGETSESSIONATTRS": "any"]) == [
        PostgreSQLAddressTests.usual + ["dbname=\(address)", "client_encoding=UTF8"]
      ])
  }

  @Test(arguments: [("1", 1), ("30", 30), ("0", 5), ("-1", 5), ("", 5)])
  func attemptTakesFiveSecondsOrWhatAddressSays(text: String, seconds: Int) throws {
    let address = try PostgreSQLAddress("postgresql://h/db?connect_timeout=\(text)")
    #expect(try address.attempts(Environment([:])).limit == .seconds(seconds))
  }

  @Test func malformedAddressHasHint() {
    for text in [
      "postgresql://[::1/db", "postgresql://h/db?nonsense=1", "postgresql://h/%zz", "postgresql:///a\0b",
    ] {
      #expect(
        failure { try parameters(text) }
          == Failure(
            .usage, "malformed address of a PostgreSQL database",
            hint:
              "it is written postgresql://USER@HOST:PORT/DATABASE; special characters are encoded as in %40"))
    }
  }
}
