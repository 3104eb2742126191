import System

/// Programs of others that are commands of this one: what `hw NAME` runs where the table has no NAME is `hw-NAME`
/// from `PATH`.
struct PlugIns {
  let program: Program
  let environment: Environment

  /// Their names, sorted. Nothing is run to find out; what the table has hides the plug-in of that name.
  var names: [String] {
    let prefix = "\(program.name)-"
    let known = Set(program.suiteNames + program.tools.commands.map(\.name))
    return Executable.names(beginningWith: prefix, in: environment).map { String($0.dropFirst(prefix.count)) }
      .filter { PlugIns.isName($0) && !known.contains($0) }
  }

  /// Puts the plug-in in the place of this process. It finds in its environment what was said to hw before its name.
  func exec(_ path: String, _ arguments: [String], after options: Invocation) throws(Failure) -> Never {
    try start(path, arguments, try variables(options))
  }

  func find(_ name: String) -> String? {
    PlugIns.isName(name) ? Executable.find("\(program.name)-\(name)", in: environment) : nil
  }

  private func start(
    _ path: String, _ arguments: [String], _ variables: [String: String]
  ) throws(Failure) -> Never {
    var variables = variables
    variables["HW_BIN"] = Executable.itself
    do throws(SystemError) {
      try ChildProcess.exec([path] + arguments, environment: environment.setting(variables))
    } catch {
      throw Failure(
        .storage, "cannot run '\(path)': \(error.text)",
        hint: "a script names its interpreter in its first line: #!/bin/sh")
    }
  }

  /// Whether an option before the name of a plug-in is passed as its variable. That of a setting counts for every hw that
  /// the plug-in calls, that of another option is for the plug-in alone.
  private static func isPassed(_ option: OptionDeclaration) -> Bool {
    if case .shorthand = option.kind { return false }
    let others: [any Declared] = [
      StandardOptions.pager, StandardOptions.configuration, StandardOptions.help, StandardOptions.version,
      StandardOptions.explain, StandardOptions.outputFile,
    ]
    return !others.contains { $0.declaration.name == option.name }
  }

  /// `HW_<NAME>` for each option that was typed or taken back. What is weaker than an option, a suite's own variable, gives way.
  func variables(_ call: Invocation) throws(Failure) -> [String: String] {
    // No hw would read its variable: the requests would be sent all the same.
    let refused: [any Declared] = [StandardOptions.explain, StandardOptions.outputFile]
    if let option = refused.first(where: call.isGiven) {
      throw Failure(
        .usage,
        "'\(option.declaration.spelling.prefix { $0 != " " && $0 != "=" })' cannot be passed to a plug-in",
        hint: "write it after the name if the plug-in takes it")
    }
    var variables: [String: String] = [:]
    for option in StandardOptions.all.map(\.declaration)
    where call.isDecided(option) && PlugIns.isPassed(option) {
      // Without a value it was taken back: an empty variable counts as unset.
      variables[option.variable] = call.text(of: option) ?? ""
      guard option.isSetting else { continue }
      for suite in program.suiteNames { variables[option.variables(suite: suite)[0]] = "" }
    }
    // They name a program and a file. An empty HW_CONFIG would be ignored.
    if !call[StandardOptions.pager] { variables["HW_PAGER"] = "cat" }
    if !call[StandardOptions.configuration] { variables["HW_CONFIG"] = "/dev/null" }
    return variables
  }

  /// All variables that `variables` can set, besides those of the suites and those that hw always reads.
  static var optionVariables: [String] {
    StandardOptions.all.map(\.declaration).filter(isPassed).map(\.variable)
  }

  /// A name with a slash in it would be a path.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
      return false
    }
    return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) }
  }
}

extension Context {
  /// The names of the plug-ins that this environment has.
  public var plugIns: [String] { PlugIns(program: program, environment: environment).names }

  /// Lets the plug-in of that name print its help, in the place of this process; returns where there is none.
  public func execHelp(ofPlugIn name: String) throws(Failure) {
    let plugIns = PlugIns(program: program, environment: environment)
    if let path = plugIns.find(name) { try plugIns.exec(path, ["--help"], after: call) }
  }
}
