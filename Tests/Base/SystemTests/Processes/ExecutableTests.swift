import Foundation
import Synchronization
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

  @Test func firstExecutableOnPathIsFound() {
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

  @Test func executablePathOfThisProcessIsFound() throws {
    let itself = try #require(Executable.itself)
    #expect(Executable.find(itself, in: Environment([:])) == itself)
  }
}

@Suite struct ChildProcessStatusTests {
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

  @Test func exitStatusIsReadOnce() throws {
    let child = try ChildProcess.start(["sh", "-c", "exit 3"], environment: .process)
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

  @Test func childIsTerminated() throws {
    let child = try ChildProcess.start(["sleep", "600"], environment: .process)
    #expect(getpgid(child.identifier) == getpgid(0))
    child.send(signal: SIGTERM)
    #expect(child.waitThroughInterrupts() == .killed(signal: SIGTERM))
  }

  /// Looks until the thread that waits for it takes no SIGINT, and says whether it does.
  private static let lookForBlockedInterrupts = """
    i=0
    until grep -q '^SigBlk:.*[2367abef]$' /proc/$0/status; do
      i=$((i + 1))
      [ $i -lt 1000 ] || exit 1
    done
    exit 7
    """

  @Test func waitThroughInterruptsBlocksSIGINT() {
    let result = Mutex<(status: ChildProcess.Status?, isBlocked: Bool)>((nil, true))
    let end = DispatchSemaphore(value: 0)
    Foundation.Thread.detachNewThread {
      defer { end.signal() }
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      guard
        let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
        let child = try? ChildProcess.start(
          ["sh", "-c", ChildProcessStatusTests.lookForBlockedInterrupts, thread], environment: .process)
      else { return }
      let status = child.waitThroughInterrupts()
      pthread_sigmask(SIG_BLOCK, nil, &signals)
      let isBlocked = sigismember(&signals, SIGINT) != 0
      result.withLock { $0 = (status, isBlocked) }
    }
    end.wait()
    #expect(result.withLock { $0.status } == .exited(7))
    #expect(result.withLock { !$0.isBlocked })
  }

  /// Written by a shell: it must not be open for writing here when it is run.
  private static func makeUnknownProgram(_ path: String) throws {
    try Spawn.run(["sh", "-c", "printf x >\"$0\" && chmod 755 \"$0\"", path])
  }

  @Test func aFileThatIsNoProgramIsNotStarted() throws {
    let scratch = try ScratchDirectory()
    try ChildProcessStatusTests.makeUnknownProgram(scratch.file("x"))
    #expect(throws: SystemError(ENOEXEC)) {
      try ChildProcess.start([scratch.file("x")], environment: .process)
    }
    #expect(throws: SystemError.noSuchFile) {
      try ChildProcess.exec(["no-such-program"], environment: .process)
    }
  }

  /// The numbers that the copies would get otherwise are those of the child.
  @Test func descriptorsOfChildDoNotCollide() async {
    await #expect(processExitsWith: .success) {
      let inputs = try ["one,", "two"].map { text in
        let pipe = try System.Pipe()
        try pipe.writer.writeAll(Array(text.utf8))
        pipe.writer.close()
        return pipe.reader
      }
      let output = try System.Pipe()
      let next = dup(0)
      close(next)
      let child = try ChildProcess.start(
        ["cat", "/proc/self/fd/\(next + 1)", "/proc/self/fd/\(next + 2)"], environment: .process,
        descriptors: [1: output.writer, next + 1: inputs[0], next + 2: inputs[1]])
      output.writer.close()
      #expect(try child.wait() == .exited(0))
      #expect(try output.reader.read(atMost: 100) == Array("one,two".utf8))
    }
  }

  /// Says whether the signals that are errors of a write here end a program again.
  private static let raiseSignals = """
    ulimit -c 0
    sh -c 'kill -PIPE $$'
    pipe=$?
    sh -c 'kill -XFSZ $$'
    [ "$pipe,$?,$FRUIT,$1" = "141,153,fig,a b" ] && exit 7
    """

  @Test func execReplacesProcessAndRestoresSignals() async throws {
    let scratch = try ScratchDirectory()
    try ChildProcessStatusTests.makeUnknownProgram(scratch.file("x"))
    await #expect(processExitsWith: .exitCode(7)) { [unknown = scratch.file("x") as String] in
      for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
      #expect(throws: SystemError(ENOEXEC)) { try ChildProcess.exec([unknown], environment: .process) }
      for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
      try ChildProcess.exec(
        ["sh", "-c", ChildProcessStatusTests.raiseSignals, "sh", "a b"],
        environment: .process.setting(["FRUIT": "fig"]))
    }
  }
}
