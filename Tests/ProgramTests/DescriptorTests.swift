import Foundation
import Store
import TestSupport
import Testing

/// What a command opens it closes, also when it fails: a process that runs many is not to run out of descriptors.
@Suite(.needs(.libsqlite3))
struct OpenDescriptors {
  /// What the descriptors of this process refer to.
  private static func list() throws -> [String] {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }.map { $0.replacing(/\d/, with: "") }.sorted()
  }

  /// How the list changes when a transcript is run.
  private static func change(by text: String) throws -> CollectionDifference<String> {
    let before = try list()
    _ = try Transcript().replayed(text)
    // A thread may end later than the command that started it.
    try? waitUntil("the descriptors", within: .seconds(2)) { try list() == before }
    return try list().difference(from: before)
  }

  /// In a process of its own, since the tests of others open descriptors as well. The first run of a transcript makes what
  /// stays until the process ends.
  @Test func transcriptsLeakNoDescriptors() async {
    await #expect(processExitsWith: .success) {
      let names = RecordedText.names(in: "transcripts")
      #expect(!names.isEmpty)
      for name in names {
        let text = RecordedText.text("transcripts/\(name)")
        _ = try Transcript().replayed(text)
        var change = try OpenDescriptors.change(by: text)
        // A thread of the run before may have ended late. What is left open is left open by each run.
        for _ in 1...2 where !change.isEmpty { change = try OpenDescriptors.change(by: text) }
        #expect(change.isEmpty, "\(name): \(change)")
      }
    }
  }
}
