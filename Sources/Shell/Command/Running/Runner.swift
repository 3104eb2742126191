import HTTP
import Output
import System
import Terminal

/// Runs a command line, from its words to the report of its failure. Only `main` ends the process.
public struct Runner {
  let program: Program
  let host: Host

  public init(_ program: Program, _ host: Host) {
    self.program = program
    self.host = host
  }

  /// Runs a command line; returns the exit status, or the reported failure.
  public func run(_ arguments: () throws(Failure) -> [String]) -> Result<ExitStatus, Failure> {
    do throws(Failure) {
      return run(try arguments())
    } catch {
      host.errors.report(error, asJSON: false)
      return .failure(error)
    }
  }

  func run(_ words: [String]) -> Result<ExitStatus, Failure> {
    let outlet = Outlet(host.output.bytes, checkInterruption: Interruption.check)
    // Until the settings are read, the words decide whether a failure is reported as JSON.
    var prefersJSON: Bool?
    do throws(Failure) {
      let status: ExitStatus
      do throws(Failure) {
        status = try dispatch(words, outlet, &prefersJSON)
      } catch {
        try flush(outlet, after: error, asJSON: prefersJSON ?? Parser.prefersJSON(words))
        throw error
      }
      try outlet.finish()
      return .success(status)
    } catch {
      host.errors.report(error, asJSON: prefersJSON ?? Parser.prefersJSON(words))
      return .failure(error)
    }
  }

  /// Writes the rows before a failure, which are part of the output. If that fails, reports both failures: the first
  /// may describe effects of a change.
  private func flush(_ outlet: Outlet, after failure: Failure, asJSON: Bool) throws(Failure) {
    guard failure.kind != .closedPipe else { return }
    do throws(Failure) {
      try outlet.flush()
    } catch {
      guard error.kind != .closedPipe else { return }
      host.errors.report(failure, asJSON: asJSON)
      throw error
    }
  }

  private func dispatch(
    _ words: [String], _ outlet: Outlet, _ prefersJSON: inout Bool?
  ) throws(Failure) -> ExitStatus {
    // Installers and smoke checks use this: it needs no declaration.
    if words == ["--version"] { return try version(outlet) }
    let locator = CommandLocator(program: program)
    let (target, rest) = try locator.locate(words)
    switch target {
    case .program:
      let plugIns = PlugIns(program: program, environment: host.environment)
      let aliases = try Aliases.effective(program, host.environment, options: rest)
      return try page(
        .program(program, aliases: aliases.all, plugIns: plugIns.names), program.name, rest, outlet)
    case .suite(let suite):
      return try page(.suite(suite, in: program), "\(program.name) \(suite.name)", rest, outlet)
    case .unknown(let name, let arguments):
      let aliases = try Aliases.effective(program, host.environment, options: rest)
      guard let words = try aliases.words(of: name) else {
        return try plugIn(name, rest, arguments, outlet, aliases)
      }
      // Aliases are not nested. A plug-in parses the options after its name itself.
      if case (.unknown(let name, let aliasArguments), let options) = try locator.locate(words) {
        return try plugIn(name, rest + options, aliasArguments + arguments, outlet, aliases)
      }
      return try dispatch(Aliases.expanded(words, before: rest, after: arguments), outlet, &prefersJSON)
    case .command(let command, let suite):
      let name = Page.name(of: command, suite: suite, in: program)
      switch try parse(command, suite, rest, help: name) {
      case .help(let full, let call):
        return try show(Page.command(command, suite: suite, in: program), full: full, call, outlet)
      case .version: return try version(outlet)
      case .run(let call):
        let runner = try withRecordedClock(call)
        let settings = try runner.outputSettings(call)
        prefersJSON = settings.format?.isJSON ?? false
        try command.output.check(settings, of: name)
        if let path = call[StandardOptions.outputFile] { return try runner.writeFile(path, call) }
        // A watch has no end, and Ctrl-C would end only the pager's input.
        let isPaged =
          command.output.isPaged && call[StandardOptions.pager] && !call.isGiven(ListOptions.watch)
        return try paged(outlet, if: isPaged) { outlet throws(Failure) in
          try runner.perform(call, settings, outlet) { _ throws(Failure) in try outlet.finish() }
        }
      }
    }
  }

