import HTTP
import System
import TestSupport
import Testing

@testable import Command

/// Which secrets go where: a made-up service with a key, which is local without it and elsewhere with it.
@Suite struct SecretsOfAService {
  private static let keyFile = Option("key-file", ValueKind<String>.file, "Read the key from FILE")
  private static let rate = Option("rate", .count(1...1000), setting: .suites, "Send N requests per minute")
  private static let service = Service(
    "box", address: "http://127.0.0.1:1", live: "https://live.test", limit: .sliding(5, per: .seconds(60)),
    rate: rate,
    credential: Credential(
      header: "X-Key", setting: "key", variables: ["BOX_KEY"], file: keyFile, hint: "get a key",
      embedded: "sample-key"), reason: "")

  private static let show = Command(
    "show", "Show what is sent", options: [keyFile, rate, Service.tokenFile], output: .plain("Text."),
    needs: [.network], examples: []
  ) { _, context throws(Failure) in
    let endpoint = try context.endpoint(service)
    let headers = endpoint.request(.get, "x").headers
    let limit = try context.ownLimit(of: service).map { "\($0)" } ?? "none"
    try context.output.requestOutlet.write(
      """
      at \(endpoint.base), key \(headers["X-Key"] ?? "-"), token \(headers["X-Authorization"] ?? "-")
      limit \(limit)
      missing \(try context.missingSecret(of: service) ?? "-")

      """)
  }

  private static let program = Sample.program(
    Suite(
      "box", "Boxes", service: service,
      backend: { _, _ throws(Failure) in throw Failure(.defect, "no backend") }, commands: [show]))

  private func run(_ line: String, _ environment: [String: String] = [:], file: String = "") throws -> Ran {
    let scratch = try ScratchDirectory()
    try scratch.write(file, to: "config")
    try scratch.write("\nfrom a file\n", to: "secret")
    let words = line.split(separator: " ").map { $0 == "FILE" ? scratch.file("secret") : String($0) }
    let usual = ["HOME": scratch.path, "HW_CONFIG": scratch.file("config")]
    return withExtendedLifetime(scratch) {
      Ran(
        Self.program, ["box", "show"] + words, environment: usual.merging(environment) { $1 },
        time: FakeClock())
    }
  }

  @Test(
    "The key is that of a file, of its own variable, of another, of the configuration",
    arguments: [
      ("", [:], "", "at http://127.0.0.1:1, key -"),
      ("", ["BOX_KEY": "b"], "", "at https://live.test, key b"),
      ("", ["BOX_KEY": "b", "HW_BOX_KEY": "a"], "", "at https://live.test, key a"),
      ("", [:], "box.key = c", "at https://live.test, key c"),
      ("", ["BOX_KEY": "b"], "box.key = c", "at https://live.test, key b"),
      ("", ["HW_BOX_KEY": ""], "box.key = c", "at https://live.test, key c"),
      ("--key-file FILE", ["HW_BOX_KEY": "a"], "", "at https://live.test, key from a file"),
      ("--no-config", [:], "box.key = c", "at http://127.0.0.1:1, key -"),
      ("--url http://h.test", ["HW_BOX_KEY": "a"], "", "at http://h.test, key a"),
      ("--demo", [:], "", "at demo:, key sample-key"),
      ("--demo", ["HW_BOX_KEY": "a"], "", "at demo:, key a"),
      // Nothing is sent, so nothing is read.
      ("--url http://h.test --replay /none", ["HW_BOX_KEY": "a"], "", "at http://h.test, key -"),
      ("--key-file /none --replay /none", [:], "", "at http://127.0.0.1:1, key -"),
      ("--replay /none", [:], "box.key = c", "at http://127.0.0.1:1, key -"),
      // The key of a backend in the process is for no other.
      ("--url http://h.test", [:], "", "at http://h.test, key -"),
    ] as [(String, [String: String], String, String)])
  func key(line: String, environment: [String: String], file: String, shown: String) throws {
    let ran = try run(line + " --explain", environment, file: file)
    #expect(ran.lines.first?.hasPrefix(shown + ", token -") == true, "\(ran.output)\(ran.errors)")
  }

