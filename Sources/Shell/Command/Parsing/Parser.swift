import Output
import System

/// Parses the words after a command's name by its declaration. Long and short options, short ones bundled, values as
/// `--opt value`, `--opt=value`, `-n5` or `-n 5`; `--no-opt` cancels earlier values; `--` ends the options; a lone `-`
/// is an operand. Options cannot be abbreviated, so scripts keep their meaning when options are added.
struct Parser {
  private let command: Command
  private let suite: String?
  private let program: Program?
  /// Made for the first word that is an option: most command lines are short.
  private lazy var options = command.allOptions
  private var inputOperands = 0
  private var endsWithDashes = false

  init(command: Command, suite: String?, program: Program? = nil) {
    self.command = command
    self.suite = suite
    self.program = program
  }

  enum Outcome {
    case run(Invocation)
    /// Help with the options that shape it.
    case help(full: Bool, Invocation)
    case version
  }

  /// `words` are all typed words except the names of suite and command.
  func parse(_ words: [String]) throws(Failure) -> Outcome {
    var parser = self
    return try parser.read(words)
  }

  private mutating func read(_ words: [String]) throws(Failure) -> Outcome {
    var call = Invocation(command, suite: suite)
    var operands: [String] = []
    do throws(Failure) {
      if let outcome = try readOptions(words, &operands, &call) { return outcome }
    } catch {
      // The help of an invalid option was requested.
      guard words.prefix(while: { $0 != "--" }).contains("--help") else { throw error }
      return .help(full: true, call)
    }
    try bind(operands, &call, typed: words)
    try checkInput(call)
    for exclusion in command.exclusions { try exclusion.check(call) }
    return .run(call)
  }

  /// Returns the outcome of an option that replaces the command: `--help`, `--version`.
  private mutating func readOptions(
    _ words: [String], _ operands: inout [String], _ call: inout Invocation
  ) throws(Failure) -> Outcome? {
    var words = words[...]
    while let word = words.popFirst() {
      if word == "--" {
        endsWithDashes = words.isEmpty
        if let last = command.operands.last?.declaration, last.count == .afterDashes {
          try bindAll(words, to: last, &call)
        } else {
          operands.append(contentsOf: words)
        }
        break
      } else if word.hasPrefix("--") {
        if let outcome = try readLong(word, &words, &call) { return outcome }
      } else if word.hasPrefix("-"), word != "-" {
        if let outcome = try readShort(word, &words, &call) { return outcome }
      } else {
        operands.append(word)
      }
    }
    return nil
  }

  /// Whether an invalid command line requests JSON: then its failure is JSON as well.
  static func prefersJSON(_ words: [String]) -> Bool {
    let parser = Parser(command: .withoutOwnOptions, suite: nil)
    let output = StandardOptions.output.declaration
    var prefersJSON = false
    for (word, next) in zip(words, words.dropFirst() + [""]) where word.hasPrefix("-") {
      if word == "--" { break }
      let result = (try? parser.parse([word])) ?? (try? parser.parse([word, next]))
      guard case .run(let call)? = result, call.isDecided(output) else { continue }
      prefersJSON = call[StandardOptions.output]?.isJSON ?? false
    }
    return prefersJSON
  }

  private mutating func readLong(
    _ word: String, _ words: inout ArraySlice<String>, _ call: inout Invocation
  ) throws(Failure) -> Outcome? {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let typed = "--\(name)"
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if let option = options.first(where: { $0.name == name }) {
      return try apply(option, typed, attached, &words, &call)
    }
    guard name.hasPrefix("no-"), let option = options.first(where: { $0.name == name.dropFirst(3) }) else {
      if let known = command.replacement(of: name, suite: suite, in: program) { throw known.failure(typed) }
      let hint = UsageHint.option(name, value: attached ?? words.first, of: command, options: options)
      throw unknown(name.isEmpty ? word : typed, hint: hint)
    }
    guard attached == nil else { throw takesNoValue(typed) }
    let target = if case .shorthand(let long, _) = option.kind { long } else { option.name }
    if let option = options.first(where: { $0.name == target }) { call.negate(option, typed: typed) }
    return nil
  }

