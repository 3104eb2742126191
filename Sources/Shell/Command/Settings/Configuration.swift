import System

/// Configuration file: lines such as `nodes.lang = de`, comments and blank lines.
public struct Configuration: Equatable, Sendable {
  public let path: String
  private(set) var lines: [Line] = []

  private static let format = FileFormat("config")

  private var lineEnd: [UInt8] = [UInt8(ascii: "\n")]

  enum Line: Equatable, Sendable {
    case other(String)
    /// `text` is the whole line. `comment` follows the value, with the blanks before it.
    case setting(key: String, value: String, text: String, comment: String)
    /// Invalid line, unchanged, and its problem.
    case invalid([UInt8], problem: String)

    var bytes: [UInt8] {
      switch self {
      case .other(let text), .setting(_, _, let text, _): Array(text.utf8)
      case .invalid(let bytes, _): bytes
      }
    }
  }

  var isEmpty: Bool { lines.allSatisfy { if case .setting = $0 { false } else { true } } }

  public init(path: String) { self.path = path }

  /// Parses the valid settings; `invalidLines` are the others. Fails (`storage`) for a file of a newer version.
  public init(_ bytes: [UInt8], path: String) throws(Failure) {
    self.init(path: path)
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    try Configuration.format.check(headerOf: Array(bytes), in: path)
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    if parts.first?.last == UInt8(ascii: "\r") { lineEnd = [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
    for part in parts {
      let part = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      if let text = String(validating: part, as: UTF8.self) {
        lines.append(Configuration.line(text))
      } else {
        lines.append(.invalid(Array(part), problem: "is not UTF-8"))
      }
    }
  }

  private static func line(_ text: String) -> Line {
    func invalid(_ problem: String) -> Line { .invalid(Array(text.utf8), problem: problem) }
    guard !text.unicodeScalars.contains(where: { isControl($0) && $0 != "\t" }) else {
      return invalid("holds a control character")
    }
    let content = text.trimmed
    if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { return .other(text) }
    guard let equals = content.firstIndex(of: "=") else { return invalid("is not 'name = value'") }
    let key = String(content[..<equals]).trimmed
    guard !key.isEmpty, key.utf8.allSatisfy(isInKey) else { return invalid("has no name before its '='") }
    guard let value = ConfigurationValue(content[content.index(after: equals)...]) else {
      return invalid("has a quote that is not closed at its end")
    }
    return .setting(key: key, value: value.text, text: text, comment: value.comment)
  }

  public var invalidLines: [(line: Int, problem: String)] {
    lines.enumerated().compactMap { index, line in
      if case .invalid(_, let problem) = line { (index + 1, problem) } else { nil }
    }
  }

  /// Fails (`storage`) at the first invalid line, or at the first that was meant as the setting `key`.
  public func checkLines(of key: String? = nil) throws(Failure) {
    let found = invalidLines.first { [lines] in key.map(lines[$0.line - 1].isInvalid(settingOf:)) ?? true }
    guard let (number, problem) = found else { return }
    throw Failure(
      .storage, "'\(path)', line \(number) \(problem)",
      hint: key.map { "correct it with 'hw config set \($0) VALUE'" }
        ?? "correct the line, or ignore the file with --no-config",
      details: [.init("file", .text(path)), .init("line", .integer(number))])
  }

  fileprivate static func isInKey(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "-._".utf8.contains(byte)
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

  /// Value of a setting, and the number of its line. If a name occurs twice, the last one counts.
  public subscript(_ key: String) -> (value: String, line: Int)? {
    for (index, line) in lines.enumerated().reversed() {
      if case .setting(key, let value, _, _) = line { return (value, index + 1) }
    }
    return nil
  }

  public var settings: [(key: String, value: String, line: Int)] {
    lines.enumerated().compactMap { index, line in
      guard case .setting(let key, let value, _, _) = line else { return nil }
      return (key, value, index + 1)
    }
  }

  public var bytes: [UInt8] { lines.flatMap { $0.bytes + lineEnd } }

  static func check(value: String) throws(Failure) {
    guard value.unicodeScalars.contains(where: isControl) else { return }
    throw Failure(.usage, "a value cannot hold control characters")
  }

  /// Changes the value in place, or adds a line at the end. Replaces an invalid line that begins with the name.
  public mutating func set(_ key: String, to value: String) throws(Failure) {
    try Configuration.check(value: value)
    let index = self[key].map { $0.line - 1 } ?? lines.firstIndex { $0.isInvalid(settingOf: key) }
    var comment = ""
    if let index, case .setting(_, _, _, let known) = lines[index] { comment = known }
    let text = "\(key) = \(ConfigurationValue.quoted(value))\(comment)"
    let line = Line.setting(key: key, value: value, text: text, comment: comment)
    if let index { lines[index] = line } else { lines.append(line) }
  }

  public mutating func unset(_ key: String) {
    lines.removeAll { if case .setting(key, _, _, _) = $0 { true } else { false } }
  }
}

extension Configuration.Line {
  /// Whether the line was meant as this setting: `timeout: 7`.
  fileprivate func isInvalid(settingOf key: String) -> Bool {
    guard case .invalid(let bytes, _) = self else { return false }
    let rest = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard rest.starts(with: key.utf8) else { return false }
    return rest.dropFirst(key.utf8.count).first.map { !Configuration.isInKey($0) } ?? true
  }
}

/// Configuration file on disk, read and changed safely beside other processes.
public struct ConfigurationFile: Sendable {
  public let path: String
  private let isDefault: Bool
  private let home: String?

  /// `HW_CONFIG`, or `config` in hw's directory. Fails (`storage`) without a home directory.
  public init(_ environment: Environment) throws(Failure) {
    home = environment["HOME"]
    if let path = environment["HW_CONFIG"] {
      self.path = path
      isDefault = false
    } else {
      path = "\(try UserFolders(environment).config)/config"
      isDefault = true
    }
  }

  /// Whether `HW_CONFIG` names a missing file.
  public var isMissing: Bool { !isDefault && !File.exists(path) }

  var missingProblem: String? { isMissing ? "HW_CONFIG names '\(path)', which does not exist" : nil }

  /// Reads the file; a missing one is empty. Fails (`storage`) if the file or a directory on the way cannot be read.
  public func read() throws(Failure) -> Configuration {
    if isDefault, try !defaultExists() { return Configuration(path: path) }
    guard let bytes = try File.read(path, limit: 1 << 20) else { return Configuration(path: path) }
    guard !File.isChangeableByOthers(path) else {
      throw Failure(
        .storage, "'\(path)' can be changed by others, and could send your tokens to them",
        hint: "make it yours alone: 'chown' and 'chmod 600'")
    }
    return try Configuration(bytes, path: path)
  }

  private func defaultExists() throws(Failure) -> Bool {
    do throws(Failure) {
      return try File.certainlyExists(path)
    } catch {
      // A home that cannot be entered, as under su, has no configuration for this user.
      if let home, path.hasPrefix("\(home)/"), Folder.isInaccessible(home) { return false }
      throw error
    }
  }

  /// Reads, changes and replaces the file under a lock. Fails (`storage`) for a device or a pipe.
  public func change(_ body: (inout Configuration) throws(Failure) -> Void) throws(Failure) {
    // A symbolic link to a file in another directory stays.
    let target = File.realPath(path)
    guard !File.isSpecial(target) else {
      throw Failure(
        .storage, "'\(path)' is not a regular file, and stores no settings",
        hint: isDefault ? "replace it with a file" : "set HW_CONFIG to the path of a file, or unset it")
    }
    if isDefault, let slash = path.lastIndex(of: "/") { try Folder.make(String(path[..<slash])) }
    let lock = try LockedFile("\(target).lock")
    var configuration = try read()
    try body(&configuration)
    try File.replace(target, with: configuration.bytes)
    _ = consume lock
  }
}

extension Configuration {
  /// Configuration of a command; empty with `--no-config`, without a home, and for commands that repair the file.
  static func current(_ call: Invocation, _ environment: Environment) throws(Failure) -> Configuration {
    guard call[StandardOptions.configuration], !call.command.needs.contains(.configuration),
      let file = try? ConfigurationFile(environment)
    else { return Configuration(path: "") }
    if let problem = file.missingProblem {
      throw Failure(.storage, problem, hint: "create the file with 'hw config set', or unset HW_CONFIG")
    }
    return try file.read()
  }
}
