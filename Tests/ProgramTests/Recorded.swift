import Foundation
import Testing

/// The files that hold what the program does, word for word. `HW_REGENERATE=1 swift test --filter ProgramTests` writes
/// them anew; read the difference before you commit it.
enum Recorded {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "recorded")
  private static let regenerates = ProcessInfo.processInfo.environment["HW_REGENERATE"] != nil

  static func names(in folder: String) -> [String] {
    let path = Recorded.folder.appending(path: folder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  static func text(_ path: String) -> String {
    (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
  }

  /// Compares the file with what it is to hold, and shows the first line that differs.
  static func hold(_ path: String, to text: String, _ place: SourceLocation = #_sourceLocation) throws {
    if regenerates { try Data(text.utf8).write(to: folder.appending(path: path)) }
    let recorded = Recorded.text(path)
    guard recorded != text else { return }
    let lines = (recorded.split(separator: "\n"), text.split(separator: "\n"))
    let difference = zip(lines.0, lines.1).first { $0 != $1 }
    Issue.record(
      "\(path): '\(difference?.0 ?? "")' is now '\(difference?.1 ?? "")'", sourceLocation: place)
  }
}
