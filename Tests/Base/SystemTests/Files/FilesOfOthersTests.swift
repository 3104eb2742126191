import Glibc
import TestSupport
import Testing

@testable import System

/// Files that other users, or killed processes, have left where this process writes.
@Suite struct FilesOfOthers {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test(.enabled(if: geteuid() == 0, "only root can give a link to another user"))
  func foreignLinkInASharedFolderIsNotFollowed() throws {
    let (target, link) = (scratch.file("target"), scratch.file("link"))
    try scratch.write("old", to: "target")
    try #require(symlink(target, link) == 0 && lchown(link, 65_534, 65_534) == 0)
    try File.replace(link, with: Array("own folder".utf8))
    #expect(scratch.text("target") == "own folder")
    try #require(chmod(scratch.path, 0o1777) == 0)
    let refusal = Failure(.storage, "cannot write '\(link)': permission denied")
    #expect(failure { try File.replace(link, with: []) }?.message == refusal.message)
    #expect(failure { _ = try NewFile(replacing: link) }?.message == refusal.message)
    #expect(scratch.text("target") == "own folder")
    try #require(lchown(link, 0, 0) == 0)
    try File.replace(link, with: Array("own link".utf8))
    #expect(scratch.text("target") == "own link")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a link to another user"))
  func linkOfTheOwnerOfADirectoryIsNotFollowedByRoot() throws {
    let link = scratch.file("databases")
    try scratch.write("old", to: "target")
    try #require(symlink(scratch.file("target"), link) == 0 && lchown(link, 65_534, 65_534) == 0)
    try #require(chown(scratch.path, 65_534, 65_534) == 0)
    #expect(
      failure { try File.replace(link, with: []) }?.message == "cannot write '\(link)': permission denied")
    #expect(scratch.text("target") == "old")
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can give a file to another user"),
    arguments: [
      (0, 0o640, .secret, 0o640), (0, 0o600, .shared, 0o600), (65_534, 0o666, .secret, 0o600),
      (65_534, 0o666, .shared, 0o644), (65_534, 0o600, .shared, 0o600),
    ] as [(uid_t, mode_t, File.Mode, mode_t)])
  func newFileIsReadableForThoseWhomItsOwnUserChose(
    owner: uid_t, old: mode_t, mode: File.Mode, expected: mode_t
  ) throws {
    let path = scratch.file("bikes.csv")
    try scratch.write("old", to: "bikes.csv")
    try #require(chmod(path, old) == 0 && chown(path, owner, 0) == 0)
    let file = try NewFile(replacing: path, mode: mode)
    defer { file.discard() }
    try file.replace()
    #expect(File.status(path).map { $0.st_mode & 0o777 } == expected)
  }

  @Test func abandonedTemporaryFileIsRemovedByTheNextWriter() throws {
    // No process has the largest number.
    let abandoned = ["note.2147483646.1.tmp", "note.2147483646.4294967295.tmp"]
    let others = ["note.\(getpid()).1.tmp", "note.x.1.tmp", "note.1.2.3.tmp", "other.2147483646.1.tmp"]
    for name in abandoned + others { try scratch.write("a key", to: name) }
    // That of a process in another container, which has no number here.
    let used = try File.openTemporary(scratch.file("note.2147483646.2.tmp"), mode: .secret)
    try File.replace(scratch.file("note"), with: [1])
    #expect(Set(scratch.names) == Set(others + ["note", "note.2147483646.2.tmp"]))
    used.close()
    // A child of another test has a copy of the descriptor, and its lock, until it runs its own program.
    for _ in 0..<200 {
      try File.replace(scratch.file("note"), with: [1])
      guard scratch.names.contains("note.2147483646.2.tmp") else { break }
      usleep(5000)
    }
    #expect(Set(scratch.names) == Set(others + ["note"]))
    _ = try File.create(scratch.file("snapshot"), with: [1])
    #expect(Set(scratch.names) == Set(others + ["note", "snapshot"]), "others may be of another program")
    // In a directory of hw, a FIFO is not waited for.
    try #require(mkfifo(scratch.file("x.2147483646.1.tmp"), 0o600) == 0)
    File.removeAbandoned(in: scratch.path)
    #expect(
      Set(scratch.names).symmetricDifference(others) == [
        "note", "snapshot", "x.2147483646.1.tmp", "other.2147483646.1.tmp",
      ])
  }

  @Test func lockedFileIsNoLink() throws {
    try #require(symlink(scratch.file("target"), scratch.file("lock")) == 0)
    #expect(failure { _ = try LockedFile(scratch.file("lock")) }?.kind == .storage)
    #expect(!File.exists(scratch.file("target")))
  }

  @Test(
    arguments: [
      (0o600, true), (0o644, true), (0o664, true), (0o666, false), (0o602, false),
    ] as [(mode_t, Bool)])
  func fileBelongsToThisUserAlone(mode: mode_t, isOwn: Bool) throws {
    try scratch.write("", to: "config")
    try #require(chmod(scratch.file("config"), mode) == 0)
    #expect(File.isChangeableByOthers(scratch.file("config")) == !isOwn)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func folderOfAnotherUserInOneForAllIsForeign() throws {
    let folder = scratch.file("for all/backup")
    try Folder.make(folder)
    for (owner, mode, isForeign) in [(65_534, 0o1777, true), (0, 0o1777, false), (65_534, 0o755, false)] {
      try #require(chown(folder, uid_t(owner), 0) == 0 && chmod(scratch.file("for all"), mode_t(mode)) == 0)
      #expect(Folder.isForeign(folder) == isForeign)
    }
    #expect(!Folder.isForeign(scratch.file("missing")))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func fileOfAnotherUserIsChangeableByOthers() throws {
    try scratch.write("", to: "config")
    try #require(chown(scratch.file("config"), 65_534, 0) == 0)
    #expect(File.isChangeableByOthers(scratch.file("config")))
    #expect(!File.isChangeableByOthers("/dev/null"))
    try #require(mkfifo(scratch.file("pipe"), 0o600) == 0 && chown(scratch.file("pipe"), 65_534, 0) == 0)
    #expect(File.isChangeableByOthers(scratch.file("pipe")))
  }

  @Test func browserAndPagerGetNoSecrets() {
    let names = [
      "HW_TOKEN", "HW_BIKES_TOKEN", "HW_NBA_KEY", "HW_BIKES_STORE", "HW_STORE_TO", "HW_URL", "KEY", "PATH",
      "BALLDONTLIE_API_KEY", "PGPASSWORD",
    ]
    let environment = Environment(Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
    #expect(environment.withoutSecrets.all.keys.sorted() == ["HW_URL", "KEY", "PATH"])
  }
}