  @Test(
    "The token of a user is for an address that the user chose",
    arguments: [
      ("", ["HW_TOKEN": "t"], "", "-"), ("", ["HW_BOX_TOKEN": "o"], "", "-"),
      ("--url http://h.test", ["HW_TOKEN": "t"], "", "-"),
      ("--url http://h.test/x", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "", "t"),
      ("--url http://i.test", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "", "-"),
      ("--url https://h.test", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "", "-"),
      ("", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "", "t"),
      ("", ["HW_BOX_URL": "http://h.test", "HW_TOKEN": "t"], "", "-"),
      // An address of the configuration gets no token of all suites.
      ("", ["HW_TOKEN": "t"], "url = http://h.test", "-"),
      ("", ["HW_TOKEN": "t", "HW_BOX_TOKEN": "o"], "url = http://h.test", "o"),
      ("", ["HW_TOKEN": "t"], "url = http://h.test\nbox.token = c", "c"),
      ("--url http://h.test", ["HW_TOKEN": "t", "HW_BOX_TOKEN": "o"], "box.token = c", "o"),
      ("--url http://h.test", ["HW_TOKEN": "t"], "box.token = c", "c"),
      ("", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "box.token = \"\"", "t"),
      ("", ["HW_URL": "unix:/tmp/none", "HW_TOKEN": "t"], "", "t"),
      ("--url http://h.test --token-file FILE", ["HW_BOX_TOKEN": "o"], "", "from a file"),
      ("--demo", ["HW_TOKEN": "t", "HW_BOX_TOKEN": "o"], "", "-"),
      ("--demo --token-file FILE", [:], "", "from a file"),
      ("--url http://h.test --token-file /none --replay /none", ["HW_BOX_TOKEN": "o"], "", "-"),
    ] as [(String, [String: String], String, String)])
  func token(line: String, environment: [String: String], file: String, token: String) throws {
    let ran = try run(line + " --explain", environment, file: file)
    #expect(ran.lines.first?.hasSuffix(", token \(token)") == true, "\(ran.output)\(ran.errors)")
  }

  @Test func aLiveServiceIsNotAskedWithoutItsKey() throws {
    let ran = try run("--url https://live.test --explain")
    #expect(ran.status == 7)
    #expect(ran.complaint == "hw: 'https://live.test' requires a key, and none is set | get a key")
    #expect(try run("--url https://live.test --explain", ["BOX_KEY": "b"]).status == 0)
    #expect(try run("--url https://live.test/below --explain").status == 0)
    #expect(try run("--url https://live.test --explain --replay /none").status == 0)
  }

  @Test func aBackendInTheProcessIsAskedWithoutAKey() throws {
    let local = Service(
      "mug", address: "embedded:",
      credential: Credential(header: "X-Key", setting: "key", file: Self.keyFile, hint: "get a key"),
      reason: "")
    var call = Invocation(Self.show, suite: nil)
    call.set(StandardOptions.explain.declaration, to: true)
    #expect(try Context(call, of: Self.program).endpoint(local).base == URL("embedded:"))
  }

  @Test func aTokenFileNeedsAnAddress() throws {
    let ran = try run("--token-file FILE --explain")
    #expect(ran.status == 2)
    #expect(
      ran.complaint == "hw: '--token-file' requires '--url' | "
        + "the token is that of a user of 'hw serve'; 'http://127.0.0.1:1' has no users")
  }

  @Test(
    arguments: [
      ("", [:], "none"), ("--url http://h.test", [:], "5 calls in a minute"), ("--demo", [:], "none"),
      ("--rate 7", [:], "7 calls in a minute"), ("", ["HW_BOX_RATE": "1"], "1 call in a minute"),
    ] as [(String, [String: String], String)])
  func ownLimit(line: String, environment: [String: String], limit: String) throws {
    #expect(try run(line + " --explain", environment).lines.dropFirst().first == "limit \(limit)")
  }

  @Test func whatIsMissing() throws {
    #expect(
      try run("--explain").lines.last == "missing no key: set HW_BOX_KEY, or give --key-file FILE")
    #expect(try run("--explain", ["HW_BOX_KEY": "a"]).lines.last == "missing -")
    #expect(try run("--explain --replay /none").lines.last == "missing -")
  }

  @Test func aFileWithoutASecret() throws {
    let context = Context(Invocation(Self.show, suite: nil), of: Self.program)
    let scratch = try ScratchDirectory()
    for text in ["", "\n", "\r\n\n"] {
      try scratch.write(text, to: "empty")
      let path = scratch.file("empty")
      #expect(
        failure { try context.secret(in: path, called: "key") }
          == Failure(.usage, "'\(path)' contains no key"))
    }
  }
}

/// A made-up service whose secret is the token of a user: it is local until there is one.
@Suite struct TokensOfAService {
  private static let service = Service(
    "cup", address: "embedded:", live: "https://cup.test",
    credential: Credential(
      header: "X-Authorization", setting: Service.token, file: Service.tokenFile, hint: "sign in"), reason: ""
  )

