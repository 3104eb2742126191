import Store
import System

/// The configuration on the disk: where it is, reading it, and changing it while others may.
public struct ConfigurationFile: Sendable {
  public let path: String
  private let isUsual: Bool

  /// `HW_CONFIG`, or `config` in hw's folder. Fails (`storage`) where there is no home to have a folder in.
  public init(_ environment: Environment) throws(Failure) {
    if let path = environment["HW_CONFIG"] {
      self.path = path
      isUsual = false
    } else {
      path = "\(try Folders(environment).config)/config"
      isUsual = true
    }
  }

  /// What is in it; a file that is not there is an empty one.
  public func read() throws(Failure) -> Configuration {
    // A home that may not be entered, as under su, holds no configuration of ours.
    if isUsual, !File.exists(path) { return Configuration(path: path) }
    guard let bytes = try File.read(path, limit: 1 << 20) else { return Configuration(path: path) }
    return try Configuration(bytes, path: path)
  }

  /// Reads, changes and replaces the file while nobody else does. One that is damaged is left as it is.
  public func change(_ body: (inout Configuration) throws(Failure) -> Void) throws(Failure) {
    // People keep such files elsewhere and put a link here: the link stays.
    let target = File.realPath(path)
    if isUsual, let slash = path.lastIndex(of: "/") { try Folder.make(String(path[..<slash])) }
    let lock = try LockedFile("\(target).lock")
    var configuration = try read()
    try body(&configuration)
    try File.replace(target, with: configuration.bytes)
    _ = consume lock
  }
}

extension Configuration {
  /// What a command goes by: nothing where the command line forbids it, where the command is there to mend it, or where
  /// there is no home to look in.
  static func current(_ call: Invocation, _ environment: Environment) throws(Failure) -> Configuration {
    guard call[StandardOptions.configuration], !call.command.needs.contains(.configuration),
      let file = try? ConfigurationFile(environment)
    else {
      return Configuration(path: "")
    }
    return try file.read()
  }
}
