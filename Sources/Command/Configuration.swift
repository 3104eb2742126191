import Store
import System

/// The text of the configuration file: lines such as `nodes.lang = de`, comments and blank lines.
public struct Configuration: Equatable, Sendable {
  public let path: String
  private(set) var lines: [Line] = []

  private static let format = FileFormat("config")

  enum Line: Equatable, Sendable {
    /// A comment or a blank line, unchanged.
    case other(String)
    case setting(key: String, value: String, text: String)

    var text: String {
      switch self {
      case .other(let text), .setting(_, _, let text): text
      }
    }
  }

  /// No settings.
  var isEmpty: Bool { lines.allSatisfy { if case .other = $0 { true } else { false } } }

  /// No file, or an empty one.
  public init(path: String) {
    self.path = path
  }

  /// Fails (`storage`) at the first line that is neither a setting nor a comment.
  public init(_ bytes: [UInt8], path: String) throws(Failure) {
    self.init(path: path)
    try Configuration.format.check(headerOf: bytes, in: path)
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    for part in parts {
      let part = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      guard let text = String(validating: part, as: UTF8.self) else { throw damaged("is not UTF-8") }
      lines.append(try line(text))
    }
  }

  private func line(_ text: String) throws(Failure) -> Line {
    guard !text.unicodeScalars.contains(where: { Configuration.isControl($0) && $0 != "\t" }) else {
      throw damaged("holds a control character")
    }
    let content = text.trimmed
    if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { return .other(text) }
    guard let equals = content.firstIndex(of: "=") else { throw damaged("is no 'name = value'") }
    let key = String(content[..<equals]).trimmed
    guard Configuration.isKey(key) else { throw damaged("has no name before its '='") }
    return .setting(key: key, value: String(content[content.index(after: equals)...]).trimmed, text: text)
  }

  private func damaged(_ what: String) -> Failure {
    let number = lines.count + 1
    return Failure(
      .storage, "'\(path)', line \(number) \(what)",
      hint: "mend the line by hand, or leave the file alone with --no-config",
      details: [.init("file", .text(path)), .init("line", .integer(number))])
  }

  private static func isKey(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) }
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}

extension Configuration {
  /// A setting's value, and the number of its line. If a name occurs twice, the last one counts.
  public subscript(_ key: String) -> (value: String, line: Int)? {
    for (index, line) in lines.enumerated().reversed() {
      if case .setting(key, let value, _) = line { return (value, index + 1) }
    }
    return nil
  }

  /// Every setting in the order of the file.
  public var settings: [(key: String, value: String, line: Int)] {
    lines.enumerated().compactMap { index, line in
      guard case .setting(let key, let value, _) = line else { return nil }
      return (key, value, index + 1)
    }
  }

  public var bytes: [UInt8] { lines.flatMap { Array($0.text.utf8) + [UInt8(ascii: "\n")] } }

  /// Changes the value in place, or adds a line at the end. The rest of the file stays.
  public mutating func set(_ key: String, to value: String) throws(Failure) {
    guard value == value.trimmed, !value.unicodeScalars.contains(where: Configuration.isControl) else {
      throw Failure(.usage, "a value cannot hold control characters, nor begin or end with blanks")
    }
    let line = Line.setting(key: key, value: value, text: "\(key) = \(value)")
    if let known = self[key] { lines[known.line - 1] = line } else { lines.append(line) }
  }

  /// Removes every line of the setting; false if there was none.
  public mutating func unset(_ key: String) -> Bool {
    let count = lines.count
    lines.removeAll { line in
      if case .setting(key, _, _) = line { true } else { false }
    }
    return lines.count < count
  }
}

/// The configuration file on disk, read and changed safely beside other processes.
public struct ConfigurationFile: Sendable {
  public let path: String
  private let isUsual: Bool

  /// `HW_CONFIG`, or `config` in hw's folder. Fails (`storage`) without a home directory.
  public init(_ environment: Environment) throws(Failure) {
    if let path = environment["HW_CONFIG"] {
      self.path = path
      isUsual = false
    } else {
      path = "\(try Folders(environment).config)/config"
      isUsual = true
    }
  }

  /// The content; a missing file is empty.
  public func read() throws(Failure) -> Configuration {
    // A home that cannot be entered, as under su, has no configuration for this user.
    if isUsual, !File.exists(path) { return Configuration(path: path) }
    guard let bytes = try File.read(path, limit: 1 << 20) else { return Configuration(path: path) }
    return try Configuration(bytes, path: path)
  }

  /// Reads, changes and replaces the file under a lock. A damaged file is not changed.
  public func change(_ body: (inout Configuration) throws(Failure) -> Void) throws(Failure) {
    // The file may be a symbolic link to another directory: the link stays.
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
  /// The configuration of a command: empty with `--no-config`, for commands that repair the file, and without a home
  /// directory.
  static func current(_ call: Invocation, _ environment: Environment) throws(Failure) -> Configuration {
    guard call[StandardOptions.configuration], !call.command.needs.contains(.configuration),
      let file = try? ConfigurationFile(environment)
    else {
      return Configuration(path: "")
    }
    return try file.read()
  }
}