  /// Returns a runner with the clock of a replayed recording, which also decides the days of `--where`.
  private func withRecordedClock(_ call: Invocation) throws(Failure) -> Runner {
    guard call.command.needs.contains(.network), let folder = call[StandardOptions.replay],
      let clock = try RecordedClock(of: folder, host.time)
    else { return self }
    var host = host
    host.time = clock
    return Runner(program, host)
  }

  /// `help` is the command line in the hint of a failure.
  private func parse(
    _ command: Command, _ suite: String?, _ words: [String], help: @autoclosure () -> String
  ) throws(Failure) -> Parser.Outcome {
    do throws(Failure) {
      let result = try Parser(command: command, suite: suite, program: program).parse(words)
      guard case .run(var call) = result else { return result }
      try applySettings(to: &call)
      return .run(call)
    } catch {
      var failure = error
      if failure.kind == .usage { failure.hint = failure.hint ?? "see '\(help()) --help'" }
      throw failure
    }
  }

  /// Applies the settings, and reports ignored faults and misspelled names unless the command reviews them itself.
  private func applySettings(to call: inout Invocation) throws(Failure) {
    do throws(Failure) {
      call.configuration = try Configuration.current(call, host.environment)
    } catch {
      try call.keepOrThrow(error)
    }
    try Settings(environment: host.environment, configuration: call.configuration).apply(to: &call)
    guard !call[StandardOptions.quiet], !call.command.needs.contains(.configuration) else { return }
    if !call.command.needs.contains(.invalidSettings), let fault = call.settingsFailure?.message {
      host.errors.report(fault)
    }
    for problem in ConfigurationReview.commonProblems(call.configuration, program, host.environment) {
      host.errors.report(problem)
    }
  }

  /// Runs `body` with an outlet to the pager, if the output is read on a terminal.
  private func paged(
    _ outlet: Outlet, if isPaged: Bool, _ body: (Outlet) throws(Failure) -> ExitStatus
  ) throws(Failure) -> ExitStatus {
    guard isPaged, host.output.isTerminal else { return try body(outlet) }
    let status = try host.paged { sink throws(Failure) in
      let outlet = Outlet(sink, checkInterruption: Interruption.check)
      do throws(Failure) {
        let status = try body(outlet)
        try outlet.finish()
        return status
      } catch {
        try? outlet.flush()
        throw error
      }
    }
    return status ?? .success
  }

  /// Runs the command with a new file as its standard output, which replaces the old file if it is complete.
  private func writeFile(_ path: String, _ call: Invocation) throws(Failure) -> ExitStatus {
    let others = call.command.operands.map(\.declaration).filter { $0.count == .afterDashes }
    guard !others.contains(where: call.isGiven) else {
      throw Failure(
        .usage, "'--output-file' has no effect on the output of another program",
        hint: "write it behind '--', if that is hw")
    }
    guard path != "-" else {
      throw Failure(
        .usage, "'--output-file' requires a file, not '-'", hint: "standard output is the default")
    }
    let isSecret = call.command.output.hasSecrets || call.command.needs.contains(.configuration)
    let file = try NewFile(replacing: path, mode: isSecret ? .secret : .shared)
    defer { file.discard() }
    var host = host
    host.output = Host.OutputStream(file)
    let runner = Runner(program, host)
    let outlet = Outlet(file, checkInterruption: Interruption.check)
    return try runner.perform(call, try runner.outputSettings(call), outlet) { isComplete throws(Failure) in
      try outlet.finish()
      if isComplete { try file.replace() }
    }
  }

