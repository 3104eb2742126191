import Store
import Testing

/// Every output of the program on its sample data: whoever changes one sees what users will see.
@Suite(.enabled(if: Database.isAvailable, "libsqlite3 is not installed"))
struct Transcripts {
  private static let names = Recorded.names(in: "transcripts")

  @Test(arguments: names)
  func isAsRecorded(_ name: String) throws {
    let path = "transcripts/\(name)"
    try Recorded.hold(path, to: Transcript().replayed(Recorded.text(path)))
  }

  @Test func areThere() { #expect(Transcripts.names.count >= 8) }
}
