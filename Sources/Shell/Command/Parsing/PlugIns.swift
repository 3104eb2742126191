import System

/// Plug-ins: `hw NAME` runs `hw-NAME` from `PATH` if hw has no command NAME.
struct PlugIns {
  let program: Program
  let environment: Environment

  /// Sorted names of the plug-ins, without those that commands of hw hide. Runs none of them.
  var names: [String] {
    let prefix = "\(program.name)-"
    let known = Set(program.topLevelNames)
    return Executable.names(beginningWith: prefix, in: environment).map { String($0.dropFirst(prefix.count)) }
      .filter { PlugIns.isName($0) && !known.contains($0) }
  }

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

  /// Whether the name can be a plug-in's; a name with a slash would be a path.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
      return false
    }
    return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) }
  }
}

extension Context {
  public var plugIns: [String] { PlugIns(program: program, environment: environment).names }

  /// Replaces this process by the plug-in's help; returns if there is no such plug-in.
  public func execHelp(ofPlugIn name: String) throws(Failure) {
    let plugIns = PlugIns(program: program, environment: environment)
    if let path = plugIns.find(name) { try plugIns.exec(path, ["--help"]) }
  }
}
