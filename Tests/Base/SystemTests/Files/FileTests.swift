import Foundation
import TestSupport
import Testing

@testable import System

func mode(_ path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

/// A longer write fails, as on a full disk.
private func limitFiles(to size: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: size, rlim_max: size)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

@Suite("File")
struct FileTests {
  let scratch: ScratchDirectory
  let path: String

  init() throws {
    scratch = try ScratchDirectory()
    path = scratch.file("note")
  }

  @Test func fileThatIsNotThereIsNilEmptyOneIsEmpty() throws {
    #expect(try File.read(path) == nil)
    #expect(try File.read("\(path)/below") == nil)
    try File.replace(path, with: [])
    #expect(try File.read(path) == [])
  }

  @Test(arguments: [1, 65_535, 65_536, 65_537, 300_000])
  func contentsOfEverySizeAreReadBack(_ count: Int) throws {
    let contents = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try File.replace(path, with: contents)
    #expect(try File.read(path) == contents)
  }

  @Test func fileMayBeAsLongAsLimitAndNoLonger() throws {
    try File.replace(path, with: Array(repeating: 0, count: 100))
    #expect(try File.read(path, limit: 100)?.count == 100)
    #expect(failure { try File.read(path, limit: 99) }?.message == "cannot read '\(path)': file too large")
  }

  @Test func fileIsCreatedOnce() throws {
    #expect(try File.create(path, with: Array("first".utf8), mode: .shared))
    #expect(try !File.create(path, with: Array("second".utf8)))
    #expect(try File.read(path) == Array("first".utf8))
    #expect(try mode(path) == 0o644)
    #expect(scratch.names == ["note"])
    #expect(throws: Failure(.storage, "cannot write '\(path)/below': not a directory")) {
      try File.create("\(path)/below", with: [])
    }
    #expect(try File.create(scratch.file("other"), with: []))
    #expect(try mode(scratch.file("other")) == 0o600)
  }

  @Test func disposableFileIsPrivate() throws {
    for text in ["first text", "second"] {
      try DisposableFile.replace(path, with: Array(text.utf8))
      #expect(scratch.text("note") == text)
    }
    #expect(try mode(path) == 0o600)
    #expect(scratch.names == ["note"])
    let below = scratch.file("none/note")
    for write in [DisposableFile.replace(_:with:), { try DisposableFile.append($1, to: $0) }] {
      #expect(throws: Failure(.storage, "cannot write '\(below)': no such file or directory")) {
        try write(below, [1])
      }
    }
  }

  @Test func syncsCompleteFileBeforeRenameAndDirectoryAfterIt() throws {
    try File.replace(path, with: Array("old".utf8))
    // What is synced, its size, and what the file's name stands for at that moment.
    var synced: [(target: String, size: Int, current: String?)] = []
    try File.replace(
      path, with: Array("newer".utf8), mode: .secret,
      synchronize: { descriptor throws(SystemError) in
        synced.append(
          (
            File.realPath("/proc/self/fd/\(descriptor.rawValue)"),
            Int(lseek(descriptor.rawValue, 0, SEEK_CUR)),
            try? File.read(path).map { String(decoding: $0, as: UTF8.self) }
          ))
      })
    try #require(synced.count == 2)
    #expect(synced[0].target.hasPrefix("\(File.realPath(scratch.path))/note."))
    #expect(synced[0].size == 5 && synced[0].current == "old")
    #expect(synced[1].target == File.realPath(scratch.path) && synced[1].current == "newer")
  }

  @Test func fileThatCannotBeSyncedIsNotReplaced() throws {
    try File.replace(path, with: Array("old".utf8))
    #expect(throws: Failure(.storage, "cannot write '\(path)': input/output error")) {
      try File.replace(
        path, with: Array("new".utf8), mode: .secret,
        synchronize: { _ throws(SystemError) in
          throw SystemError(EIO)
        })
    }
    #expect(try File.read(path) == Array("old".utf8))
    #expect(scratch.names == ["note"])
  }

  @Test(
    "the folder of a path",
    arguments: [
      ("a", "."), ("/a", "/"), ("b/a", "b"), ("/c/b/a", "/c/b"), ("/c/\u{301}a", "/c"),
    ])
  func containing(_ path: String, _ folder: String) { #expect(Folder.containing(path) == folder) }

  @Test("replaces the whole text, leaves no temporary file, and keeps it private unless told")
  func replace() throws {
    try File.replace(path, with: Array("a long first text".utf8))
    #expect(try mode(path) == 0o600)
    try File.replace(path, with: Array("short".utf8), mode: .shared)
    #expect(try File.read(path) == Array("short".utf8))
    #expect(try mode(path) == 0o644)
    #expect(scratch.names == ["note"])
  }

  @Test func killedWhileReplacingOldTextIsWhole() async throws {
    try File.replace(path, with: Array("old".utf8))
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { kill(getpid(), SIGKILL) }
      let contents = [UInt8](repeating: 7, count: 1 << 20)
      while true { try File.replace(path, with: contents) }
    }
    let contents = try #require(try File.read(path))
    #expect(contents == Array("old".utf8) || contents == Array(repeating: 7, count: 1 << 20))
  }

  @Test func noSpaceLeftSaysSoOldTextStaysAndNothingLiesBesideIt() async throws {
    try File.replace(path, with: Array("old".utf8))
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFiles(to: 1000)
      #expect(throws: Failure.self) { try File.replace(path, with: Array(repeating: 7, count: 5000)) }
    }
    #expect(try File.read(path) == Array("old".utf8))
    #expect(scratch.names == ["note"])
  }

  @Test("adds to a file, made when it is missing, all or nothing")
  func append() async throws {
    for text in ["one\n", "two\n"] { try DisposableFile.append(Array(text.utf8), to: path) }
    #expect(try mode(path) == 0o600)
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFiles(to: 1000)
      #expect(throws: Failure.self) { try DisposableFile.append(Array(repeating: 7, count: 5000), to: path) }
    }
    #expect(try File.read(path) == Array("one\ntwo\n".utf8))
  }

  @Test func fileToBeMadeAnewMustNotBeThereOneToBeAppendedToGrows() throws {
    try File.open(path, .createNew).close()
    #expect(throws: SystemError.fileExists) { try File.open(path, .createNew) }
    for text in ["one", "two"] {
      let file = try File.open(path, .append)
      defer { file.close() }
      try file.writeAll(Array(text.utf8))
    }
    try File.open(path, .readWrite).close()
    #expect(try File.read(path) == Array("onetwo".utf8))
    #expect(throws: SystemError.noSuchFile) { try File.open(scratch.file("none"), .read) }
  }

  @Test func openFileIsNotHandedOnToProgramThatIsStarted() throws {
    let file = try File.open(path, .createNew)
    defer { file.close() }
    #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test("removing says whether there was something to remove")
  func remove() throws {
    try File.replace(path, with: [1])
    #expect(File.exists(path))
    #expect(try File.remove(path))
    #expect(!File.exists(path))
    #expect(try !File.remove(path))
    #expect(throws: Failure.self) { try File.remove(scratch.path) }
  }

  @Test func fileBelowFileCannotBeReadAndIsNotThere() throws {
    try File.replace(path, with: [])
    #expect(throws: Failure(.storage, "cannot read '\(path)/below': not a directory")) {
      try File.read("\(path)/below")
    }
    #expect(try File.exists(path) && File.certainlyExists(path))
    for missing in [scratch.file("none"), scratch.file("none/below"), "\(path)/below"] {
      #expect(try !File.exists(missing) && !File.certainlyExists(missing))
    }
    // Whether there is such a file is not known.
    let long = scratch.file(String(repeating: "x", count: 256))
    #expect(File.exists(long))
    #expect(throws: Failure(.storage, "cannot read '\(long)': file name too long")) {
      try File.certainlyExists(long)
    }
  }

  @Test func existenceInClosedFolderIsUncertain() async throws {
    let folder = scratch.file("closed")
    try Folder.make(folder)
    try File.replace("\(folder)/note", with: [])
    chmod(folder, 0)
    defer { chmod(folder, 0o700) }
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      if geteuid() == 0 { setuid(65534) }
      #expect(!File.exists("\(folder)/note"))
      #expect(throws: Failure(.storage, "cannot read '\(folder)/note': permission denied")) {
        try File.certainlyExists("\(folder)/note")
      }
    }
  }

  @Test(
    arguments: [
      (0o600, false), (0o640, true), (0o604, true), (0o644, true), (0o622, false), (0o611, false),
    ] as [(mode_t, Bool)])
  func whetherOthersMayReadFile(_ mode: mode_t, _ isReadable: Bool) throws {
    #expect(!File.isReadableByOthers(path))
    try File.replace(path, with: [])
    chmod(path, mode)
    #expect(File.isReadableByOthers(path) == isReadable)
  }

  @Test func sizeOfFileAndWhereItReallyIs() throws {
    #expect(File.size(path) == nil && File.realPath(path) == path)
    try File.replace(path, with: [])
    #expect(File.size(path) == 0)
    try File.replace(path, with: [1, 2, 3])
    #expect(File.size(path) == 3)
    #expect(symlink(path, scratch.file("link")) == 0)
    #expect(File.size(scratch.file("link")) == 3)
    #expect(File.realPath(scratch.file("link")) == File.realPath(path))
  }

  @Test(arguments: [".", "here"]) func aFolderIsNotReplaced(name: String) throws {
    let folder = name == "here" ? scratch.path : name
    #expect(throws: Failure(.storage, "cannot write '\(folder)': is a directory")) {
      try File.replace(folder, with: [])
    }
    #expect(throws: Failure.self) { try File.read(folder) }
    #expect(scratch.names == [])
  }

  @Test func onlyFIFOIsSpecialFile() throws {
    try File.replace(path, with: [])
    #expect(mkfifo(scratch.file("pipe"), 0o600) == 0)
    #expect(File.isSpecial(scratch.file("pipe")) && File.isSpecial("/dev/null"))
    for other in [path, scratch.path, scratch.file("none")] { #expect(!File.isSpecial(other)) }
  }

  @Test func executableIsFileThatMayBeRunAndNoFolder() throws {
    try File.replace(path, with: [])
    #expect(!File.isExecutable(path))
    chmod(path, 0o700)
    #expect(File.isExecutable(path))
    #expect(!File.isExecutable(scratch.path))
    #expect(!File.isExecutable(scratch.file("none")))
  }
}

