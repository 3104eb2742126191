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

  /// What becomes of an option before the name of a plug-in.
  enum Transfer {
    /// Its variable counts for every hw that the plug-in calls.
    case setting
    /// Its variable is for the plug-in alone.
    case forPlugIn
    /// No variable has its name, or one with another meaning.
    case special
    /// It governs requests, and no hw would read its variable: with '--explain' they would be sent all the same.
    case refused
  }

  static func transfer(of option: OptionDeclaration) -> Transfer {
    let special: [any Declared] = [
      StandardOptions.pager, StandardOptions.configuration, StandardOptions.help, StandardOptions.version,
    ]
    if special.contains(where: { $0.declaration.name == option.name }) { return .special }
    if case .shorthand = option.kind { return .special }
    if option.isSetting { return .setting }
    let isOfRequests = StandardOptions.groups.contains { group in
      group.needs.contains(.network) && group.options.contains { $0.name == option.name }
    }
    return isOfRequests ? .refused : .forPlugIn
  }

  /// `HW_<NAME>` for each option that was typed or taken back. What is weaker than an option, a suite's own variable, gives way.
  func variables(_ call: Invocation) throws(Failure) -> [String: String] {
    var variables: [String: String] = [:]
    for option in StandardOptions.all.map(\.declaration) where call.isDecided(option) {
      // Without a value it was taken back: an empty variable counts as unset.
      let text = call.text(of: option) ?? ""
      switch PlugIns.transfer(of: option) {
      case .setting:
        variables[option.variable] = text
        for suite in program.suiteNames { variables[option.variables(suite: suite)[0]] = "" }
      case .forPlugIn: variables[option.variable] = text
      case .special: break
      case .refused:
        guard call.isGiven(option) else { continue }
        throw Failure(
          .usage, "'--\(option.name)' cannot be passed to a plug-in",
          hint: "write it after the name if the plug-in takes it")
      }
    }
    // They name a program and a file. An empty HW_CONFIG would be ignored.
    if !call[StandardOptions.pager] { variables["HW_PAGER"] = "cat" }
    if !call[StandardOptions.configuration] { variables["HW_CONFIG"] = "/dev/null" }
    return variables
  }

  /// All variables that `variables` can set, besides those of the suites and those that hw always reads.
  static var optionVariables: [String] {
    StandardOptions.all.map(\.declaration).filter {
      switch transfer(of: $0) {
      case .setting, .forPlugIn: true
      case .special, .refused: false
      }
    }.map(\.variable)
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
