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

  /// Puts the plug-in in the place of this process.
  func exec(_ path: String, _ arguments: [String]) throws(Failure) -> Never {
    let own = Executable.itself.map { ["HW_BIN": $0] } ?? [:]
    do throws(SystemError) {
      try ChildProcess.exec([path] + arguments, environment: environment.setting(own))
    } catch {
      throw Failure(
        .storage, "cannot run '\(path)': \(error.text)",
        hint: "a script names its interpreter in its first line: #!/bin/sh")
    }
  }

  func find(_ name: String) -> String? {
    PlugIns.isName(name) ? Executable.find("\(program.name)-\(name)", in: environment) : nil
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
    if let path = plugIns.find(name) { try plugIns.exec(path, ["--help"]) }
  }
}
