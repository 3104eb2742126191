import JSON
import Output
import System

/// Hints for mistyped command lines whose words mean something in another command or program.
enum UsageHint {
  /// Commands of other programs, and their counterparts here.
  private static let otherNames = [
    "doctor": ["check", "--self"], "man": ["help"], "server": ["serve"], "auth": ["help", "environment"],
    "login": ["help", "environment"],
  ]

  private static let listVerbs = ["list", "ls", "all", "index", "near", "nearby", "available"]

  /// Rows of synonyms. A suite uses one verb of a row.
  private static let verbs = [
    listVerbs, ["show", "get", "info", "view", "describe", "details", "cat"],
    ["add", "create", "new", "insert"], ["delete", "remove", "forget", "unset", "rm", "del", "drop"],
    ["clear", "clean", "purge", "flush"], ["edit", "update", "change", "modify", "set"],
    ["rent", "book", "take", "borrow", "unlock"], ["return", "give", "lock", "unrent"],
    ["watch", "start", "run", "live", "follow"], ["search", "find", "lookup", "query"],
    ["copy", "backup", "cp", "dump"], ["verify", "check", "fsck"], ["tiles", "guess"],
    ["top", "rank", "ranking", "leaderboard"], ["rotate", "renew", "token"],
  ]

  /// Names of an option in other programs, and the options here, the best first.
  private static let otherOptions: [String: [String]] = [
    "port": ["listen"], "bind": ["listen"], "address": ["listen"], "date": ["on", "since"],
    "day": ["on", "since"], "from": ["since"], "to": ["until", "at"], "after": ["since"], "before": ["until"],
    "month": ["since"], "next": ["upcoming"], "future": ["upcoming"], "playoffs": ["postseason"],
    "distance": ["radius"], "within": ["radius"], "nearest": ["near"], "against": ["vs"], "hide": ["reveal"],
    "last": ["limit"], "count": ["limit"], "max": ["limit"], "head": ["limit"], "first": ["limit"],
    "filter": ["where"], "grep": ["where"], "columns": ["fields"], "select": ["fields"], "silent": ["quiet"],
    "force": ["yes"], "confirm": ["yes"], "token": ["key-file", "token-file"], "key": ["key-file"],
    "api-key": ["key-file"], "server": ["url"], "host": ["url"], "sort-by": ["sort"], "order-by": ["sort"],
    "order": ["sort"], "user": ["player"], "position": ["near", "at"], "location": ["near", "at"],
    "follow": ["watch"], "lat": ["near", "at"], "lon": ["near", "at"], "every": ["watch"],
    "interval": ["watch"], "poll": ["watch"], "cached": ["max-age"],
  ]

  /// Options of other programs without a counterpart, and alternatives.
  private static let otherWays: [String: String] = [
    "yaml": "write JSON and convert it: '--json | yq -P'",
    "jq": "write JSON and pipe it: '--json | jq FILTER'",
    "desc": "write '--sort -FIELD' for descending order",
    "reverse": "write '--sort -FIELD' for descending order",
    "markdown": "did you mean '-o markdown'?",
    "page": "a list has no pages: '--limit N' shows its first N rows",
    "offset": "a list has no offset: '--limit N' shows its first N rows",
    "offline": "use '--max-age SECONDS' for cached responses, or '--demo' for sample data",
    "daemon": "end the command with '&', or use systemd: 'hw help server'",
  ]

  /// Hint for an unknown command: a topic of help, or a command of a suite.
  static func command(_ name: String, in program: Program) -> String? {
    var found: [[String]] = []
    let parts = name.split { " /:.".contains($0) }.map(String.init)
    if parts.count == 2, (try? program.command(parts)) != nil { return question([parts], program) }
    if Topic.all(program).contains(where: { $0.name == name }) { found.append(["help", name]) }
    if let other = otherNames[name] { found.append(other) }
    found += program.suites.filter { $0.commands.contains { $0.name == name } }.map { [$0.name, name] }
    return question(found, program)
  }

