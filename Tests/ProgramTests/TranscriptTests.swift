import Foundation
import TestSupport
import Testing

/// Every output of the program on its sample data: whoever changes one sees what users will see.
@Suite(.needs(.libsqlite3)) struct Transcripts {
  /// What the descriptors of this process refer to.
  private static func descriptors() throws -> [String] {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }.map { $0.replacing(/\d/, with: "") }.sorted()
  }

  /// How the list of descriptors changes when a transcript is run and compared.
  private static func change(by name: String) throws -> CollectionDifference<String> {
    let path = "transcripts/\(name)"
    let before = try descriptors()
    try RecordedText.hold(path, to: Transcript().replayed(RecordedText.text(path)))
    // A thread may end later than the command that started it.
    try? waitUntil("the descriptors", within: .seconds(2)) { try descriptors() == before }
    return try descriptors().difference(from: before)
  }

  /// What a command opens it closes, also when it fails: a process that runs many is not to run out of descriptors. In a
  /// process of its own, since other tests open some as well.
  @Test func transcriptsAreAsRecordedAndLeakNoDescriptors() async {
    await #expect(processExitsWith: .success) {
      let names = RecordedText.names(in: "transcripts")
      #expect(names.count >= 8)
      for name in names {
        var change = try Transcripts.change(by: name)
        // The first run may open what stays until the process ends; what is left open is left open by each run.
        for _ in 1...3 where !change.isEmpty { change = try Transcripts.change(by: name) }
        #expect(change.isEmpty, "\(name): \(change)")
      }
    }
  }
}
