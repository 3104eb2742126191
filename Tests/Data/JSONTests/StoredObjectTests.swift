import JSON
import System
import Testing

/// The version of an object in a file.
@Suite struct StoredObjectTests {
  private let format = FileFormat("notes", version: 2)

  @Test(
    arguments: [
      ("{}", "'f' is of an older hw: version 1, and this one reads from 2 on"),
      (#"{"version":null}"#, "'f' is of an older hw: version 1, and this one reads from 2 on"),
      (#"{"version":1}"#, "'f' is of an older hw: version 1, and this one reads from 2 on"),
      (#"{"version":2}"#, nil),
      (#"{"version":3}"#, "'f' is of a newer hw: version 3, and this one reads up to 2"),
      (#"{"version":0}"#, "'f' is damaged: its version is 0"),
      (
        #"{"version":"2"}"#,
        "'f' is damaged: line 1, column 12, at version: expected an integer, found a string"
      ),
    ] as [(String, String?)])
  func storedObjectIsChecked(_ text: String, _ message: String?) throws {
    let object = try JSON.parse(text)
    guard let message else { return try format.check(object, of: "f") }
    let failure = #expect(throws: Failure.self) { try format.check(object, of: "f") }
    #expect(failure?.kind == .storage && failure?.message == message)
  }

  @Test func storedObjectIsWritten() {
    var writer = JSONWriter()
    writer.object { format.write(to: &$0) }
    #expect(writer.bytes == Array(#"{"version":2}"#.utf8))
  }
}