  /// Hint for an unknown command of a suite: help about it, or a tool.
  static func command(_ name: String, of suite: Suite, in program: Program) -> String? {
    if let known = suite.replacements.first(where: { $0.name == name }) { return known.hint }
    if let tool = program.tool(named: name) { return question([[tool.name]], program) }
    guard let row = verbs.first(where: { $0.contains(name) }) else { return nil }
    var found = suite.commands.filter { row.contains($0.name) }
    // A suite can name commands after its objects: `players` lists or searches them, `player` shows one.
    if found.isEmpty, row[0] == "show" {
      found += suite.commands.filter { one in suite.commands.contains { $0.name == "\(one.name)s" } }
    }
    if found.isEmpty, row[0] == "search" {
      found += suite.commands.filter { $0.summary.hasPrefix("Search ") }
    }
    if found.isEmpty, ["list", "show", "search"].contains(row[0]) {
      let first = suite.commands.first { $0.output.list != nil }
      found = suite.commands.filter { $0 === first || $0.summary.hasPrefix("List ") }
      if let list = found.first(where: { $0.name == "list" }) { found = [list] }
    }
    return question(found.map { [suite.name, $0.name] }, program)
  }

  /// Hint for an unexpected operand: a command, the option that accepts it, or the usage.
  static func operand(
    _ word: String, of command: Command, _ options: [OptionDeclaration], suite: String?, in program: Program
  ) -> String? {
    guard !command.name.isEmpty else { return nil }
    if word.hasPrefix("–") || word.hasPrefix("—") { return "an option begins with '--'" }
    let others = suite.flatMap { program.suite(named: $0)?.commands } ?? []
    let name = listVerbs.contains(word) ? "\(command.name)s" : word
    let other =
      others.first { $0.name == name }.map { [$0.name] }
      ?? others.first { one in
        "\(one.name)s" == command.name && one.operands.contains { $0.declaration.value.accepts(word) }
      }.map { [$0.name, word] }
    if let suite, let other, let hint = question([[suite] + other], program) { return hint }
    if word.contains(","), let hint = fields(word, of: command) { return hint }
    if word.hasPrefix("."), let way = otherWays["jq"] { return way }
    // A number suggests only a season or a limit: many options accept one. An option that accepts '?' accepts any text.
    let isYear = Int(word).map { (1946...2100).contains($0) } ?? false
    let season = options.first { $0.name == "season" && isYear }
    let isNumber = JSON.Number(word) != nil
    let meant =
      season
      ?? options.first { option in
        switch option.name {
        case ListOptions.limit.declaration.name: Int(word) != nil
        case "name", "player": !isNumber
        case "lang": false
        default: !isNumber && option.accepts(word) && !option.accepts("?")
        }
      }
    if let option = options.first(where: { $0.name == word }) { return "did you mean '\(option.spelling)'?" }
    if let meant { return "did you mean '\(meant.spelling) \(ShellWord(word).quoted)'?" }
    if let hint = fields(word, of: command) { return hint }
    if options.contains(where: { $0.name == "near" }) { return "a place is written '--near LAT,LON'" }
    let usage = Page.command(command, suite: suite, in: program).usageLines.map { "usage: \($0)" }
    return (usage + ["see '\(Page.name(of: command, suite: suite, in: program)) --help'"]).joined(
      separator: "\n")
  }

  /// Hint for names of fields without their option, as gh takes them: `--json alias,channels`.
  static func fields(_ list: String, of command: Command) -> String? {
    guard (try? FieldSelection.check(list, of: command.output.columns)) != nil else { return nil }
    return "did you mean '--fields \(ShellWord(list).quoted)'?"
  }

