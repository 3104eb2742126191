import Foundation
import TestSupport
import Testing

@testable import System

/// Programs by name, in folders of the test.
@Suite struct ExecutableTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    for (name, mode) in [
      ("one/hw-a", 0o700), ("one/hw-b", 0o600), ("one/other", 0o700), ("two/hw-a", 0o700),
      ("two/hw-b", 0o700), ("two/hw-0", 0o700),
    ] as [(String, mode_t)] {
      try scratch.write("", to: name)
      chmod(scratch.file(name), mode)
    }
  }

  private func path(_ folders: String...) -> Environment {
    Environment(["PATH": folders.map(scratch.file).joined(separator: ":")])
  }

  @Test func theFirstOneThatCanBeRunIsFound() {
    #expect(Executable.find("hw-a", in: path("none", "one", "two")) == scratch.file("one/hw-a"))
    #expect(Executable.find("hw-a", in: path("two", "one")) == scratch.file("two/hw-a"))
    #expect(Executable.find("hw-b", in: path("one", "two")) == scratch.file("two/hw-b"))
    #expect(Executable.find("hw-b", in: path("one")) == nil)
  }

  @Test func aPathIsNotSearchedFor() {
    #expect(Executable.find(scratch.file("one/hw-b"), in: path("two")) == nil)
    #expect(Executable.find(scratch.file("one/hw-a"), in: path("two")) == scratch.file("one/hw-a"))
  }

  @Test(
    arguments: [
      ("/a:/b", ["/a", "/b"]), (":/a::/b:", [".", "/a", ".", "/b", "."]),
      (nil, ["/usr/local/bin", "/usr/bin", "/bin"]), ("", ["/usr/local/bin", "/usr/bin", "/bin"]),
    ] as [(String?, [String])])
  func foldersOfThePath(path: String?, folders: [String]) {
    let environment = Environment(path.map { ["PATH": $0] } ?? [:])
    #expect(Executable.searchPath(of: environment) == folders)
  }

  @Test func namesAreSortedAndEachIsListedOnce() {
    let path = path("one", "none", "two")
    #expect(Executable.names(beginningWith: "hw-", in: path) == ["hw-0", "hw-a", "hw-b"])
    #expect(Executable.names(beginningWith: "hw-b", in: self.path("one")) == [])
    #expect(Executable.names(beginningWith: "", in: self.path("one")) == ["hw-a", "other"])
  }

  @Test func theTestsAreAProgramToo() throws {
    let itself = try #require(Executable.itself)
    #expect(Executable.find(itself, in: Environment([:])) == itself)
  }
}

@Suite struct EndsOfChildren {
  @Test(
    arguments: [
      (0, .exited(0), 0), (0x0700, .exited(7), 7), (0xFF00, .exited(255), 255),
      (15, .killed(signal: 15), 143),
      // With a core dump.
      (0x80 | 11, .killed(signal: 11), 139),
    ] as [(Int32, ChildProcess.Status, Int32)])
  func status(waited: Int32, status: ChildProcess.Status, code: Int32) {
    #expect(ChildProcess.Status(waited: waited) == status)
    #expect(status.code == code)
  }

  @Test func anEndIsSeenOnce() throws {
    let child = try ChildProcess.start(.init(["sh", "-c", "exit 3"], environment: .process))
    var status: ChildProcess.Status?
    try waitUntil("the child to end") {
      status = try child.statusNow()
      return status != nil
    }
    #expect(status == .exited(3))
    #expect(child.waitThroughInterrupts() == nil)
    #expect(throws: SystemError(ECHILD)) { try child.wait() }
    #expect(throws: SystemError(ECHILD)) { try child.statusNow() }
  }

  @Test func oneCanBeToldToEnd() throws {
    let child = try ChildProcess.start(.init(["sleep", "600"], environment: .process))
    #expect(getpgid(child.identifier) == getpgid(0))
    child.terminate()
    #expect(child.waitThroughInterrupts() == .killed(signal: SIGTERM))
  }
}
