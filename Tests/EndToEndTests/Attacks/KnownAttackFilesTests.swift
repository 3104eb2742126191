import Foundation
import TestSupport
import Testing

/// What is lost or given away without a crash: files, cached responses, tokens.
@Suite(.ownThread, .needs(.libsqlite3, .bash)) struct AttacksOnFilesAndTokens {
  private func attack(_ line: String, in home: Home, _ more: [String: String?] = [:]) throws -> Ending {
    try KnownAttacks.attack(line, in: home, more)
  }

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
    let ending = try attack("\(line); test -c null || echo lost; echo null*", in: home)
    #expect(ending.output.hasSuffix("null\n") && !ending.output.contains("lost"), "\(ending)")
  }

  @Test func pipeIsNotReplaced() throws {
    let home = try Home()
    let ending = try attack(
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