  /// Hint for operands after the value of an option that takes a list: `--fields a b`.
  static func list(_ operand: String, _ typed: [String], _ options: [OptionDeclaration]) -> String? {
    guard let at = typed.lastIndex(of: operand),
      let start = typed[..<at].lastIndex(where: { $0.hasPrefix("-") }), start < at - 1,
      let option = options.first(where: { $0.spelling == typed[start] }),
      // Names of values that are lists: `LIST` of --fields, `FIELD[,-FIELD...]` of --sort.
      let name = option.value?.valueName, name == "LIST" || name.contains(",-")
    else { return nil }
    var values = typed[(start + 1)...].prefix { !$0.hasPrefix("-") }.map {
      $0.replacing(",", with: " ").trimmed
    }
    if let direction = values.last, direction == "desc" || direction == "asc", values.count == 2 {
      values = [(direction == "desc" ? "-" : "") + values[0]]
    }
    return "write '\(option.spelling) \(ShellWord(values.joined(separator: ",")).quoted)'"
  }

  /// Long name of a letter in other programs: `-f` is `--force` where something is lost.
  static func longName(_ letter: Character, value: String?, _ options: [OptionDeclaration]) -> String? {
    func has(_ name: String) -> Bool { options.contains { $0.name == name } }
    let isLoss = has("yes") && value.flatMap(Format.init(rawValue:)) == nil
    let names: [Character: String] = [
      "f": isLoss ? "force" : "format", "l": "limit", "L": "limit", "V": "version",
    ]
    return names[letter].flatMap { $0 == "limit" && !has($0) ? nil : $0 }
  }

  /// Hint for a value that another option accepts, whose name ends with the name of this one.
  static func value(
    _ text: String, of option: OptionDeclaration, options: [OptionDeclaration], columns: [Column]
  ) -> String? {
    if option.name == StandardOptions.output.declaration.name, text == "text" {
      return "text is the default of the commands that print it: leave out the option"
    }
    let other = options.first { other in
      other.name.hasSuffix("-\(option.name)") && other.accepts(text)
    }
    if let other { return "did you mean '--\(other.name) \(ShellWord(text).quoted)'?" }
    // A word from the meaning of a choice: '--by capacity'.
    let meant =
      option.value?.choices.filter { $0.meaning.split(separator: " ").contains { $0 == text } } ?? []
    if meant.count == 1 { return "did you mean '\(meant[0].name)'?" }
    if option === StandardOptions.output.declaration, text.contains(".") {
      return "did you mean '--output-file \(ShellWord(text).quoted)'?"
    }
    // Of the standard options only --color has the name of a field: '--color red' of a list of bikes.
    guard option === StandardOptions.color.declaration else { return nil }
    return condition(option.name, text, options, columns)
  }

  /// Hint for the name of a field used as an option.
  private static func condition(
    _ name: String, _ value: String?, _ options: [OptionDeclaration], _ columns: [Column]
  ) -> String? {
    guard let value, !value.hasPrefix("-"),
      options.contains(where: { $0 === ListOptions.filter.declaration }),
      columns.contains(where: { $0.path == name })
    else { return nil }
    return "did you mean '--where \(ShellWord("\(name)=\(value)").quoted)'?"
  }

  /// Hint for an unknown option: the counterpart of an option of other programs, or an operand.
  static func option(
    _ name: String, value: String?, of command: Command, options: [OptionDeclaration]
  ) -> String? {
    let operands = command.operands.map(\.declaration)
    if name == "format" {
      return "did you mean '-o \(value.flatMap(Format.init(rawValue:))?.rawValue ?? "FORMAT")'?"
    }
    if let other = otherOptions[name]?.first(where: { other in options.contains { $0.name == other } }) {
      if let value, other == "listen", value.utf8.allSatisfy(\.isASCIIDigit) {
        return "did you mean '--listen 127.0.0.1:\(value)'?"
      }
      return "did you mean '--\(other)'?"
    }
    if let way = otherWays[name] { return way }
    if let condition = condition(name, value, options, command.output.columns) { return condition }
    let isSearch = name == "name" || name == "query"
    guard let operand = operands.first(where: { $0.name == name.uppercased() || isSearch }) else {
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

extension OptionDeclaration {
  fileprivate func accepts(_ text: String) -> Bool { value?.accepts(text) ?? false }
}

extension ValueDeclaration {
  fileprivate func accepts(_ text: String) -> Bool { (try? read(text, for: "")) != nil }
}
