import System

@testable import Command
@testable import Output

/// What a table of commands may not be. Each rule returns the problems it finds, in words; `TableLintTests` shows that
/// each finds what it is for, and that the table of `hw` has none.
enum TableLint {
  static func problems(_ program: Program) -> [String] {
    names(program) + options(program) + summaries(program) + examples(program) + references(program)
      + operands(program) + inputs(program) + fields(program) + lists(program) + losses(program)
      + meanings(program)
  }

  struct Entry {
    var name: String
    var command: Command
    var own: [OptionDeclaration] { command.options.map(\.declaration) }
  }

  static let standard = StandardOptions.all

  static func settings(_ program: Program) -> [OptionDeclaration] {
    program.allCommands.flatMap(\.command.settings).map(\.declaration) + StandardSettings.all
  }

  static func entries(_ program: Program) -> [Entry] {
    program.allCommands.map { Entry(name: $0.name, command: $0.command) }
  }

  // MARK: Names

  /// Names are lower case, and none stands for two things.
  static func names(_ program: Program) -> [String] {
    var problems: [String] = []
    let tools = program.tools.commands.map(\.name)
    let suites = program.suiteNames
    let topics = Topic.all(program).map(\.name)
    problems += repeated(suites + tools + topics).map { "two of suites, tools and topics are called '\($0)'" }
    for (name, suite) in zip(suites, program.suites) {
      if name != suite.name { problems.append("'\(suite.name)' stands in the table as '\(name)'") }
      problems += repeated(suite.commands.map(\.name)).map {
        "two commands of '\(suite.name)' are called '\($0)'"
      }
    }
    let options = entries(program).flatMap(\.own) + standard + settings(program)
    for name in suites + program.allCommands.flatMap({ $0.name.split(separator: " ").map(String.init) })
      + options.map(\.name)
    where name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) == nil {
      problems.append("'\(name)' is no lower-case name")
    }
    for option in options {
      guard let short = option.short, !(short.isASCII && (short.isLetter || short.isNumber)) else { continue }
      problems.append("'-\(short)' is no letter or digit")
    }
    for operand in program.allCommands.flatMap(\.command.operands).map(\.declaration)
    where operand.name.wholeMatch(of: /[A-Z][A-Z0-9-]*/) == nil {
      problems.append("operand '\(operand.name)' is not upper case")
    }
    return problems
  }

  // MARK: Standard input

  /// The parser lets one value of a command line be standard input: what can be is declared so.
  static func inputs(_ program: Program) -> [String] {
    entries(program).flatMap { entry in
      let options = entry.own.filter {
        "\($0.summary) \($0.details)".contains("'-' is standard input") && $0.value?.isInput != true
      }.map(\.spelling)
      let operands = entry.command.operands.map(\.declaration).filter {
        $0.summary.contains("'-'") && !$0.value.isInput
      }.map(\.name)
      return (options + operands).map { "'\($0)' of 'hw \(entry.name)' is not declared as input" }
    }
  }

  private static func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
  }

  // MARK: Options

  /// An option name and a letter mean one thing in a command, and take a value in all commands or in none: options
  /// may stand before the command's name, when nobody knows yet whose they are.
  static func options(_ program: Program) -> [String] {
    var problems: [String] = []
    for entry in entries(program) {
      let all = entry.command.allOptions
      let spellings =
        all.flatMap { ["--\($0.name)", "--no-\($0.name)"] } + all.compactMap(\.short).map { "-\($0)" }
      problems += repeated(spellings).map { "hw \(entry.name) has '\($0)' twice" }
    }
    var long: [String: (shape: String, owner: String)] = [:]
    var short: [Character: (shape: String, owner: String)] = [:]
    let owned =
      standard.map { ("every command", $0) }
      + entries(program).flatMap { entry in entry.own.map { (entry.name, $0) } }
    for (owner, option) in owned {
      let shape = option.lintShape
      if let known = long[option.name], known.shape != shape {
        problems.append("'--\(option.name)' is \(shape) in \(owner), but \(known.shape) in \(known.owner)")
      }
      long[option.name] = long[option.name] ?? (shape, owner)
      guard let letter = option.short else { continue }
      let takes = option.value == nil ? "without a value" : "with a value"
      if let known = short[letter], known.shape != takes {
        problems.append("'-\(letter)' is \(takes) in \(owner), but \(known.shape) in \(known.owner)")
      }
      short[letter] = short[letter] ?? (takes, owner)
    }
    return problems
  }

  // MARK: Words

  /// Everything is summed up in one phrase that fits a line.
  static func summaries(_ program: Program) -> [String] {
    var phrases = [(program.name, program.summary)] + program.suites.map { ($0.name, $0.summary) }
    for entry in entries(program) {
      phrases.append((entry.name, entry.command.summary))
      phrases += entry.own.map { ("\(entry.name) --\($0.name)", $0.summary) }
      phrases += entry.command.operands.map(\.declaration).map { ("\(entry.name) \($0.name)", $0.summary) }
    }
    phrases += standard.map { ("--\($0.name)", $0.summary) }
    phrases += settings(program).map { ($0.name, $0.summary) }
    return phrases.flatMap { subject, summary in
      var problems: [String] = []
      if summary.isEmpty { problems.append("'\(subject)' has no summary") }
      if summary.first?.isLowercase == true {
        problems.append("the summary of '\(subject)' begins with a small letter")
      }
      if summary.hasSuffix(".") { problems.append("the summary of '\(subject)' ends with a full stop") }
      if summary.count > 80 || summary.contains("\n") {
        problems.append("the summary of '\(subject)' is longer than a line")
      }
      return problems
    }
      + (entries(program).flatMap(\.own) + standard + settings(program)).flatMap { option in
        // Names such as East and West need no meaning; of other choices each has one.
        let choices = option.value?.choices ?? []
        return choices.filter { $0.meaning.isEmpty && choices.contains { !$0.meaning.isEmpty } }
          .map { "choice '\($0.name)' of '--\(option.name)' has no meaning" }
      }
  }

  // MARK: Examples

  /// Every command is shown in use, by command lines that the parser takes; the first one of them is its own.
  static func examples(_ program: Program) -> [String] {
    entries(program).flatMap { entry -> [String] in
      guard !entry.command.examples.isEmpty else { return ["'\(entry.name)' has no example"] }
      return entry.command.examples.flatMap { example -> [String] in
        var problems: [String] = []
        if example.meaning.isEmpty { problems.append("'\(example.command)' is not explained") }
        // A failure belongs in a test. A negative result is one that the command line requests.
        if example.exits != 0, example.exits != 1 || !example.command.contains("--exit-status") {
          problems.append("'\(example.command)' ends with status \(example.exits)")
        }
        let calls = ShellPrograms.calls(of: program.name, in: example.command)
        let results = calls.map { parse($0, program) }
        for case .failure(let failure) in results where example.exits != failure.kind.exitCode {
          problems.append("'\(example.command)' does not parse: \(failure.message)")
        }
        let named = results.compactMap { try? $0.get() } + calls.map { $0.joined(separator: " ") }
        if !named.contains(where: { $0.hasPrefix(entry.name) || $0.contains(entry.name) }) {
          problems.append("'\(example.command)' is no example of '\(entry.name)'")
        }
        return problems
      }
    }
  }

  /// The name of the command that a command line calls.
  private static func parse(_ words: [String], _ program: Program) -> Result<String, Failure> {
    do throws(Failure) {
      let (target, rest) = try CommandLocator(program: program).locate(words)
      guard case .command(let command, let suite) = target else { return .success("") }
      _ = try Parser(command: command, suite: suite).parse(rest)
      return .success([suite, command.name].compactMap { $0 }.joined(separator: " "))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Cross-references

  /// What the texts speak of is there: 'hw suite command' in quotes, and '--option' anywhere.
  static func references(_ program: Program) -> [String] {
    let everywhere = entries(program).flatMap(\.own) + standard
    var texts: [(where: String, text: String, options: [OptionDeclaration])] = []
    for entry in entries(program) {
      let own = entry.own + standard
      texts.append((entry.name, entry.command.discussion, own))
      texts += own.map { ("\(entry.name) --\($0.name)", $0.summary + " " + $0.details, own) }
      texts += entry.command.output.columns.map { (entry.name, $0.meaning, own) }
    }
    texts += program.suites.map { ($0.name, $0.discussion, everywhere) }
    texts += Topic.all(program).map { ($0.name, $0.page(in: program).full(), everywhere) }
    return texts.flatMap { place, text, options in
      // A break of the source line that stayed in the text.
      (text.contains(" \\ ") ? ["'\(place)' has a stray backslash"] : [])
        + unknownOptions(in: text, options, program).map {
          "'\(place)' speaks of '\($0)', which is not there"
        } + unknownCommands(in: text, program).map { "'\(place)' speaks of '\($0)', which is not there" }
    }
  }

  /// What a plug-in has to answer to.
  private static let plugInOptions = ["--hw-complete"]

  private static func unknownOptions(
    in text: String, _ options: [OptionDeclaration], _ program: Program
  ) -> [String] {
    // An option of a quoted command line is one of that command.
    let own = text.replacing(/'hw(?: [a-z][a-z-]*)+ [^']*--[^']*'/) { quoted in
      let words = quoted.output.dropFirst().dropLast().split(separator: " ").dropFirst().map(String.init)
      let names = words.prefix { $0.first?.isLowercase == true }
      guard let command = try? program.command(Array(names)) else { return String(quoted.output) }
      let options = command.options.map(\.declaration) + StandardOptions.all
      return unknownOptions(words.joined(separator: " "), options).joined(separator: " ")
    }
    // A line of another program has the options of that one.
    let lines = own.split(separator: "\n").filter { $0.firstMatch(of: otherPrograms) == nil }
    return unknownOptions(lines.joined(separator: "\n"), options)
  }

  private static var otherPrograms: Regex<Substring> { /\b(?:createdb|createuser|curl|rsync) -/ }

  private static func unknownOptions(_ text: String, _ options: [OptionDeclaration]) -> [String] {
    let known = Set(options.flatMap { ["--\($0.name)", "--no-\($0.name)"] }).union(plugInOptions)
    return text.matches(of: /(?:^|[^A-Za-z0-9-])(--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?![A-Za-z-])/).map {
      String($0.output.1)
    }.filter { !known.contains($0) }
  }

  private static func unknownCommands(in text: String, _ program: Program) -> [String] {
    text.matches(of: /'hw((?: [a-z][a-z-]*)+)/).compactMap { match in
      let words = match.output.1.split(separator: " ").map(String.init)
      if program.tools.commands.contains(where: { $0.name == words[0] }) { return nil }
      guard let suite = program.suites.first(where: { $0.name == words[0] }) else { return "hw \(words[0])" }
      guard words.count > 1, !suite.commands.contains(where: { $0.name == words[1] }) else { return nil }
      return "hw \(words[0]) \(words[1])"
    }
  }

  // MARK: Operands and fields

  /// What may be left out stands after what must be given, and a rest is the last.
  static func operands(_ program: Program) -> [String] {
    entries(program).flatMap { entry in
      let counts = entry.command.operands.map(\.declaration)
      return zip(counts, counts.dropFirst()).compactMap { operand, next in
        switch (operand.count, next.count) {
        case (.rest, .afterDashes): break
        case (.optional, .one), (.rest, _), (.afterDashes, _):
          return "'\(entry.name)': \(next.name) cannot follow \(operand.name)"
        default: break
        }
        return nil
      }
    }
  }

  /// A field has a meaning and a title of its own, and no path is inside another that is a value.
  static func fields(_ program: Program) -> [String] {
    entries(program).flatMap { entry in
      let paths = entry.command.output.columns.map(\.path)
      var problems = repeated(paths).map { "'\(entry.name)' has the field '\($0)' twice" }
      for path in paths where paths.contains(where: { $0.hasPrefix(path + ".") }) {
        problems.append("'\(entry.name)': the field '\(path)' is a value and has parts")
      }
      for column in entry.command.output.columns where column.meaning.isEmpty {
        problems.append("'\(entry.name)': the field '\(column.path)' has no meaning")
      }
      let columns = entry.command.output.columns
      // A title can be used as the name of its field, and means the same to every option.
      for column in columns {
        for name in [column.path, column.title, column.title.lowercased()] {
          let selected = (try? FieldSelection(name, of: columns).columns) ?? []
          let found = try? FieldSelection.one(name, of: columns).column
          let isPrefix = columns.contains { $0.path.hasPrefix("\(name).") }
          guard found != column || !isPrefix && selected != [column] else { continue }
          problems.append("'\(entry.name)': '\(name)' is another field than '\(column.path)'")
        }
      }
      // Tests of --where and --sort compare the printed value, or the meaning says what they compare.
      for column in columns
      where column.hasSortValue && column.scale == nil && !column.isFlattened
        && !column.meaning.contains(/\bafter\b|sorted by/)
      { problems.append("'\(entry.name)': --sort compares another value than that of '\(column.path)'") }
      problems += repeated(entry.command.output.columns.map { $0.title.lowercased() }).map {
        "'\(entry.name)' has the title '\($0)' twice"
      }
      for path in paths where path == "all" || path == "help" {
        problems.append("'\(entry.name)': '\(path)' means something to --fields")
      }
      return problems
    }
  }
}

extension OptionDeclaration {
  /// What has to be the same wherever an option has this name.
  fileprivate var lintShape: String {
    let letter = short.map { " -\($0)" } ?? ""
    return switch kind {
    case .flag: "a flag\(letter)"
    case .counter: "a counter\(letter)"
    case .value: "an option with a value\(letter)"
    case .list: "an option with values\(letter)"
    case .shorthand: "a shorthand\(letter)"
    }
  }
}
