import TestSupport
import Testing

/// Command lines of made-up programs, with what they print, report and end with: whatever the parser, the settings and
/// the runner do is there word for word.
@Suite struct Sessions {
  @Test(arguments: SamplePrograms.all.keys.sorted())
  func sessionIsAsRecorded(_ name: String) throws {
    let path = "sessions/\(name).txt"
    let program = try #require(SamplePrograms.all[name])
    let lines = try Session(program).replayed(RecordedText.text(path))
    try RecordedText.hold(path, to: lines.map { "\($0)\n" }.joined())
  }

  @Test func everySessionHasProgram() {
    let names = RecordedText.names(in: "sessions")
    #expect(names == SamplePrograms.all.keys.sorted().map { "\($0).txt" })
  }
}
