import Command
import Foundation
import System

/// A session at a shell, as a text: after each line that begins with `$ ` what the command printed, then what it
/// reported (`! `) and its status if it is not 0 (`? `). Lines that begin with `#` are comments. `@ N` goes N days ahead.
///
/// A line is `[VARIABLE=VALUE…] PROGRAM WORD…`, or `printf TEXT | PROGRAM WORD…`, or `printf TEXT >FILE`, or
/// `cat FILE…`. `COLUMNS=N` is a terminal of this width, `TERMINALS=input` makes a terminal of other streams. The home
/// directory is new.
public struct Session {
  public struct Malformed: Error {
    let line: String

    public init(line: String) { self.line = line }
  }

  public let home: ScratchDirectory
  private let program: Program
  private let time: FakeClock
  private let environment: [String: String]

  public init(_ program: Program, environment: [String: String] = [:], time: FakeClock = FakeClock()) throws {
    home = try ScratchDirectory()
    self.program = program
    self.time = time
    self.environment = ["HOME": home.path].merging(environment) { $1 }
  }

  /// The lines of the same text, with what its commands print now. `special` runs the lines of other kinds; nil is none
  /// of its own.
  public func replayed(
    _ text: String, special: ([String]) throws -> [String]? = { _ in nil }
  ) throws -> [String] {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("#") { lines.append(line) }
      if line.hasPrefix("@ ") {
        time.setCalendar(forward: .seconds((Int64(line.dropFirst(2)) ?? 0) * 86_400))
        lines.append(line)
      }
      guard line.hasPrefix("$ ") else { continue }
      lines.append(line)
      guard let words = ShellWord.split(String(line.dropFirst(2))) else { throw Malformed(line: line) }
      lines += try special(words) ?? run(words[...], line)
    }
    return lines
  }

  private func run(_ typed: ArraySlice<String>, _ line: String) throws -> [String] {
    var words = typed
    if words.first == "cat" { return words.dropFirst().flatMap { contents(of: path($0)) } }
    var input = ""
    if words.first == "printf", words.count > 2 {
      let end = words.startIndex + 2
      input = words[end - 1].replacing("\\n", with: "\n").replacing("\\t", with: "\t")
      if words[end].hasPrefix(">") {
        let file = path(words[end].dropFirst().description)
        try FileManager.default.createDirectory(
          atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(input.utf8).write(to: URL(filePath: file))
        return []
      }
      guard words[end] == "|" else { throw Malformed(line: line) }
      words = words[(end + 1)...]
    }
    var environment = environment
    while let word = words.first, word != program.name {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2 else { throw Malformed(line: line) }
      environment[sides[0]] = path(sides[1])
      words.removeFirst()
    }
    let columns = environment.removeValue(forKey: "COLUMNS").flatMap { Int($0) }
    if columns != nil { environment["TERM"] = "xterm-256color" }
    let named = environment.removeValue(forKey: "TERMINALS") ?? ""
    var terminals: Set<Ran.Stream> = columns == nil ? [] : [.output]
    if named.contains("input") { terminals.insert(.input) }
    if named.contains("output") { terminals.insert(.output) }
    if named.contains("errors") { terminals.insert(.errors) }
    // Files are those of the home directory, whatever the directory of the tests is.
    let ran = Ran(
      program, words.dropFirst().map(path), environment: environment, time: time, input: input,
      terminal: terminals, columns: columns)
    return shown(ran.output) + shown(ran.errors).map { "! \($0)" }
      + (ran.status == 0 ? [] : ["? \(ran.status)"])
  }

  public func path(_ word: String) -> String { word.replacing("~/", with: "\(home.path)/") }

  /// The lines of a file, or the names in a folder.
  private func contents(of path: String) -> [String] {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: path) { return names.sorted() }
    guard let data = FileManager.default.contents(atPath: path) else { return ["! no such file"] }
    return shown(String(decoding: data, as: UTF8.self))
  }

  /// The lines of a text; control characters are visible, and a last line that does not end is marked.
  public func shown(_ text: String) -> [String] {
    let scalars = text.replacing(home.path, with: "~").replacing(
      /Idempotency-Key: [0-9a-f]{32}/, with: "Idempotency-Key: •••"
    ).replacing(
      /^[0-9a-f]{32}$/.anchorsMatchLineEndings(), with: "TOKEN"
    ).replacing(/"tokenID":"[0-9a-f]{8}"/, with: "\"tokenID\":\"•••\"").unicodeScalars
    var lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(
        String.UnicodeScalarView(line.map { $0.value < 0x20 ? Unicode.Scalar(0x2400 + $0.value) ?? $0 : $0 }))
    }
    if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "␄" }
    return lines.map { ["$", "#", "@"].contains($0.prefix(1)) ? " \($0)" : $0 }
  }
}

/// Scenes of a text, each of which begins with a line of `## ` and is a session of its own.
public enum Scenes {
  /// The same text, with what its commands print now. `begin` makes the session of a scene; `special` runs the lines of
  /// other kinds, and `after` says what else each command has done.
  public static func replayed(
    _ text: String, begin: () throws -> Session,
    special: (Session, [String]) throws -> [String]? = { _, _ in nil },
    after: (Session) -> [String] = { _ in [] }
  ) throws -> String {
    var session = try begin()
    var lines: [String] = []
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("## ") { session = try begin() }
      lines += try session.replayed(line, special: { try special(session, $0) })
      if line.hasPrefix("$ ") { lines += after(session) }
    }
    return lines.map { "\($0)\n" }.joined()
  }
}
