import Foundation
import TestSupport
import Testing

/// A node's alias is anybody's text, and Tab puts it on the command line: it has to come as one word for the quotes that
/// are open there, and nothing of it may run. Each shell types, completes and runs the line on a terminal.
@Suite(.ownThread) struct KnownAttacksOnCompletion {
  private static let quotes = ["", "\"", "'"]

  /// All begin alike, as the line does. The first are harmless, and show that something is completed at all.
  private static let harmless = ["zed end", "zed-end"]
  private static let hostile = [
    "zed$(touch${IFS}PWN)end", "zed`touch${IFS}PWN`end", "zed';touch${IFS}PWN;'end",
    "zed\";touch${IFS}PWN;\"end", "zed;touch${IFS}PWN;end", "zed'$(touch${IFS}PWN)'end",
    "zed\\\";touch${IFS}PWN;\\\"end", "zed'(touch PWN)'end",
  ]

  /// The list of all completion functions, which zsh needs seconds to make. It is in the build directory.
  private static let zshFunctions: String = {
    let file = "\(Installed.folder)/zcompdump"
    _ = try? shell(
      "rm -f '\(file)'; fpath=('\(folder)' $fpath); autoload -Uz compinit; compinit -u -d '\(file)'",
      with: ["zsh", "-f", "-c"])
    return file
  }()

  /// For each alias a server that lists it, and a home whose cache has the list and what completes it.
  private static let listed = Dictionary(
    uniqueKeysWithValues: (harmless + hostile).map { alias in
      (alias, Result<(server: LoopbackServer, home: Home), any Error> { try list(alias) })
    })

  private static func list(_ alias: String) throws -> (server: LoopbackServer, home: Home) {
    let home = try Home()
    let body = try KnownAttacks.node(alias)
    let server = try LoopbackServer { _ in .response(headers: ["Cache-Control: max-age=86400"], body: body) }
    let kept = try shell(
      "hw nodes top >/dev/null && hw __complete -- nodes show ''", in: home,
      environment: ["HW_URL": server.url])
    try #require(kept.status == 0, "\(kept.errors)")
    return (server, home)
  }

  private static let folder = GeneratedFiles.root.appending(path: "completions").path

  /// What the shell was made to run: the words of hw, if it was run, and whether anything else was.
  private func complete(_ alias: String, _ quote: String, _ words: [String], _ setup: String) throws
    -> (words: [String], isAttacked: Bool)
  {
    let listed = try #require(Self.listed[alias]).get()
    let home = try Home()
    try FileManager.default.copyItem(atPath: listed.home.file(".cache"), toPath: home.file(".cache"))
    let variables = [
      "HW_URL": listed.server.url, "TERM": "xterm", "PS1": "", "PS2": "MORE> ", "SHELL": "/bin/sh",
    ]
    let terminal = try Terminal(columns: 200)
    let started = try Started(
      words, in: home, environment: variables, input: terminal.descriptor, output: terminal.descriptor,
      errors: terminal.descriptor)
    // A mark that is only there once the line has run, not when it is echoed.
    terminal.type("\(setup); printf 'REA%s\\n' DY\n")
    _ = try #require(terminal.see("READY"), "the shell did not start")
    terminal.type("hw nodes show \(quote)z\t\n")
    // At an unfinished quote or command the shell shows its second prompt.
    for _ in 0..<600 where home.text("got").isEmpty && !home.names.contains("PWN") {
      if terminal.see("MORE", within: 0.01) != nil { break }
    }
    terminal.type("\u{3}")
    // bash has no controlling terminal here, so it gets no interrupt: an end of input leaves its open quote.
    try waitUntil("the shell to end", within: .seconds(5)) {
      terminal.type("\u{4}")
      return started.hasEnded
    }
    _ = started.end()
    return (
      home.text("got").split(separator: "\n").map(String.init), home.names.contains { $0.hasPrefix("PWN") }
    )
  }

  private func hold(_ alias: String, _ quote: String, _ result: (words: [String], isAttacked: Bool)) {
    #expect(!result.isAttacked, "the alias was run")
    // Completed to one word, or left as it was typed where the alias is not offered: then an open quote goes on.
    let typed = quote.isEmpty ? ["nodes", "show", "z"] : []
    let isLeft = Self.hostile.contains(alias) && result.words == typed
    #expect(isLeft || result.words == ["nodes", "show", alias], "\(result.words)")
  }

  @Test(.needs(.bash), arguments: harmless + hostile, quotes)
  func bashRunsNoHostileAlias(_ alias: String, _ quote: String) throws {
    let result = try complete(
      alias, quote, ["bash", "--norc", "--noprofile", "-i"],
      "source '\(Self.folder)/hw.bash'; hw() { printf '%s\\n' \"$@\" >got; }")
    hold(alias, quote, result)
  }

  @Test(.needs(.zsh), arguments: harmless + hostile, quotes)
  func zshRunsNoHostileAlias(_ alias: String, _ quote: String) throws {
    let result = try complete(
      alias, quote, ["zsh", "-f", "-i"],
      """
      fpath=('\(Self.folder)' $fpath); autoload -Uz compinit; compinit -C -d '\(Self.zshFunctions)'; bindkey '^I' complete-word; \
      hw() { printf '%s\\n' "$@" >got; }
      """)
    hold(alias, quote, result)
  }

  @Test(.needs(.fish, .setsid), arguments: harmless + hostile, quotes)
  func fishRunsNoHostileAlias(_ alias: String, _ quote: String) throws {
    let result = try complete(
      alias, quote, ["setsid", "-cw", "fish", "--no-config", "-i"],
      "source '\(Self.folder)/hw.fish'; function hw; printf '%s\\n' $argv >got; end")
    hold(alias, quote, result)
  }
}
