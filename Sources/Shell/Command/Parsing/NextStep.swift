import Output
import System

/// Hints for words that are unknown where they were written, but mean something elsewhere.
enum NextStep {
  /// Commands of other programs, and what has their purpose here.
  private static let otherNames = ["doctor": ["check", "--self"], "man": ["help"], "server": ["serve"]]

  /// Verbs for the same purpose: a suite has one of each row.
  private static let verbs = [
    ["list", "ls", "all", "index"], ["show", "get", "info", "view", "describe", "details", "cat"],
    ["add", "create", "new", "insert"], ["delete", "remove", "forget", "unset", "rm", "del", "drop"],
    ["clear", "clean", "purge", "flush"], ["edit", "update", "change", "modify", "set"],
    ["rent", "book", "take", "borrow", "unlock"], ["return", "give", "lock"],
    ["watch", "start", "run", "live", "follow"], ["search", "find", "lookup", "query"],
    ["copy", "backup", "cp", "dump"], ["verify", "check", "fsck"], ["tiles", "guess"],
    ["top", "rank", "ranking", "leaderboard"], ["rotate", "renew", "token"],
  ]

  /// Names that other programs have for an option, and the options here, the best first.
  private static let otherOptions: [String: [String]] = [
    "port": ["listen"], "bind": ["listen"], "address": ["listen"], "date": ["on", "since"],
    "day": ["on", "since"],
    "from": ["since"], "to": ["until"], "after": ["since"], "before": ["until"], "last": ["limit"],
    "count": ["limit"], "max": ["limit"], "head": ["limit"], "first": ["limit"], "filter": ["where"],
    "grep": ["where"], "columns": ["fields"], "select": ["fields"], "silent": ["quiet"], "force": ["yes"],
    "confirm": ["yes"], "token": ["token-file"], "key": ["key-file"], "server": ["url"], "host": ["url"],
    "offline": ["demo"], "position": ["near", "at"], "location": ["near", "at"], "follow": ["watch"],
  ]

  /// For an unknown command of the program: a topic of help, or a command of a suite.
  static func command(_ name: String, in program: Program) -> String? {
    var found: [[String]] = []
    let parts = name.split { " /:.".contains($0) }.map(String.init)
    if parts.count == 2, (try? program.command(parts)) != nil {
      return question([parts], program)
    }
    if Topic.all(program).contains(where: { $0.name == name }) { found.append(["help", name]) }
    if let other = otherNames[name] { found.append(other) }
    found += program.suites.filter { $0.commands.contains { $0.name == name } }.map { [$0.name, name] }
    return question(found, program)
  }

  /// For an unknown command of a suite: help about it, or a command that belongs to no suite.
  static func command(_ name: String, of suite: Suite, in program: Program) -> String? {
    if let known = suite.replacements.first(where: { $0.name == name }) { return known.hint }
    if name == "help" { return question([["help", suite.name]], program) }
    if let tool = program.tools.commands.first(where: { $0.name == name }) {
      return question([[tool.name]], program)
    }
    guard let row = verbs.first(where: { $0.contains(name) }) else { return nil }
    var found = suite.commands.filter { row.contains($0.name) }
    // A suite can list and show its objects with a command of another name.
    if found.isEmpty, row[0] == "list" || row[0] == "show" {
      found = suite.commands.filter { $0.summary.hasPrefix("List ") }
    }
    return question(found.map { [suite.name, $0.name] }, program)
  }

  /// For an operand too many: the command for one object of a list, `team` for `teams`.
  static func operand(_ word: String, of command: Command, suite: String?, in program: Program) -> String? {
    if word.hasPrefix("–") || word.hasPrefix("—") { return "an option begins with '--'" }
    guard let suite, command.name.hasSuffix("s") else { return nil }
    let other = program.suite(named: suite)?.commands.first { $0.name == command.name.dropLast() }
    guard let other, !other.operands.isEmpty else { return nil }
    return question([[suite, other.name, word]], program)
  }

  /// For a missing operand: its meaning.
  static func missing(_ operand: OperandDeclaration, of command: Command, suite: String?, in program: Program)
    -> String
  {
    let page = Page.name(of: command, suite: suite, in: program)
    return "\(operand.name): \(operand.summary)\nsee '\(page) --help'"
  }

  /// For an unknown option: the name that other programs have for an option, or an operand.
  static func option(
    _ name: String, value: String?, operands: [OperandDeclaration], options: [OptionDeclaration]
  ) -> String? {
    if name == "format" {
      return "did you mean '-o \(value.flatMap(Format.init(rawValue:))?.rawValue ?? "FORMAT")'?"
    }
    if let other = otherOptions[name]?.first(where: { other in options.contains { $0.name == other } }) {
      if let value, other == "listen", value.utf8.allSatisfy(\.isASCIIDigit) {
        return "did you mean '--listen 127.0.0.1:\(value)'?"
      }
      return "did you mean '--\(other)'?"
    }
    guard let operand = operands.first(where: { $0.name == name.uppercased() }) else {
      return options.first { $0.name.split(separator: "-").dropFirst().contains { $0 == name } }.map {
        "did you mean '\($0.spelling)'?"
      }
    }
    guard let value, !value.hasPrefix("-") else { return "\(operand.name) is an operand" }
    return "\(operand.name) is an operand: write \(ShellWord(value).quoted) without '--\(name)'"
  }

  private static func question(_ commands: [[String]], _ program: Program) -> String? {
    let names = commands.map { ShellWord.command([program.name] + $0) }
    guard let last = names.last else { return nil }
    let list = names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) or \(last)"
    return "did you mean \(list)?"
  }
}
