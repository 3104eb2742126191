import Foundation
import Store
import Testing

/// Every output of the program on its sample data, word for word: whoever changes one sees what users will see.
/// `HW_REGENERATE=1 swift test --filter Transcripts` writes the files anew; read the difference before you commit it.
@Suite(.enabled(if: Database.isAvailable, "libsqlite3 is not installed"))
struct Transcripts {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "transcripts")
  private static let regenerates = ProcessInfo.processInfo.environment["HW_REGENERATE"] != nil
  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .sorted()

  @Test(arguments: names)
  func isAsRecorded(_ name: String) throws {
    let file = Transcripts.folder.appending(path: name)
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let now = try Transcript().replayed(recorded)
    if Transcripts.regenerates { try Data(now.utf8).write(to: file) }
    let lines = (recorded.split(separator: "\n"), now.split(separator: "\n"))
    let difference = zip(lines.0, lines.1).first { $0 != $1 }
    let isAsRecorded = Transcripts.regenerates || recorded == now
    #expect(isAsRecorded, "first difference: '\(difference?.0 ?? "")' is now '\(difference?.1 ?? "")'")
  }

  @Test func areThere() { #expect(Transcripts.names.count >= 7) }
}
