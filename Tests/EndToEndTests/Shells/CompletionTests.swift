import Command
import Foundation
import TestSupport
import Testing

@testable import hw

/// What completes a line, and what each shell makes of it, asked of the shell itself.
@Suite(.ownThread, .needs(.libsqlite3)) struct ShellCompletion {
  /// Lines of which a script does a part itself: words, values behind '=' and commas, descriptions, files, plug-ins,
  /// aliases, another command line. With each is what may come in the place of its last word.
  private static let inShells: [(String, [String])] = [
    ("hw wordle ti", ["tiles"]), ("hw --color=never wordle ti", ["tiles"]),
    ("hw wordle tiles --vers", ["--version"]), ("hw wordle tiles --style ", ["emoji", "letters", "ansi"]),
    ("hw wordle tiles --style=", ["emoji", "letters", "ansi"]),
    ("hw wordle tiles --fields guess,t", ["tiles", "text"]),
    ("hw wordle tiles --fields=guess,word,t", ["tiles", "text"]),
    ("hw rows data-", ["data-one.json", "data-two.json"]),
    ("hw nodes diff data-", ["data-one.json", "data-two.json"]),
    ("hw serve -- cat data-o", ["data-one.json"]), ("hw serve bikes -- hw nodes to", ["top"]),
    ("hw greet at time:10", ["time:10:30"]), ("hw greet at time:11:", ["time:11:00"]),
    ("hw greet hello w", ["world"]), ("hw best --huma", ["--human"]), ("hw say hello w", ["world"]),
    ("hw nodes show Kraken", ["Kraken Cove"]), ("hw nodes show nobody", []),
    ("hw nodes top --where=capa", ["capacity"]), ("hw config set color always ", []),
  ]

  /// What a plug-in is asked. What hw itself says is recorded.
  private static let plugIns: [(String, [String])] = [
    ("hw gre", ["greet"]), ("hw greet at time:10", ["time:10:30"]), ("hw greet at time:11:", ["time:11:00"]),
    ("hw greet ", ["hello", "good-bye"]), ("hw greet hello w", ["world"]), ("hw --json greet h", ["hello"]),
    ("hw say hello w", ["world"]),
    (
      "hw ", Program.hw.suites.map(\.name) + Program.hw.tools.commands.map(\.name) + ["greet", "best", "say"]
    ),
  ]

  /// A home with a snapshot and a race, made once.
  private enum Kept {
    static let home: Home? = {
      guard let home = try? Home() else { return nil }
      let lines = "hw nodes snapshot; hw serve --race-seconds 1 race -- hw race watch -q"
      return (try? shell(lines, in: home))?.status == 0 ? home : nil
    }()

    /// The day in the name of the snapshot.
    static let day: String = {
      let names = (home.map { try? shell("ls .local/state/hw/nodes", in: $0).output } ?? "") ?? ""
      return names.firstMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/).map { String($0.output) } ?? "none"
    }()
  }

  private static let folder = GeneratedFiles.root.appending(path: "completions").path

  private func home() throws -> Home {
    let home = try Home()
    for name in ["data-one.json", "data-two.json", "other"] {
      try home.write("[]", to: name)
    }
    let kept = try #require(Kept.home)
    try FileManager.default.copyItem(atPath: "\(kept.path)/.local", toPath: "\(home.path)/.local")
    try home.write("alias.best = nodes top --by age\nalias.say = greet\n", to: ".config/hw/config")
    try home.install(
      "hw-greet",
      """
      #!/bin/sh
      [ "$1" = --hw-complete ] || exit 1
      case $2 in
        at) printf 'time:10:30\\nworld\\ntime:11:00\\n' ;;
        *) case $# in 2) printf 'hello\\tsay hello\\ngood-bye\\tsay good-bye\\n' ;; *) echo world ;; esac ;;
      esac

      """)
    return home
  }

  /// The plug-in is on PATH, and no other.
  private func environment(_ home: Home) -> [String: String?] {
    ["TERM": "dumb", "PATH": "\(home.path)/.bin:\(Installed.environment(home: home.path)["PATH"] ?? "")"]
  }

  @Test(arguments: plugIns) func plugInIsAsked(line: String, wanted: [String]) throws {
    let home = try home()
    let typed = line.split(separator: " ", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let ending = try shell(
      "hw __complete -- \(typed.map { "'\($0)'" }.joined(separator: " "))", in: home,
      environment: environment(home))
    #expect(ending.status == 0 && ending.errors == "", "\(ending)")
    // The first line says how to complete, and may be empty.
    let words = ending.output.drop { $0 != "\n" }.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    hold(line, wanted, words.filter { $0.hasPrefix(typed.last ?? "") }.map(String.init))
  }

  private func hold(_ line: String, _ wanted: [String], _ offered: [String]) {
    // What stands before an equals sign or a comma was typed already.
    let words = offered.map { $0.replacingOccurrences(of: "\\", with: "") }.map {
      String($0.split(whereSeparator: { $0 == "=" || $0 == "," }).last ?? "")
    }
    #expect(Set(words) == Set(wanted), "\(line)")
  }

  /// Types a line for bash, on a terminal. A function in the place of hw keeps its words.
  private func type(_ line: String, in home: Home, binding: String = "") throws {
    let terminal = try Terminal(columns: 200)
    terminal.type(
      """
      source '\(ShellCompletion.folder)/hw.bash'; \(binding)hw() { printf '%s\\n' "$@" >got; }
      \(line)
      exit

      """)
    let bash = ["bash", "--norc", "--noprofile", "-i"]
    _ = try Started(
      bash, in: home, environment: environment(home), input: terminal.descriptor, output: terminal.descriptor
    ).end()
  }

  /// What readline makes of the line.
  @Test(.needs(.bash), arguments: inShells)
  func bashOffersWords(line: String, wanted: [String]) throws {
    let home = try home()
    try type("\(line)\u{14}", in: home, binding: "bind '\"\\C-t\": insert-completions'; ")
    let typed = line.split(separator: " ", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let words = home.text("got").split(separator: "\n").map(String.init).dropFirst(typed.count - 1)
    hold(line, wanted, Array(words) == typed.suffix(1).filter { !$0.isEmpty } ? [] : Array(words))
  }

  /// Needs fish, which answers for a line by itself.
  @Test(.needs(.fish), arguments: inShells)
  func fishOffersWords(line: String, wanted: [String]) throws {
    let home = try home()
    let ending = try shell(
      "source '\(ShellCompletion.folder)/hw.fish'; complete -C '\(line)'", in: home,
      with: ["fish", "--no-config", "-c"], environment: environment(home))
    #expect(ending.errors == "")
    hold(line, wanted, ending.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
  }

  /// Needs zsh. Another zsh, on a terminal of its own, prints its matches in place of showing them.
  @Test(.needs(.zsh), arguments: inShells)
  func zshOffersWords(line: String, wanted: [String]) throws {
    let home = try home()
    try home.write(
      """
      compadd() {
        local -a hits
        if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
          builtin compadd -A hits "$@"
          (( $#hits )) && print -rl -- "MATCH "$^hits
        fi
        builtin compadd "$@"
      }
      finish() { print DONE; exit }
      comppostfuncs=(finish)
      bindkey '^I' complete-word
      """, to: ".inner")
    let outer = """
      zmodload zsh/zpty
      zpty inner zsh -f -i
      zpty -w inner "PS1= PS2= RPS1=; unset zle_bracketed_paste; fpath=('\(ShellCompletion.folder)' \\$fpath)"
      zpty -w inner "autoload -Uz compinit; compinit -u -D; source ./.inner; print REA''DY"
      zpty -r -m inner ready '*READY*'
      zpty -w -n inner '\(line)'$'\\t'
      while zpty -r inner piece; do all+=$piece; [[ $all == *DONE* ]] && break; done
      print -r -- $all
      """
    let ending = try shell(outer, in: home, with: ["zsh", "-f", "-c"], environment: environment(home))
    let lines = ending.output.replacingOccurrences(of: "\r", with: "").split(separator: "\n")
    hold(line, wanted, lines.filter { $0.contains("MATCH ") }.map { $0.components(separatedBy: "MATCH ")[1] })
  }

  /// A name that the shell would split or expand is completed to one word, and a directory is left open for the rest.
  @Test(
    .needs(.bash),
    arguments: [
      ("hw rows my", "my data.json"), ("hw rows a", "a$HOME.json"), ("hw rows 'a", "a$HOME.json"),
      ("hw rows \"my", "my data.json"), ("hw rows so", "some dir/x"), ("hw --record so", "some dir/x"),
      ("hw rows dol", "dollar$/x"), ("hw nodes diff my", "my data.json"), ("hw nodes diff so", "some dir/x"),
    ])
  func bashCompletesFileNames(line: String, name: String) throws {
    let home = try home()
    for file in ["my data.json", "a$HOME.json"] {
      try home.write("[]", to: file)
    }
    for folder in ["some dir", "dollar$"] {
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/\(folder)", withIntermediateDirectories: true)
    }
    // The slash after a directory comes from the completion, and no space follows it.
    try type("\(line)\t\(name.hasSuffix("/x") ? "x" : "")", in: home)
    #expect(home.text("got").split(separator: "\n").last.map(String.init) == name)
  }

  /// What follows a name is typed between the same quotes, however often Tab is pressed.
  @Test(
    .needs(.bash),
    arguments: [
      ("hw nodes top --where 'chann\t\t>5'", "channels=>5"),
      ("hw nodes top --where \"chann\t\t5\"", "channels=5"),
      ("hw nodes top --where='chann\t\t5'", "--where=channels=5"),
      ("hw nodes top --fields 'chann\t\t,alias", "channels,alias"),
    ])
  func bashCompletesInsideQuotes(line: String, word: String) throws {
    let home = try home()
    try type(line, in: home)
    #expect(home.text("got").split(separator: "\n").last.map(String.init) == word)
  }

  /// Ids are shown with names: fish prints them after a tab.
  @Test(
    .needs(.fish),
    arguments: [
      ("hw bikes return 20", "20\tRosa"), ("hw nba team LAL", "LAL\tLos Angeles Lakers"),
      ("hw wordle score 262", "262\tsweet, 2022-03-08"), ("hw race show 1", "1\t\(Kept.day), won by"),
    ])
  func fishShowsDescriptions(line: String, shown: String) throws {
    let ending = try shell(
      "source '\(ShellCompletion.folder)/hw.fish'; complete -C '\(line)'", in: home(),
      with: ["fish", "--no-config", "-c"])
    #expect(ending.output.hasPrefix(shown), "\(ending.output)")
  }

  @Test(arguments: ["shellcheck hw.bash", "zsh -n _hw", "fish -n hw.fish"])
  func scriptIsValid(_ line: String) throws {
    if SkippedTests.includesCurrentTest(needing: ShellPrograms.tools(in: line)) { return }
    #expect(try shell("cd '\(ShellCompletion.folder)' && \(line)") == Ending(status: 0))
  }
}