  /// Reads short options that share a dash: `-qn5`.
  private mutating func readShort(
    _ word: String, _ words: inout ArraySlice<String>, _ call: inout Invocation
  ) throws(Failure) -> Outcome? {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let typed = "-\(letter)"
      guard let option = options.first(where: { $0.short == letter }) else {
        if options.contains(where: { "-\($0.name)" == word }) {
          throw unknown(typed, hint: "did you mean '-\(word)'?")
        }
        let long = UsageHint.longName(letter, value: words.first, options)
        throw unknown(
          typed,
          hint: long.flatMap { UsageHint.option($0, value: words.first, of: command, options: options) }
            ?? long.map { "did you mean '--\($0)'?" })
      }
      var attached: String?
      if option.value != nil, !letters.isEmpty {
        attached = String(letters.first == "=" ? letters.dropFirst() : letters)
        letters = ""
      }
      guard letters.first != "=" else { throw takesNoValue(typed) }
      if let outcome = try apply(option, typed, attached, &words, &call) { return outcome }
    }
    return nil
  }

  private mutating func apply(
    _ option: OptionDeclaration, _ typed: String, _ attached: String?, _ words: inout ArraySlice<String>,
    _ call: inout Invocation
  ) throws(Failure) -> Outcome? {
    if let value = option.value {
      guard let text = attached ?? words.popFirst() else {
        throw Failure(
          .usage, "'\(typed)' requires a value: \(value.valueName)",
          hint: value.valueName.hasPrefix("'")
            ? "write: \(typed) \(value.valueName)" : "write '\(typed) \(value.valueName)'")
      }
      if attached == nil, typed.hasPrefix("--"), options.contains(where: { text == "--\($0.name)" }) {
        throw Failure(
          .usage, "'\(typed)' requires a value: \(value.valueName)",
          hint: "'\(text)' is an option; as a value, write '\(typed)=\(text)'")
      }
      let read = try valueOf(option, value, text, typed)
      try refuseTwoAddresses(option, typed, text, call)
      if case .list = option.kind {
        call.append(option, read, typed: typed)
      } else {
        call.set(option, to: read, text: text, typed: typed)
      }
      return nil
    }
    guard attached == nil else { throw takesNoValue(typed, attached) }
    switch option.kind {
    case .counter: call.count(option, typed: typed)
    case .shorthand(let name, let text):
      guard let long = options.first(where: { $0.name == name }), let value = long.value else { break }
      try refuseTwoAddresses(long, typed, text, call)
      call.set(long, to: try value.read(text, for: typed), text: text, typed: typed)
    // Options with a value have returned above.
    case .flag, .value, .list:
      if option.name == StandardOptions.help.declaration.name {
        readHelpOptions(&words, &call)
        return .help(full: typed != "-h", call)
      }
      if option.name == StandardOptions.version.declaration.name { return .version }
      call.set(option, to: true, typed: typed)
    }
    return nil
  }

  /// Refuses `--demo` and `--url` for two services. The last value of any other option counts.
  private func refuseTwoAddresses(
    _ option: OptionDeclaration, _ typed: String, _ text: String, _ call: Invocation
  ) throws(Failure) {
    guard option === StandardOptions.url.declaration,
      let other = call.earlierName(of: option, typed: typed, text: text)
    else { return }
    throw Failure(.usage, "'\(typed)' and '\(other)' exclude each other", hint: "remove one of them")
  }

  /// Reads the options after `--help` that shape its page, and ignores all other words.
  private mutating func readHelpOptions(_ words: inout ArraySlice<String>, _ call: inout Invocation) {
    while let word = words.popFirst(), word != "--" {
      if word.hasPrefix("--") { _ = try? readLong(word, &words, &call) }
    }
  }

  private mutating func valueOf(
    _ option: OptionDeclaration, _ value: ValueDeclaration, _ text: String, _ typed: String
  ) throws(Failure) -> any Sendable {
    do throws(Failure) {
      return try value.read(text, for: typed)
    } catch {
      var failure = error
      failure.hint =
        UsageHint.value(text, of: option, options: options, columns: command.output.columns)
        ?? failure.hint
      throw failure
    }
  }

  /// Standard input can be read only once.
  private mutating func checkInput(_ call: Invocation) throws(Failure) {
    let named = Set(call.options.filter { $0.text == "-" }.map(\.name))
    let readers = named.isEmpty ? 0 : options.count { named.contains($0.name) && $0.value?.isInput == true }
    guard readers + inputOperands > 1 else { return }
    throw Failure(
      .usage, "'-' can be used only once", hint: "standard input is read once; name a file instead")
  }

  private mutating func bind(
    _ operands: [String], _ call: inout Invocation, typed: [String]
  ) throws(Failure) {
    var words = operands[...]
    for operand in command.operands.map(\.declaration) {
      switch operand.count {
      case .one, .optional:
        guard let word = words.popFirst() else {
          if operand.count == .optional { continue }
          throw missing(operand)
        }
        call.bind(operand, to: try read(word, operand))
      case .rest:
        try bindAll(words, to: operand, &call)
        words = []
      case .afterDashes: if endsWithDashes { throw missing(operand) }
      }
    }
    if let word = words.first {
      throw Failure(
        .usage, "unexpected operand '\(word)'",
        hint: call.isGiven(StandardOptions.configuration)
          ? "set HW_CONFIG to the path of another configuration file"
          : program.flatMap {
            UsageHint.list(word, typed, options)
              ?? UsageHint.operand(word, of: command, options, suite: suite, in: $0)
          })
    }
  }

  private mutating func bindAll(
    _ words: ArraySlice<String>, to operand: OperandDeclaration, _ call: inout Invocation
  ) throws(Failure) {
    var values: [any Sendable] = []
    for word in words { values.append(try read(word, operand)) }
    if !values.isEmpty { call.bind(operand, to: values) }
  }

  private mutating func read(_ word: String, _ operand: OperandDeclaration) throws(Failure) -> any Sendable {
    if word == "-", operand.value.isInput { inputOperands += 1 }
    return try operand.value.read(word, for: operand.name)
  }

  private func missing(_ operand: OperandDeclaration) -> Failure {
    Failure(
      .usage, "missing operand \(operand.name)",
      hint: program.map { program in
        let name = Page.name(of: command, suite: suite, in: program)
        return "\(operand.name): \(operand.summary)\nsee '\(name) --help'"
      })
  }

  private func takesNoValue(_ typed: String, _ value: String? = nil) -> Failure {
    Failure(
      .usage, "'\(typed)' takes no value",
      hint: value.flatMap { UsageHint.fields($0, of: command) })
  }

  private mutating func unknown(_ typed: String, hint: String? = nil) -> Failure {
    // Any two letters are similar, so only the same letter in upper or lower case is suggested.
    let short = options.compactMap(\.short).first { typed.lowercased() == "-\($0)".lowercased() }
    let near =
      short.map { "-\($0)" }
      ?? Suggestion.nearest(
        to: String(typed.dropFirst(2)), among: options.map { String($0.spelling.dropFirst(2)) }
      )
      .map { "--\($0)" }
    let names = command.optionsToName.map(\.spelling).joined(separator: ", ")
    return Failure(
      .usage, "unknown option '\(typed)'",
      hint: hint ?? near.map { "did you mean '\($0)'?" }
        ?? (names.isEmpty ? nil : "options: \(names); 'hw help options' lists more"))
  }
}
