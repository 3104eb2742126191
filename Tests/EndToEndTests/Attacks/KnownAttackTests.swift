import Foundation
import Testing
import TestSupport

/// What a hostile service, file, terminal or caller has done to hw. Where an attack still succeeds the test says so:
/// the fix is noticed, and the mark goes. A program that crashes is a signal in its `Ending`, and no more.
@Suite(.ownThread, .needs(.libsqlite3, .bash)) struct KnownAttacks {
  /// A crash is looked for, not looked at.
  static let variables: [String: String?] = ["HW_URL": nil, "SWIFT_BACKTRACE": "enable=no"]

  static func attack(_ line: String, in home: Home? = nil, _ more: [String: String?] = [:]) throws -> Ending {
    try shell(line, in: home, with: ["bash", "-c"], environment: variables.merging(more) { $1 })
  }

  /// The JSON of a node with this alias.
  static func node(_ alias: String) throws -> String {
    let node: [String: Any] = [
      "publicKey": "02" + String(repeating: "0", count: 64), "alias": alias, "channels": 7,
      "capacity": 100_000_000, "firstSeen": 1, "updatedAt": NSNull(),
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: [node]), as: UTF8.self)
  }

  @Test(arguments: [
    "https://x/';touch${IFS}PWN;'", "https://x/;touch${IFS}PWN;", "https://x/$(touch${IFS}PWN)",
    "https://x/`touch${IFS}PWN`", "https://x/#&touch${IFS}PWN&", "https://x/#\";touch${IFS}PWN;\"",
  ])
  func captchaHintRunsNoHostileCommand(_ address: String) throws {
    let home = try Home()
    let body = try JSONSerialization.data(withJSONObject: ["captchaUrl": address])
    let server = try LoopbackServer { _ in .response(status: 403, body: String(decoding: body, as: UTF8.self))
    }
    let ending = try KnownAttacks.attack("hw race status --url \(server.url)", in: home)
    // An address that is refused altogether offers nothing.
    #expect([6, 9].contains(ending.status))
    try home.install("hw", "#!/bin/sh\nexit 0\n")
    // What somebody copies of a line: the command to the end of the line, of the address or of the quotes around it.
    for line in ending.errors.split(separator: "\n") {
      guard let range = line.range(of: "hw race captcha ") else { continue }
      let command = String(line[range.lowerBound...])
      let quoted = command.components(separatedBy: " or in a browser")[0]
      let address = String(quoted.dropLast(quoted.hasSuffix("'") ? 1 : 0))
      for text in [command, quoted, address, "'" + quoted] {
        try home.write(text, to: "paste")
        _ = try shell("PATH=$PWD/.bin:$PATH; sh ./paste", in: home)
      }
    }
    #expect(!home.names.contains("PWN"), "\(ending.errors)")
  }

  private func log(of request: String) throws -> String {
    let server = try Serving.Server(["--demo", "-v"])
    let connection = try #require(RawConnection(server.url))
    connection.send(Array("\(request) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    _ = try #require(connection.answer())
    return server.stop().errors
  }

  @Test(arguments: ["/bikes/%0Ahw:%20DELETE%20forged", "/scores/%0Ahw:%20DELETE%20forged"])
  func hostilePathDoesNotForgeLogLine(_ path: String) throws {
    let text = try log(of: "GET \(path)")
    #expect(text.contains("forged"))
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("hw: DELETE") }, "\(text)")
    #expect(text.split(separator: "\n").count == 1)
  }
}

/// What is lost or given away without a crash: files, cached responses, tokens.
@Suite(.ownThread, .needs(.libsqlite3, .bash)) struct AttacksOnFilesAndTokens {
  /// Needs root, for the device.
  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [
      "HW_CONFIG=$PWD/null hw config set nodes.lang de",
      "hw serve --demo --listen 127.0.0.1:0 --ready-file null -- true",
    ])
  func deviceIsNotReplaced(_ line: String) throws {
    let home = try Home()
    // A container may forbid it.
    guard mknod(home.file("null"), S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
    let ending = try KnownAttacks.attack("\(line); test -c null || echo lost; echo null*", in: home)
    #expect(ending.output.hasSuffix("null\n") && !ending.output.contains("lost"), "\(ending)")
  }

  @Test func pipeIsNotReplaced() throws {
    let home = try Home()
    let ending = try KnownAttacks.attack(
      """
      mkfifo pipe; cat pipe >received & hw serve --demo --listen 127.0.0.1:0 --ready-file pipe -- true; s=$?
      if test -p pipe; then wait; exit $s; else kill $!; exit 99; fi
      """, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!home.text("received").isEmpty)
  }

  /// Ctrl-C is the pager's own.
  @Test(.needs(.setsid), arguments: [SIGTERM, SIGHUP]) func signalEndsPager(_ signal: Int32) throws {
    let home = try Home()
    let terminal = try Terminal(columns: 80)
    let variables = ["TERM": "xterm", "HW_PAGER": "cat; echo shown; sleep 600"]
    let started = try Started(
      ["setsid", "-cw", "sh", "-c", "echo $$ >id; exec hw nodes top --demo --limit 1"], in: home,
      environment: KnownAttacks.variables.merging(variables) { $1 }, input: terminal.descriptor,
      output: terminal.descriptor, errors: terminal.descriptor)
    _ = try #require(terminal.see("shown"))
    kill(try #require(pid_t(home.text("id").dropLast())), signal)
    _ = started.end()
    #expect(started.hasEnded)
  }
}