  /// What is sent, as a line of curl.
  private static let show = Command(
    "show", "Show what is sent", options: [Service.tokenFile], output: .plain("Text."),
    needs: [.network], examples: []
  ) { call, context throws(Failure) in
    let endpoint = try context.endpoint(service)
    let token = endpoint.request(.get, "x").headers["X-Authorization"] ?? "-"
    try context.output.requestOutlet.write("at \(endpoint.base), token \(token)\n")
    _ = try context.response { () throws(Failure) in try endpoint.send(.get, "x") }
  }

  private static let program = Sample.program(
    Suite("cup", "Cups", service: service, commands: [show]))

  /// `FILE` is a file with a token.
  private func run(_ line: String, _ environment: [String: String], file: String = "") throws -> Ran {
    let scratch = try ScratchDirectory()
    try scratch.write(file, to: "config")
    try scratch.write("from a file\n", to: "secret")
    let words = (line + " --explain").split(separator: " ").map {
      $0 == "FILE" ? scratch.file("secret") : String($0)
    }
    let usual = ["HOME": scratch.path, "HW_CONFIG": scratch.file("config")]
    return withExtendedLifetime(scratch) {
      Ran(Self.program, ["cup"] + words, environment: usual.merging(environment) { $1 }, time: FakeClock())
    }
  }

  @Test(
    "The token makes the service a live one, and HW_TOKEN is for the address in HW_URL",
    arguments: [
      ("", [:], "", "at embedded:, token -"),
      ("", ["HW_CUP_TOKEN": "o"], "", "at https://cup.test, token o"),
      ("", [:], "cup.token = c", "at https://cup.test, token c"),
      ("--token-file FILE", ["HW_CUP_TOKEN": "o"], "", "at https://cup.test, token from a file"),
      ("", ["HW_TOKEN": "t"], "", "at embedded:, token -"),
      ("--url embedded:", ["HW_TOKEN": "t"], "", "at embedded:, token -"),
      ("", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "", "at http://h.test, token t"),
      ("--url http://h.test", ["HW_TOKEN": "t"], "", "at http://h.test, token -"),
      ("--url http://h.test", ["HW_TOKEN": ""], "", "at http://h.test, token -"),
      ("", ["HW_CUP_URL": "http://h.test", "HW_TOKEN": "t"], "", "at http://h.test, token -"),
      ("--url http://h.test", ["HW_TOKEN": "t", "HW_CUP_TOKEN": "o"], "", "at http://h.test, token o"),
      ("", ["HW_URL": "https://cup.test", "HW_TOKEN": "t"], "", "at https://cup.test, token t"),
      ("", ["HW_URL": "unix:/tmp/none", "HW_TOKEN": "t"], "", "at unix:/tmp/none, token t"),
      ("", ["HW_TOKEN": "t"], "url = http://h.test", "at http://h.test, token -"),
      ("--replay /none", ["HW_CUP_TOKEN": "o"], "", "at embedded:, token -"),
      ("--url http://h.test --replay /none", ["HW_TOKEN": "t"], "", "at http://h.test, token -"),
    ] as [(String, [String: String], String, String)])
  func token(line: String, environment: [String: String], file: String, shown: String) throws {
    let ran = try run("show \(line)", environment, file: file)
    #expect(ran.lines.first == shown, "\(ran.errors)")
  }

  @Test func theLiveServiceNeedsAToken() throws {
    let ran = try run("show --url https://cup.test", [:])
    #expect(ran.status == 7)
    #expect(ran.complaint == "hw: 'https://cup.test' requires a token, and none is set | sign in")
  }

  @Test(
    arguments: [
      ("", ["HW_CUP_TOKEN": "o"], "", "\"$HW_CUP_TOKEN\")"),
      ("", [:], "cup.token = c", "\"$(hw config get cup.token)\")"),
      ("", ["HW_URL": "https://cup.test", "HW_TOKEN": "t"], "", "\"$HW_TOKEN\")"),
      ("--token-file FILE", [:], "", "\"$(cat "),
    ] as [(String, [String: String], String, String)])
  func theLineOfCurlReadsItFromThere(
    line: String, environment: [String: String], file: String, source: String
  ) throws {
    let curl = try run("show \(line)", environment, file: file).lines.last ?? ""
    #expect(curl.hasPrefix("curl -H @<(printf 'X-Authorization: %s' \(source)"), "\(curl)")
    #expect(curl.hasSuffix(" https://cup.test/x"))
  }
}
