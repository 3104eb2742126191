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

  private static let program = Program(
    "sample", version: "1", "Test",
    suites: [
      .init(
        "box",
        Suite(
          "box", "Boxes", service: service,
          backend: { _, _ throws(Failure) in throw Failure(.defect, "no backend") },
          commands: [show]))
    ], tools: Suite("", "Tools", commands: []))

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
      ("--url http://h.test", ["HW_TOKEN": "t"], "", "t"),
      ("", ["HW_URL": "http://h.test", "HW_TOKEN": "t"], "", "t"),
      ("", ["HW_BOX_URL": "http://h.test", "HW_TOKEN": "t"], "", "t"),
      // An address of the configuration gets no token of all suites.
      ("", ["HW_TOKEN": "t"], "url = http://h.test", "-"),
      ("", ["HW_TOKEN": "t", "HW_BOX_TOKEN": "o"], "url = http://h.test", "o"),
      ("", ["HW_TOKEN": "t"], "url = http://h.test\nbox.token = c", "c"),
      ("--url http://h.test", ["HW_TOKEN": "t", "HW_BOX_TOKEN": "o"], "box.token = c", "o"),
      ("--url http://h.test", ["HW_TOKEN": "t"], "box.token = c", "c"),
      ("--url http://h.test", ["HW_TOKEN": "t"], "box.token = \"\"", "t"),
      ("--url unix:/tmp/none", ["HW_TOKEN": "t"], "", "t"),
      ("--url http://h.test --token-file FILE", ["HW_BOX_TOKEN": "o"], "", "from a file"),
      ("--demo", ["HW_TOKEN": "t", "HW_BOX_TOKEN": "o"], "", "-"),
      ("--demo --token-file FILE", [:], "", "from a file"),
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
  }
}
