import System
import TestSupport
import Testing

@testable import Store

/// The mark of a directory that a copy fills.
@Suite struct IncompleteCopyTests {
  private let scratch: ScratchDirectory
  private var folder: String { scratch.file("b") }

  init() throws { scratch = try ScratchDirectory() }

  private func begin() throws(Failure) -> IncompleteCopy {
    try IncompleteCopy.begin(in: folder, ["all", "other"])
  }

  @Test func directoryInUseIsLeftAsItIs() throws {
    try scratch.write("x", to: "b/other.db")
    #expect(
      failure { _ = try begin() }
        == Failure(
          .conflict, "'\(folder)' is not empty: it has database 'other'",
          hint: "it was left as it is; name a new directory or an empty database with --to"))
    #expect(scratch.names("b") == ["other.db"])
    // Databases of other names are no part of a copy.
    try File.remove(scratch.file("b/other.db"))
    try scratch.write("x", to: "b/foreign.db")
    _ = try begin()
    #expect(scratch.names("b") == ["foreign.db", "incomplete-copy"])
  }

  @Test func discardedCopyLeavesOtherFiles() throws {
    let copy = try begin()
    for file in ["all.db", "all.db-wal", "all.db-shm", "other.db", "foreign.db"] {
      try scratch.write("x", to: "b/\(file)")
    }
    try copy.discard()
    #expect(scratch.names("b") == ["foreign.db"])
  }
}