  /// Runs the command, writes its output with `deliver`, and then does the deferred work. The output is complete after
  /// success, after a negative result, and if some of several changes failed and it lists those that were made.
  private func perform(
    _ call: Invocation, _ settings: Output.Settings, _ outlet: Outlet,
    deliver: (_ isComplete: Bool) throws(Failure) -> Void
  ) throws(Failure) -> ExitStatus {
    if call[StandardOptions.fields] == "help" {
      try outlet.write(fieldHelp(call, settings))
      try deliver(true)
      return .success
    }
    if call.command.needs.contains(.input), call.operands.isEmpty, host.input.isTerminal {
      let page = Page.command(call.command, suite: call.suite, in: program)
      throw Failure(
        .usage, "'\(page.name)' reads standard input, and that is a terminal",
        hint: page.usageLines.joined(separator: "\n"))
    }
    defer { host.errors.clearProgress() }
    let isExplained = call[StandardOptions.explain] && call.command.needs.contains(.network)
    let output = isExplained ? Output(settings, requests: outlet) : Output(settings, outlet)
    let context = Context(program: program, call: call, host: host, output: output)
    let status: ExitStatus
    do throws(Failure) {
      let commandStatus = try runCommand(context)
      status = context.failures.status ?? (isExplained ? .success : commandStatus)
      if isExplained, !output.hasExplained { try output.explain("# no request\n") }
    } catch {
      let failure = context.withTypedOptions(error)
      guard let status = context.failures.status, !error.endsEverything else { throw failure }
      defer { context.failures.report(failure) }
      try outlet.flush()
      return status
    }
    do throws(Failure) {
      try deliver(status == .success || status == .no || context.hasChanged && output.rowCount > 0)
    } catch {
      guard error.kind == .storage, context.hasChanged else { throw error }
      throw error.prefixing(
        "the command was carried out, but its output is lost", hint: call.command.output.hintIfLost)
    }
    try context.deferredWork.run()
    return status
  }

  /// Text for `--fields help`. Fails (`usage`) for output without fields, and in JSON formats.
  private func fieldHelp(_ call: Invocation, _ settings: Output.Settings) throws(Failure) -> String {
    let name = Page.name(of: call.command, suite: call.suite, in: program)
    guard call.command.output.schemaRoot != nil else {
      throw Failure(.usage, "'\(name)' prints text, which has no fields")
    }
    guard settings.format?.isJSON != true else {
      throw Failure(
        .usage, "'--fields help' prints text, and has no JSON",
        hint:
          "'hw schema \(name.split(by: " ").dropFirst().joined(separator: " "))' prints the fields as JSON")
    }
    return Page.fields(of: call.command)
  }

  /// Runs the command or its watch, and reports omitted rows and an empty list.
  private func runCommand(_ context: Context) throws(Failure) -> ExitStatus {
    let call = context.call
    do throws(Failure) {
      // A command without a list has none of the options below, so they are not given.
      if call.isGiven(ListOptions.watch) { return try ListWatch(context).run() }
      let status = try call.command.run(call, context)
      if context.output.isTruncated, !call.isGiven(ListOptions.limit),
        let limit = context.output.settings.list?.limit
      {
        context.messages.report("only the first \(limit) rows are listed; '--limit N' lists more")
      }
      let omitted = context.output.outlet.omittedColumns
      if omitted > 0, call.isGiven(StandardOptions.fields) || call.command.output.columns.isEmpty {
        context.messages.report(
          "no room for the last \(omitted == 1 ? "column" : "\(omitted) columns"); '| less -S' shows all")
      }
      // A command that decides its status has no such option: its status reports an empty list.
      let exitStatus = ListOptions.exitStatus.declaration
      if context.output.rowCount == 0,
        call.command.options.contains(where: { $0.declaration === exitStatus }),
        !context.isExplaining, context.output.settings.format ?? .table == .table
      {
        let isFiltered = call.isGiven(ListOptions.filter)
        context.messages.report(
          (isFiltered ? "no rows that meet --where" : context.output.noteIfEmpty ?? "no rows")
            + context.output.searchedIfEmpty)
      }
      guard call.isGiven(ListOptions.exitStatus) else { return status }
      return context.output.rowCount == 0 ? .no : status
    } catch let error where error.cause == .explained {
      return .success
    }
  }

