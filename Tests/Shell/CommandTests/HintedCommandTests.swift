import HTTP
import Output
import Server
import System
import TestSupport
import Testing

@testable import Command

/// A command of a hint has the options of the command line that select the service: pasted without them, it would change
/// another account.
@Suite struct HintedCommands {
  private static let hint = Operand("HINT", ValueKind<String>.text("HINT"), "What to try")
  private static let key = Option("key-file", ValueKind<String>.inputFile, "The key")
  private static let program: Program = {
    let fail = Command(
      "fail", "Fail", operands: [hint], options: [Service.tokenFile, key], output: .plain("Text."),
      needs: [.network], examples: []
    ) { call, _ throws(Failure) in throw Failure(.conflict, "failed", hint: try call[hint]) }
    let count = Command("count", "Count", output: .plain("Text."), examples: []) { _, _ in }
    let service = Service(
      "box", address: "embedded:", credential: Credential(header: "X-Key", setting: "key", file: key),
      reason: "")
    let suite = Suite(
      "box", "Boxes", service: service, backend: { _, _ in Backend("box", routes: []) },
      commands: [fail, count])
    return .only("box", suite)
  }()

  @Test(
    arguments: [
      ([], "'hw box show 1' shows it", "'hw box show 1' shows it"),
      (["--demo"], "'hw box show 1' shows it", "'hw box show --demo 1' shows it"),
      (
        ["--url", "http://127.0.0.1:7400"], "see 'hw box list'; 'hw box show'",
        "see 'hw box list --url http://127.0.0.1:7400'; 'hw box show --url http://127.0.0.1:7400'"
      ),
      (["--demo"], "hw box list", "hw box list --demo"),
      (["--demo"], "echo | hw box add -", "echo | hw box add --demo -"),
      (["--demo", "--token-file", "a b"], "'hw box list'", "'hw box list --demo --token-file 'a b''"),
      (["--demo", "--key-file", "k"], "'hw box list'", "'hw box list --demo --key-file k'"),
      // Standard input was read.
      (["--token-file", "-"], "'hw box list'", "'hw box list'"),
      // Commands of others, and what only looks like one.
      (["--demo"], "'hw users add' or 'shw box list'", "'hw users add' or 'shw box list'"),
      // It sends no request.
      (["--demo"], "'hw box count'; 'hw box list'", "'hw box count'; 'hw box list --demo'"),
      // What may have a secret is not shown.
      (["--url", "http://host?key=1"], "'hw box list'", "'hw box list'"),
    ] as [([String], String, String)])
  func keepTheService(options: [String], hint: String, expected: String) {
    let ran = Ran(Self.program, ["box", "fail", hint] + options)
    #expect(ran.status == 4 && ran.errors == "hw: failed\n    \(expected)\n")
  }
}