@Suite("Folder")
struct FolderTests {
  @Test("makes what is missing, private, and leaves what is there")
  func make() throws {
    let scratch = try ScratchDirectory()
    chmod(scratch.path, 0o755)
    try Folder.make(scratch.file("a/b/c"))
    for name in ["a", "a/b", "a/b/c"] { #expect(try mode(scratch.file(name)) == 0o700) }
    #expect(try mode(scratch.path) == 0o755)
    try Folder.make(scratch.file("a/b/c"))
    try Folder.make("/")
  }

  @Test("a folder that is not there can be written where the next one above it can")
  func isWritable() throws {
    let scratch = try ScratchDirectory()
    #expect(Folder.isWritable(scratch.path) && Folder.isWritable(scratch.file("a/b/c")))
    try File.replace(scratch.file("note"), with: [])
    #expect(!Folder.isWritable(scratch.file("note/below")))
    for (below, above) in [
      ("/nosuch", "/"), ("/nosuch/deeper", "/"), ("nosuch", "."), ("nosuch/deeper", "."),
    ] {
      #expect(Folder.isWritable(below) == Folder.isWritable(above))
    }
  }

  @Test func saysWhichFolderCannotBeMade() throws {
    let scratch = try ScratchDirectory()
    try File.replace(scratch.file("note"), with: [])
    let below = scratch.file("note/below")
    #expect(failure { try Folder.make(below) }?.message == "cannot make folder '\(below)': not a directory")
    #expect(throws: Failure(.storage, "cannot make folder '': no such file or directory")) {
      try Folder.make("")
    }
    // The folder above it can be made.
    let long = scratch.file("new/\(String(repeating: "x", count: 256))")
    #expect(failure { try Folder.make(long) }?.message == "cannot make folder '\(long)': file name too long")
  }