  private func outputSettings(_ call: Invocation) throws(Failure) -> Output.Settings {
    var settings = Output.Settings()
    settings.format = call[StandardOptions.output]
    settings.fields = call[StandardOptions.fields]
    settings.header = call[StandardOptions.header]
    settings.terminator = call[StandardOptions.null] ? 0 : UInt8(ascii: "\n")
    settings.list = try call.command.output.list?.selection(call, host.time)
    settings.screen = screen(call[StandardOptions.color])
    return settings
  }

  /// Screen of the output; nil in a pipe, unless color is forced.
  private func screen(_ choice: ColorChoice) -> Screen? {
    let environment = host.environment
    let color = choice.isOn(
      terminal: host.output.isTerminal, noColor: environment["NO_COLOR"],
      force: environment["CLICOLOR_FORCE"], term: environment["TERM"])
    guard host.output.isTerminal else { return color ? Screen(width: nil, color: true) : nil }
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return Screen(width: host.output.size()?.columns ?? columns ?? 80, color: color)
  }

  /// Replaces the process by a plug-in. Options before its name belong to hw and cannot be passed on.
  private func plugIn(
    _ name: String, _ options: [String], _ arguments: [String], _ outlet: Outlet, _ aliases: Aliases
  ) throws(Failure) -> ExitStatus {
    let plugIns = PlugIns(program: program, environment: host.environment)
    guard let path = plugIns.find(name) else {
      throw unknown(name, before: arguments.first, plugIns.names + aliases.all.map(\.name))
    }
    guard let option = options.first else { try plugIns.exec(path, arguments) }
    switch try Parser(command: .withoutOwnOptions, suite: nil).parse(options) {
    case .help: try plugIns.exec(path, ["--help"])
    case .version: return try version(outlet)
    case .run:
      throw Failure(
        .usage, "'\(option)' cannot be passed to a plug-in",
        hint: "write it after '\(name)' if the plug-in takes it")
    }
  }

  /// `hw` and `hw SUITE` alone, or with options: the help page, short unless `--help` is given.
  private func page(
    _ page: @autoclosure () -> Page, _ name: String, _ words: [String], _ outlet: Outlet
  ) throws(Failure) -> ExitStatus {
    switch try parse(.withoutOwnOptions, nil, words, help: name) {
    case .help(let full, let call): return try show(page(), full: full, call, outlet)
    case .version: return try version(outlet)
    case .run(let call): return try show(page(), full: false, call, outlet)
    }
  }

  private func show(
    _ page: Page, full: Bool, _ call: Invocation, _ outlet: Outlet
  ) throws(Failure) -> ExitStatus {
    let screen = screen(call[StandardOptions.color])
    func write(_ outlet: Outlet) throws(Failure) -> ExitStatus {
      try outlet.write(full ? page.full(on: screen) : page.short(on: screen))
      return .success
    }
    return try paged(outlet, if: full && call[StandardOptions.pager], write)
  }

  private func version(_ outlet: Outlet) throws(Failure) -> ExitStatus {
    try outlet.write("\(program.name) \(program.version)\n")
    return .success
  }

  private func unknown(_ name: String, before next: String?, _ others: [String]) -> Failure {
    Failure(
      .usage, "'\(name)' is not a command of \(program.name)",
      hint: next.flatMap { program.suite(named: $0) }.flatMap { UsageHint.command(name, of: $0, in: program) }
        ?? UsageHint.command(name, in: program)
        ?? Suggestion.phrase(for: name, among: program.topLevelNames + others)
        ?? "see '\(program.name) --help'")
  }
}
