import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct OnATerminal {
  private static let json =
    #"[{"name":"日本語テキスト","note":"a\u001b[31mred\u202e","n":5},{"name":"x","note":"","n":12}]"#

  private func rows(
    _ options: String, columns: UInt16, environment: [String: String?] = ["TERM": "xterm"]
  ) throws -> (terminal: String, ending: Ending) {
    let home = try Home()
    try OnATerminal.json.write(toFile: "\(home.path)/rows.json", atomically: true, encoding: .utf8)
    let terminal = try Terminal(columns: columns)
    let words = ["hw", "rows", "rows.json"] + options.split(separator: " ").map(String.init)
    let ending = try Started(words, in: home, environment: environment, output: terminal.descriptor).end()
    return (terminal.text, ending)
  }

  @Test func aTableIsCutColouredAndNeutral() throws {
    let (text, ending) = try rows("", columns: 20)
    #expect(ending.status == 0)
    #expect(
      text
        == "\u{1B}[1mname\u{1B}[0m     \u{1B}[1mnote\u{1B}[0m     \u{1B}[1mn\u{1B}[0m\n日本語…  a\u{FFFD}[31m…  5\nx                 12\n"
    )
  }

  @Test func aPipeGetsItAllAndPlain() throws {
    let ending = try shell(
      "echo '\(OnATerminal.json)' | hw rows --fields name,n", environment: ["COLUMNS": "20"])
    #expect(ending.output == "name            n\n日本語テキスト  5\nx               12\n")
  }

  @Test(
    "There is no colour where nobody wants it or it cannot be",
    arguments: [
      ["TERM": nil], ["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"],
      ["TERM": "xterm", "HW_COLOR": "never"],
    ] as [[String: String?]])
  func plain(environment: [String: String?]) throws {
    let (text, ending) = try rows("--fields n", columns: 20, environment: environment)
    #expect(text == "n\n5\n12\n")
    #expect(ending.status == 0)
  }

  /// What hw paints in 24 bits, in a text, a table and on a whole screen. Needs setsid.
  @Test(
    "Colours are those that the terminal has", .needs(.setsid),
    arguments: ["wordle tiles ponds nymph --style ansi", "race status", "wordle scores -i --reveal"],
    [
      (["TERM": "xterm", "COLORTERM": "truecolor"], ";2;", ";5;"), (["TERM": "xterm-256color"], ";5;", ";2;"),
      (["TERM": "xterm"], "m", "8;2;"),
    ] as [([String: String?], String, String)])
  func depth(words: String, terminal says: (variables: [String: String?], has: String, hasNot: String)) throws
  {
    let terminal = try Terminal(columns: 80)
    let run = try Started(
      ["setsid", "-c", "-w", "hw"] + words.split(separator: " ").map(String.init), in: Home(),
      environment: says.variables, input: terminal.descriptor, output: terminal.descriptor)
    var text = ""
    if words.contains("-i") {
      text = try #require(terminal.see("2022-04-15"))
      terminal.type("q")
      text += try #require(terminal.see("?1049l"))
    }
    #expect(run.end().status == 0)
    text += terminal.text
    #expect(text.contains(says.has) && text.contains("\u{1B}["))
    #expect(!text.contains(says.hasNot), "\(text.debugDescription)")
  }

  @Test func oneColumnIsEnough() throws {
    #expect(try rows("--color never", columns: 1).terminal == "…\n…\nx\n")
  }

  @Test func whatIsForProgramsIsTheSameOnATerminal() throws {
    let (text, _) = try rows("--fields n --tsv", columns: 1)
    #expect(text == "n\n5\n12\n")
  }

  @Test("A filter that nobody feeds prints its usage", arguments: ["wordle tiles", "rows"])
  func filters(name: String) throws {
    let terminal = try Terminal(columns: 80)
    let ending = try Started(
      ["hw"] + name.split(separator: " ").map(String.init), in: Home(), input: terminal.descriptor
    ).end()
    #expect(ending.status == 2)
    #expect(ending.output == "")
    #expect(
      ending.errors.hasPrefix(
        "hw: 'hw \(name)' reads standard input, and that is a terminal\n    hw \(name) "))
  }

  @Test func aDashReadsFromATerminalAllTheSame() throws {
    let terminal = try Terminal(columns: 80)
    terminal.type("ponds nymph\n\u{4}")
    let ending = try Started(["hw", "wordle", "tiles", "-"], in: Home(), input: terminal.descriptor).end()
    #expect(ending == Ending(status: 0, output: "🟨⬛🟨⬛⬛\n"))
  }
}
