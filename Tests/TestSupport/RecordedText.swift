import Foundation
import System
import Testing

/// The texts in the nearest folder `recorded` above a test: what the program does, word for word. `HW_REGENERATE=1 swift test
/// --filter ProgramTests` writes those of a test target anew; read the difference before you commit it.
public enum RecordedText {
  private static let regenerates = ProcessInfo.processInfo.environment["HW_REGENERATE"] != nil

  private static func folder(_ test: String) -> URL {
    var folder = URL(filePath: test)
    repeat {
      folder.deleteLastPathComponent()
    } while folder.pathComponents.count > 1
      && !FileManager.default.fileExists(atPath: folder.appending(path: "recorded").path)
    return folder.appending(path: "recorded")
  }

  public static func names(in folder: String, of test: String = #filePath) -> [String] {
    let path = RecordedText.folder(test).appending(path: folder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Empty if there is no such file.
  public static func text(_ path: String, of test: String = #filePath) -> String {
    (try? String(contentsOf: folder(test).appending(path: path), encoding: .utf8)) ?? ""
  }

  /// Compares a file with what it is to hold, and shows the first line that differs.
  public static func hold(
    _ path: String, to text: String, of test: String = #filePath, _ place: SourceLocation = #_sourceLocation
  ) throws {
    if regenerates { try Data(text.utf8).write(to: folder(test).appending(path: path)) }
    let recorded = RecordedText.text(path, of: test)
    guard recorded != text else { return }
    let lines = (recorded.split(separator: "\n"), text.split(separator: "\n"))
    let difference = zip(lines.0, lines.1).first { $0 != $1 }
    Issue.record("\(path): '\(difference?.0 ?? "")' is now '\(difference?.1 ?? "")'", sourceLocation: place)
  }
}

extension RecordedText {
  /// Holds a file of lines, each followed by `= ` and what `respond` makes of it. A line of `#` is a comment.
  public static func holdLines(
    _ path: String, of test: String = #filePath, _ place: SourceLocation = #_sourceLocation,
    respond: (String) throws -> String?
  ) throws {
    var lines: [String] = []
    for line in text(path, of: test).split(separator: "\n").map(String.init) where !line.hasPrefix("= ") {
      lines.append(line)
      if !line.hasPrefix("#"), let response = try respond(line) { lines.append("= \(response)") }
    }
    try hold(path, to: lines.map { "\($0)\n" }.joined(), of: test, place)
  }

  /// Holds a text of requests: a line `> WORDS` is followed by the lines that `respond` makes of its words, and a line of
  /// `##` begins anew.
  public static func holdRequests(
    _ path: String, of test: String = #filePath, _ place: SourceLocation = #_sourceLocation,
    begin: () throws -> Void, respond: ([String]) throws -> [String]
  ) throws {
    var lines: [String] = []
    for line in text(path, of: test).split(separator: "\n").map(String.init) {
      if line.hasPrefix("##") {
        try begin()
        lines.append(line)
      }
      guard line.hasPrefix("> ") else { continue }
      lines += [line] + (try respond(ShellWord.split(String(line.dropFirst(2))) ?? []))
    }
    try hold(path, to: lines.map { "\($0)\n" }.joined(), of: test, place)
  }

  /// The texts of a file for `holdTexts`.
  public static func texts(in path: String, of test: String = #filePath) -> [String] {
    text(path, of: test).split(separator: "\n").filter { $0.hasPrefix("> ") }.map(decoded)
  }

  private static func decoded(_ line: some StringProtocol) -> String {
    line.dropFirst(2).replacing("⏎", with: "\n").replacing(/\{U\+([0-9A-F]+)\}/) { match in
      UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "?"
    }
  }

  /// Holds a file of texts: a line `> TEXT`, in which `⏎` is the end of a line and `{U+200E}` that character, is followed
  /// by what `read` makes of it. `begin` gets each line of `##`.
  public static func holdTexts(
    _ path: String, of test: String = #filePath, _ place: SourceLocation = #_sourceLocation,
    begin: (String) -> Void = { _ in }, read: (String) throws -> [String]
  ) throws {
    var lines: [String] = []
    for line in text(path, of: test).split(separator: "\n").map(String.init) {
      if line.hasPrefix("##") { begin(line) }
      if line.hasPrefix("#") { lines.append(line) }
      guard line.hasPrefix("> ") else { continue }
      lines += [line] + (try read(decoded(line)))
    }
    try hold(path, to: lines.map { "\($0)\n" }.joined(), of: test, place)
  }
}