  @Test("names come sorted by their bytes, without the two dots")
  func names() throws {
    let scratch = try ScratchDirectory()
    for name in ["b", "a", "Z", ".hidden", "é", String(repeating: "x", count: 255)] {
      try File.open(scratch.file(name), .createNew).close()
    }
    #expect(
      try Folder.names(scratch.path) == [
        ".hidden", "Z", "a", "b", String(repeating: "x", count: 255), "é",
      ])
    #expect(try Folder.names(scratch.file("none")) == [])
    #expect(throws: Failure(.storage, "cannot read folder '\(scratch.file("a"))': not a directory")) {
      try Folder.names(scratch.file("a"))
    }
  }
}

@Suite("LockedFile")
struct LockedFileTests {
  @Test func oneHolderAtTimeOfMany() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("lock")
    let counter = scratch.file("counter")
    try File.replace(counter, with: [0])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 {
        do {
          let lock = try LockedFile(path)
          // Read, then write: an increment is lost as soon as two are inside.
          let count = try File.read(counter)?.first ?? 0
          try Data([count + 1]).write(to: URL(fileURLWithPath: counter))
          _ = consume lock
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try File.read(counter) == [200])
  }

  @Test func holderThatIsKilledReturnsIt() async throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("lock")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lock = try LockedFile(path)
      kill(getpid(), SIGKILL)
      _ = consume lock
    }
    _ = try LockedFile(path)
    #expect(try mode(path) == 0o600)
  }
}

