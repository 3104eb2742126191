import System
import TestSupport
import Testing

@testable import Store

/// The mark of a directory that a copy fills.
@Suite struct IncompleteCopyTests {
  private let scratch: ScratchDirectory
  private var folder: String { scratch.file("b") }
  private let names = ["all", "other"]

  init() throws { scratch = try ScratchDirectory() }

  private func begin() throws(Failure) -> IncompleteCopy { try IncompleteCopy.begin(in: folder, names) }

  @Test func aCopyNotesItsTablesUntilItIsComplete() throws {
    let line = "all 2 parent 3:0123456789abcdef"
    try IncompleteCopy.refuse(folder)
    do {
      let copy = try begin()
      let finished = copy.finished
      #expect(finished == [])
      #expect(scratch.text("b/incomplete-copy") == "# hw incomplete-copy 1\n")
      try copy.note(try #require(FinishedTable(line: line)))
    }
    #expect(scratch.text("b/incomplete-copy") == "# hw incomplete-copy 1\n\(line)\n")
    let refused = failure { try IncompleteCopy.refuse(folder) }
    #expect(refused?.kind == .storage && refused?.message == "'\(folder)' is an incomplete copy")
    try scratch.write("x", to: "b/all.db")
    do {
      let copy = try begin()
      let finished = copy.finished
      #expect(finished.map(\.line) == [line])
      #expect(scratch.text("b/all.db") == "x")
      try copy.finish()
    }
    #expect(scratch.names("b") == ["all.db"])
    try IncompleteCopy.refuse(folder)
  }

  @Test(
    "What is noted after the last beginning is kept; what cannot be read begins anew",
    arguments: [
      ("all 1 a 1:x\nother 12 b 2:y\n", ["all 1 a 1:x", "other 12 b 2:y"]),
      ("all 1 a 1:x\nall 1 b 2:", ["all 1 a 1:x"]),
      ("all 1 a 1:x\n# hw incomplete-copy 1\nall 1 b 2:y\n", ["all 1 b 2:y"]),
      ("all 1 a 1:x\n# hw incomplete-copy 1\n", []), ("", []), ("all 1 a 1:x", []),
      ("all one a 1:x\n", []), ("all 1 a\n", []), ("all 1 a 1:x y\n", []),
      ("all 1 a 1:x\nnonsense\nall 1 b 2:y\n", []), ("all 1 a 1:x\n\n", []),
      ("all 1 a 1:x\nall 1\n# hw incomplete-copy 1\nall 1 b 2:y\n", ["all 1 b 2:y"]),
    ])
  func marks(text: String, tables: [String]) throws {
    let mark = "# hw incomplete-copy 1\n\(text)"
    let files = ["all.db", "all.db-shm", "all.db-wal", "foreign.db", "other.db"]
    for file in files { try scratch.write("x", to: "b/\(file)") }
    try scratch.write(mark, to: "b/incomplete-copy")
    let copy = try begin()
    let finished = copy.finished
    #expect(finished.map(\.line) == tables)
    let isNew = tables.isEmpty
    let after = scratch.text("b/incomplete-copy")
    #expect(after.hasPrefix(mark))
    #expect(after.dropFirst(mark.count) == (isNew ? "\n# hw incomplete-copy 1\n" : ""))
    #expect(scratch.names("b") == ((isNew ? ["foreign.db"] : files) + ["incomplete-copy"]).sorted())
    try copy.note(try #require(FinishedTable(line: "all 1 z 9:z")))
    try copy.startOver()
    try copy.note(try #require(FinishedTable(line: "all 1 y 8:y")))
    #expect(scratch.text("b/incomplete-copy").hasSuffix("\n# hw incomplete-copy 1\nall 1 y 8:y\n"))
  }

  @Test func aDirectoryInUseIsLeftAsItIs() throws {
    try scratch.write("x", to: "b/other.db")
    do throws(Failure) {
      try begin().finish()
      Issue.record("it is taken")
    } catch {
      #expect(
        error
          == Failure(
            .conflict, "'\(folder)' is not empty: it has database 'other'",
            hint: "it was left as it is; name a new directory or an empty database with --to"))
    }
    #expect(scratch.names("b") == ["other.db"])
    // Databases of other names are no part of a copy.
    try File.remove(scratch.file("b/other.db"))
    try scratch.write("x", to: "b/foreign.db")
    _ = try begin()
    #expect(scratch.names("b") == ["foreign.db", "incomplete-copy"])
  }

  @Test func whatFailedCanBeRemoved() throws {
    let copy = try begin()
    for file in ["all.db", "all.db-wal", "all.db-shm", "foreign.db"] {
      try scratch.write("x", to: "b/\(file)")
    }
    try copy.startOver()
    #expect(scratch.names("b") == ["foreign.db", "incomplete-copy"])
    try scratch.write("x", to: "b/other.db")
    try copy.discard()
    #expect(scratch.names("b") == ["foreign.db"])
  }
}
