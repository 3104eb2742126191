import Command
import JSON
import TestSupport
import Testing

@testable import hw

/// What can be said to every command: a line for each operand and option, with the values it accepts.
@Suite struct Declarations {
  @Test(
    arguments: [
      ("rows", [], ["rows"]), ("nba teams", ["nba"], ["nba teams"]),
      (
        "nodes", ["nodes"],
        [
          "nodes top", "nodes show", "nodes search", "nodes stats", "nodes snapshot", "nodes diff",
          "nodes snapshots",
        ]
      ),
    ])
  func helpJSONSelectsCommands(words: String, suites: [String], commands: [String]) throws {
    let ran = Ran(.hw, ["help", "--json"] + words.split(separator: " ").map(String.init))
    let document = try JSON.parse(ran.output)
    #expect(try document["suites"].array.map { try $0["name"].string } == suites)
    let found = try document["commands"].array
    #expect(try found.map { try $0["name"].string } == commands)
    #expect(try found.allSatisfy { try $0["suite"].orNull?.string == suites.first })
  }

  private static func text(_ json: JSON?) throws -> String {
    guard let json = json?.orNull else { return "" }
    if let text = try? json.string { return text }
    if let number = try? json.int { return "\(number)" }
    if let number = try? json.double { return "\(number)" }
    return try json.array.map { try text($0) }.joined(separator: "|")
  }

  private static func line(_ json: JSON, _ names: [String]) throws -> String {
    try names.compactMap { name in
      var value: JSON? = json
      for part in name.split(separator: ".") { value = value?.orNull?[String(part)] }
      let text = try text(value)
      return text.isEmpty ? nil : "\(name.split(separator: ".").last ?? "") \(text)"
    }.joined(separator: ", ")
  }

  private static let value = ["value.name", "value.expects"]
  private static let option = ["spelling", "short", "kind", "shorthandFor", "default", "setting", "variable"]

  @Test func declarationsAreAsRecorded() throws {
    let document = try JSON.parse(Ran(.hw, ["help", "--json"]).output)
    var lines: [String] = []
    for command in try document["commands"].array {
      lines.append("hw \(try command["name"].string)")
      for usage in try command["usage"].array { lines.append("  usage \(try usage.string)") }
      lines.append(
        "  " + (try Self.line(command, ["needs", "output.kind", "output.schemaVersion"])))
      let codes = try command["exitCodes"].array.map { code throws in try code["code"].string }
      lines.append("  status \(codes.joined(separator: " "))")
      for operand in try command["operands"].array {
        lines.append("  operand \(try Self.line(operand, ["name", "count"] + Self.value))")
      }
      for option in try command["options"].array {
        lines.append("  \(try Self.line(option, Self.option + Self.value))")
      }
      for pair in try command["exclusions"].array {
        lines.append("  \(try pair["one"].string) excludes \(try pair["other"].string)")
      }
    }
    lines.append("all commands")
    for option in try document["standardOptions"].array {
      lines.append("  \(try Self.line(option, Self.option + Self.value))")
    }
    try RecordedText.hold("declarations.txt", to: lines.map { "\($0)\n" }.joined())
  }
}

/// The pages of help: each changes with what it describes, so only what distinguishes it is recorded.
@Suite struct HelpPages {
  @Test func helpPagesAreAsRecorded() throws {
    let names = Ran(.hw, ["help", "--list"]).output.split(separator: "\n").compactMap { line in
      line.split(separator: "\t").first.map { String($0.trimmingPrefix("hw ")) }
    }
    #expect(names.count > 60)
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