@Suite("What a locked file contains")
struct LockedFileContentTests {
  private let scratch: ScratchDirectory
  private let path: String

  init() throws {
    scratch = try ScratchDirectory()
    path = scratch.file("record")
  }

  @Test(
    "its front is read, as far as it goes",
    arguments: [(0, ""), (1, "a"), (4, "abcd"), (5, "abcde"), (6, "abcde"), (100, "abcde")])
  func read(_ limit: Int, _ text: String) throws {
    try scratch.write("abcde", to: "record")
    let file = try LockedFile(path)
    let front = try file.read(atMost: limit)
    #expect(front == Array(text.utf8))
    let again = try file.read(atMost: limit)
    #expect(again == Array(text.utf8))
  }

  @Test("a record is written over the one before")
  func write() throws {
    for (text, contents) in [("first", "first"), ("2nd", "2ndst"), ("", "2ndst")] {
      let file = try LockedFile(path)
      try file.write(Array(text.utf8))
      let found = try file.read(atMost: 100)
      #expect(found == Array(contents.utf8))
    }
    #expect(scratch.text("record") == "2ndst")
  }

  @Test func noSpaceLeftFileWithoutRecordHasNone() async throws {
    await #expect(processExitsWith: .success) { [folder = scratch.path as String] in
      limitFiles(to: 1000)
      let long = [UInt8](repeating: 7, count: 5000)
      #expect(throws: Failure(.storage, "cannot write '\(folder)/record': file too large")) {
        let file = try LockedFile("\(folder)/record")
        try file.write(long)
      }
    }
    #expect(File.size(path) == 0)
  }

  @Test func whetherFolderHasLocksIsTriedWithFileThatGoesAgain() throws {
    try LockedFile.checkSupport(in: scratch.path)
    #expect(scratch.names == [])
    let none = scratch.file("none")
    #expect(throws: Failure(.storage, "cannot lock files in '\(none)': no such file or directory")) {
      try LockedFile.checkSupport(in: none)
    }
  }
}

@Suite struct FolderRemovalTests {
  @Test func removalDoesNotFollowLinks() throws {
    let files = FileManager.default
    let scratch = try ScratchDirectory()
    let root = scratch.path
    for folder in ["gone/deep/deeper", "kept"] { try Folder.make("\(root)/\(folder)") }
    for file in ["gone/a", "gone/deep/.b", "kept/c"] { try File.replace("\(root)/\(file)", with: [1]) }
    try files.createSymbolicLink(atPath: "\(root)/gone/link", withDestinationPath: "\(root)/kept")
    try files.createSymbolicLink(atPath: "\(root)/gone/nowhere", withDestinationPath: "/nowhere/at/all")
    try Folder.remove("\(root)/gone")
    #expect(try files.contentsOfDirectory(atPath: root) == ["kept"])
    #expect(File.exists("\(root)/kept/c"))
    // And again: it is gone already.
    try Folder.remove("\(root)/gone")
  }

  @Test func failedRemovalIsReported() throws {
    let scratch = try ScratchDirectory()
    let itself = scratch.file("folder/.")
    try Folder.make(scratch.file("folder"))
    #expect(throws: Failure(.storage, "cannot remove '\(itself)': invalid argument")) {
      try Folder.remove(itself)
    }
    try scratch.write("", to: "folder/note")
    #expect(
      throws: Failure(.storage, "cannot read folder '\(scratch.file("folder/note"))': not a directory")
    ) { try Folder.remove(scratch.file("folder/note")) }
  }
}
