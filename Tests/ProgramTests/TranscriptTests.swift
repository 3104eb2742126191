import Store
import TestSupport
import Testing

/// Every output of the program on its sample data: whoever changes one sees what users will see.
@Suite(.needs(.libsqlite3))
struct Transcripts {
  private static let names = RecordedText.names(in: "transcripts")

  @Test(arguments: names)
  func transcriptIsAsRecorded(_ name: String) throws {
    let path = "transcripts/\(name)"
    try RecordedText.hold(path, to: Transcript().replayed(RecordedText.text(path)))
  }

  @Test func transcriptsExist() { #expect(Transcripts.names.count >= 8) }
}
