import JSON
import Testing
import TestSupport

@testable import Command
@testable import hw

/// What can be said to every command: a line for each operand and option, with the values it accepts.
@Suite struct Declarations {
  @Test(
    arguments: [
      ("rows", nil, ["rows"]), ("nba teams", "nba", ["nba teams"]),
      (
        "nodes", "nodes",
        ["nodes top", "nodes show", "nodes search", "nodes snapshot", "nodes diff", "nodes snapshots"]
      ),
    ] as [(String, String?, [String])])
  func helpJSONSelectsCommands(words: String, suite: String?, commands: [String]) throws {
    let ran = Ran(.hw, ["help", "--json"] + words.split(separator: " ").map(String.init))
    let document = try JSON.parse(ran.output)
    let found = try document["commands"].array
    #expect(try found.map { try $0["name"].string } == commands)
    #expect(try found.allSatisfy { try $0["suite"].orNull?.string == suite })
  }

  private static func line(_ option: JSON) throws -> String {
    let names = ["short", "value", "default", "variable"]
    let facts = try names.compactMap { name in try option[name].orNull.map { "\(name) \(try $0.string)" } }
    return "  " + ([try option["spelling"].string] + facts).joined(separator: ", ")
  }

  @Test func declarationsAreAsRecorded() throws {
    let document = try JSON.parse(Ran(.hw, ["help", "--json"]).output)
    var lines: [String] = []
    for command in try document["commands"].array {
      let usage = try command["usage"].array.map { usage throws in try usage.string }
      lines += ["hw \(try command["name"].string)"] + usage.map { "  usage \($0)" }
      lines += try command["options"].array.map { try Self.line($0) }
    }
    lines += ["all commands"] + (try document["standardOptions"].array.map { try Self.line($0) })
    try RecordedText.hold("declarations.txt", to: lines.map { "\($0)\n" }.joined())
  }
}

/// The pages of help: each changes with what it describes, so only what distinguishes it is recorded.
@Suite struct HelpPages {
  @Test func helpPagesAreAsRecorded() throws {
    let names = Program.hw.allCommands.map(\.name)
    var text = ""
    for name in ["", "race", "nba", "bikes", "wordle", "nodes", "config"] + names {
      let words = name.split(separator: " ").map(String.init)
      for option in ["-h", "--help"] {
        for columns in [80, 50] {
          let ran = Ran(.hw, words + [option], terminal: [.output], columns: columns)
          var checksum = Checksum()
          checksum.add(ran.output)
          let count = ran.output.count { $0 == "\n" }
          text += "hw \(name) \(option), \(columns) columns: \(count) lines, \(checksum.text)\n"
        }
      }
    }
    try RecordedText.hold("help.txt", to: text)
  }

  private static let longPages = ["race watch": 90, "nba games": 100, "serve": 120]

  @Test func helpPagesAreShort() {
    var words = 0
    for (names, page) in HelpPages.all {
      let text = page.full()
      words += text.split(whereSeparator: \.isWhitespace).count
      let lines = text.count { $0 == "\n" }
      #expect(lines <= HelpPages.longPages[names] ?? 75, "hw \(names) --help")
    }
    #expect(words <= 24_000)
  }

  /// The program, the suites and the commands. Topics are read for their own sake.
  private static let all: [(names: String, page: Page)] = {
    let program = Program.hw
    let suites = program.suites.filter { !$0.name.isEmpty }.map { ($0.name, Page.suite($0, in: program)) }
    let commands = program.allCommands.map { entry in
      let words = entry.name.split(separator: " ").map(String.init)
      return (entry.name, Page.command(entry.command, suite: words.count > 1 ? words[0] : nil, in: program))
    }
    return [("", Page.program(program, plugIns: []))] + suites + commands
  }()
}

/// The kinds of failure that commands declare.
@Suite struct DeclaredFailures {
  /// Otherwise a declaration could be wrong, and nobody would notice it.
  @Test(arguments: Program.hw.allCommands.map(\.name)) func declaredFailuresAreNotImplied(name: String) throws
  {
    let command = try #require(Program.hw.allCommands.first { $0.name == name }?.command)
    let implied = ExitCodes.implied(for: command)
    #expect(command.failures.filter(implied.contains) == [])
    #expect(Set(command.failures).count == command.failures.count)
  }

  /// A store can be on a database server, which can be away or refuse the user.
  @Test func storeCommandsDeclareDatabaseFailures() {
    let options: Set = ["store", "from", "to"]
    let commands = Program.hw.allCommands.filter { _, command in
      command.needs.contains(.store) && command.options.contains { options.contains($0.declaration.name) }
    }
    #expect(commands.count >= 8)
    for (name, command) in commands {
      let kinds = ExitCodes.implied(for: command).union(command.failures)
      #expect(kinds.contains(.connection) && kinds.contains(.unauthorized), "\(name)")
    }
  }
}
