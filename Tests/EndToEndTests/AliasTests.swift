import Foundation
import TestSupport
import Testing

/// `alias.NAME` in the configuration: commands of the user's own.
@Suite(.ownThread) struct AliasesOfTheUser {
  private func run(_ line: String, with configuration: String = "", in home: Home? = nil) throws -> Ending {
    let home = try home ?? Home()
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/.config/hw", withIntermediateDirectories: true)
    try configuration.write(
      toFile: "\(home.path)/.config/hw/config", atomically: true, encoding: .utf8)
    return try shell(line, in: home)
  }

  @Test(
    "An alias is the command line it stands for",
    arguments: [
      ("alias.lakers = nba games LAL", "hw lakers --limit 2 --json", "hw nba games LAL --limit 2 --json"),
      ("alias.lakers = nba games LAL --json", "hw lakers -n 2", "hw nba games LAL --json -n 2"),
      // What is typed has precedence, before and after the name.
      ("alias.x = nodes top --json -n 1", "hw --csv x", "hw nodes top -n 1 --csv"),
      ("alias.x = nodes top --json -n 1", "hw x --csv -n 2", "hw nodes top -n 2 --csv"),
      ("alias.x = --csv nodes top -n 1", "hw x", "hw nodes top -n 1 --csv"),
      // A suite, quotes, a command of no suite.
      ("alias.n = nodes", "hw n top -n 1 --csv", "hw nodes top -n 1 --csv"),
      ("alias.k = nodes show 'Kraken Cove' --json", "hw k", "hw nodes show 'Kraken Cove' --json"),
      ("alias.k = \"nodes show \\\"Kraken Cove\\\"\"", "hw k --json", "hw nodes show 'Kraken Cove' --json"),
      ("alias.v = version", "hw v --json", "hw version --json"),
      (
        "alias.t = wordle tiles --tsv --", "hw --no-header t ponds nymph",
        "hw wordle tiles --tsv --no-header ponds nymph"
      ),
      ("alias.lakers = nba games LAL", "hw lakers --help", "hw nba games --help"),
      ("alias.lakers = nba games LAL", "hw -h lakers", "hw nba games -h"),
    ])
  func expansion(configuration: String, alias: String, command: String) throws {
    let own = try run(alias, with: configuration + "\n")
    let other = try run(command)
    #expect(own == other)
    #expect(own.status == 0, "\(own.errors)")
  }

  @Test(
    "A bad alias is refused where it is set, and the file left as it is",
    arguments: [
      ("alias.nba 'nodes top'", "'nba' is a command of hw"),
      ("alias.help version", "'help' is a command of hw"),
      ("alias.x 'nodse top'", "did you mean 'nodes'?"), ("alias.x 'nodes tpo'", "did you mean 'top'?"),
      ("alias.x 'nodes top --limt 3'", "'--limit'"),
      ("alias.x \"nodes show 'a\"", "a quote that is not closed"),
      ("alias.x 'nodes top --limit'", "'--limit' requires a value"),
      ("alias.x -- --demo", "names no command"), ("alias.x x", "expanded once"),
      ("alias.x 'y --json'", "expanded once"),
      ("alias.-x version", "not a name of an alias"), ("alias. version", "not a name of an alias"),
      ("alias.a/b version", "not a name of an alias"),
    ])
  func refused(setting: String, message: String) throws {
    let home = try Home()
    let ending = try run(
      "hw config set \(setting)", with: "alias.y = version\n",
      in: home)
    #expect(ending.status == 2)
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(home.text(".config/hw/config") == "alias.y = version\n")
  }

  @Test func aliasesThatWereWrittenByHand() throws {
    // A command goes first; a loop ends with an error, as JSON where that was asked for.
    #expect(try run("hw version", with: "alias.version = nodes top\n").output == "hw 0.9.0\n")
    for text in ["alias.a = b\nalias.b = a\n", "alias.a = a\n"] {
      let ending = try run("hw a --json", with: text)
      #expect(ending.status == 2)
      #expect(
        ending.errors.hasPrefix(#"{"error":{"kind":"usage""#) && ending.errors.contains("expanded once"))
    }
    let unclosed = try run("hw a", with: "timeout = 5\nalias.a = nodes 'top\n")
    #expect(unclosed.status == 2)
    #expect(unclosed.errors.contains("config:2) has a quote that is not closed"), "\(unclosed.errors)")
    let list = try run(
      "hw config list --jsonl", with: "alias.a = nodes tpo\nalias.version = rows\nalias.b = version\n")
    #expect(
      list.output.split(separator: "\n").map { $0.contains("\"problem\":null") }
        == [true, false, false, true])
    #expect(list.status == 0 && list.errors == "")
    for options in ["--no-config", "--no-config -q", "-q --no-config", "--config --no-config"] {
      #expect(try run("hw \(options) b", with: "alias.b = version\n").status == 2, "\(options)")
    }
    #expect(try run("hw --no-config --config -q b", with: "alias.b = version\n").status == 0)
  }

  @Test func anAliasAndAPlugIn() throws {
    let home = try Home()
    try home.install("hw-greet", "#!/bin/sh\necho \"plug-in $HW_OUTPUT $*\"\n")
    let path = "PATH=$PWD/.bin:$PATH;"
    // The alias goes first; one may call a plug-in.
    let text = "alias.g = greet 'a b'\n"
    #expect(try run("\(path) hw --json g c", with: text, in: home).output == "plug-in json a b c\n")
    #expect(try run("\(path) hw config set alias.h 'greet x' && hw h", in: home).output == "plug-in  x\n")
    #expect(try run("\(path) hw greet", with: "alias.greet = version\n", in: home).output == "hw 0.9.0\n")
  }

  @Test func helpListsThem() throws {
    let text = "alias.lakers = nba games LAL\nalias.bad = nope\n"
    for line in ["hw", "hw --help", "hw help"] {
      let output = try run(line, with: text).output
      #expect(output.contains("Aliases\n  lakers"), "\(line)")
      #expect(!output.contains("bad"))
    }
    let help = try run("hw help lakers", with: text).output
    #expect(help.hasPrefix("'lakers' is an alias of: hw nba games LAL\n\nhw nba games: "))
    for line in ["hw schema %s", "hw help %s --json"] {
      let output = try ["lakers", "nba games"].map {
        try run(line.replacing("%s", with: $0), with: text).output
      }
      #expect(!output[0].isEmpty && output[0] == output[1], "\(line)")
    }
    #expect(try run("hw laker", with: text).errors.contains("did you mean 'lakers'?"))
  }

  @Test func settingReadingAndRemoving() throws {
    let home = try Home()
    let ending = try shell(
      "hw config set alias.l 'nba games LAL' && hw config get alias.l && hw config unset alias.l --yes && hw l",
      in: home)
    #expect(ending.output == "nba games LAL\n")
    #expect(ending.status == 2)
  }
}
