import System
import TestSupport
import Testing

/// The version of a stored file.
@Suite struct FileFormatTests {
  private func failure(_ text: String, _ version: Int = 1, oldest: Int? = nil) -> Failure? {
    TestSupport.failure {
      try FileFormat("notes", version: version, oldest: oldest).check(headerOf: Array(text.utf8), in: "f")
    }
  }

  @Test(arguments: [
    "", "\n", "a\n# hw notes 2\n", "# hw notes\n", "# hw notes x\n", "# hw notes 2 b\n", "# hw other 2\n",
    "#hw notes 2", "# hw notes \n", "# hw notes 2x", "# hw notes 1\nx", "# hw notes 1", "# hw notes 1\r\nx",
  ])
  func withoutVersionItIsVersion1(text: String) {
    #expect(failure(text) == nil)
  }

  @Test(arguments: [
    "# hw notes 2\nx", "# hw notes 2", "# hw notes 2\r\n", "# hw notes 99999999999999999999\n",
  ])
  func newerVersionIsRefused(text: String) {
    let failure = failure(text)
    #expect(failure?.kind == .storage)
    #expect(failure?.message.hasPrefix("'f' is of a newer hw: version ") == true)
    #expect(failure?.hint == "it was left as it is; update hw")
  }

  @Test func anOlderOneIsReadIfItIsConverted() {
    #expect(failure("# hw notes 3\n", 3, oldest: 2) == nil && failure("# hw notes 2\n", 3, oldest: 2) == nil)
    for text in ["# hw notes 1\n", "a\n"] {
      #expect(
        failure(text, 3, oldest: 2)
          == Failure(
            .storage, "'f' is of an older hw: version 1, and this one reads from 2 on",
            hint: "it was left as it is; use the hw that wrote it, or move it away"))
      #expect(failure(text, 2)?.message == "'f' is of an older hw: version 1, and this one reads from 2 on")
    }
    #expect(
      failure("# hw notes 4\n", 3)?.message == "'f' is of a newer hw: version 4, and this one reads up to 3")
    #expect(failure("# hw notes 0\n") == Failure(.storage, "'f' is damaged: its version is 0"))
    #expect(FileFormat("notes").header == "# hw notes 1")
    #expect(failure("\(FileFormat("notes", version: 3).header)\n", 2) != nil)
  }
}
