import Foundation
import TestSupport
import Testing

@testable import System

@Suite("FileDescriptor")
struct FileDescriptorTests {
  @Test func writesEverythingThroughAsManyShortWritesAsFullPipeMakesOfIt() throws {
    let pipe = try System.Pipe()
    let contents = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let thread = Thread {
      do { try pipe.writer.writeAll(contents) } catch { Issue.record(error) }
      pipe.writer.close()
    }
    thread.start()
    var received: [UInt8] = []
    while case let block = try pipe.reader.read(atMost: 30_000), !block.isEmpty { received += block }
    pipe.reader.close()
    #expect(received == contents)
  }

  @Test func nothingToWriteIsNothingToDo() throws {
    try FileDescriptor(rawValue: -1).writeAll([])
  }

  @Test func descriptorThatIsNotOpenIsError() {
    #expect(throws: SystemError(EBADF)) { try FileDescriptor(rawValue: -1).read(atMost: 1) }
    #expect(throws: SystemError(EBADF)) { try FileDescriptor(rawValue: -1).synchronize() }
  }

  @Test func nonBlockingReadReportsThatNothingIsThere() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    _ = fcntl(pipe.reader.rawValue, F_SETFL, O_NONBLOCK)
    #expect(throws: SystemError.wouldBlock) { try pipe.reader.read(atMost: 1) }
  }

  @Test func readsBehindWhatBufferHoldsAlreadyAndKeepsWhatIsBehindThat() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    try pipe.writer.writeAll(Array("abcdefgh".utf8))
    var buffer: [UInt8] = [1, 2, 3, 4]
    #expect(try pipe.reader.read(into: &buffer, from: 1) == 3)
    #expect(buffer == [1] + Array("abc".utf8))
    #expect(try pipe.reader.read(atMost: 2) == Array("de".utf8))
    buffer = [1, 2, 3, 4, 5, 6]
    #expect(try pipe.reader.read(into: &buffer, from: 2) == 3)
    #expect(buffer == [1, 2] + Array("fgh".utf8) + [6])
  }

  @Test func fullPipeTakesNoMoreBytesUntilItIsRead() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    #expect(pipe.writer.acceptsBytes)
    try pipe.writer.makeNonBlocking()
    // More than a pipe holds.
    let block = [UInt8](repeating: 7, count: 4 << 20)
    #expect(throws: SystemError.wouldBlock) { try pipe.writer.writeAll(block) }
    #expect(!pipe.writer.acceptsBytes)
    #expect(try !pipe.reader.read(atMost: 4 << 20).isEmpty)
    #expect(pipe.writer.acceptsBytes)
  }

  @Test func saysWhichOfSeveralDescriptorsCanBeReadOrHasEnded() throws {
    let pipes = try (0..<3).map { _ in try System.Pipe() }
    let readers = pipes.map(\.reader)
    defer {
      for pipe in pipes { pipe.reader.close() }
      for pipe in pipes.dropLast() { pipe.writer.close() }
    }
    for limit in [Duration.zero, .milliseconds(-5)] {
      #expect(try Waiting.forInput([readers[0], readers[1]], atMost: limit) == [false, false])
    }
    try pipes[1].writer.writeAll([1])
    pipes[2].writer.close()
    #expect(try Waiting.forInput(readers, atMost: nil) == [false, true, true])
    #expect(try Waiting.forInput([], atMost: .nanoseconds(1)) == [])
    // No limit is too long.
    #expect(try Waiting.forInput([readers[1]], atMost: .seconds(1 << 50)) == [true])
  }

  @Test(
    arguments: [
      (.zero, 0), (.milliseconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
      (.microseconds(1001), 2), (.seconds(1_000_000), 1_000_000_000), (.seconds(1_000_001), 1_000_000_000),
      (.seconds(Int.max), 1_000_000_000), (.seconds(Int.min), 0),
    ] as [(Duration, Int32)])
  func millisecondsOfWait(wait: Duration, milliseconds: Int32) {
    #expect(wait.pollMilliseconds == milliseconds)
  }

  @Test func withoutLimitItWaitsAndWithOneNoMomentLess() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    for limit in [Duration.microseconds(2100), .microseconds(900)] {
      let start = SystemTime().uptime()
      #expect(try Waiting.forInput([pipe.reader], atMost: limit) == [false])
      #expect(SystemTime().uptime() - start >= limit)
    }
    try onceThisThreadSleeps { try? pipe.writer.writeAll([1]) }
    #expect(try Waiting.forInput([pipe.reader], atMost: nil) == [true])
  }

  @Test func signalThatAnotherThreadReceivesEndsWait() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      Interruption.allowLongCleanUp()
      let pipe = try System.Pipe()
      try onceThisThreadSleeps { InterruptionTests.raise(SIGTERM) }
      #expect(throws: SystemError.interrupted) { try Waiting.forInput([pipe.reader], atMost: nil) }
    }
  }

  @Test func signalBeforeWaitEndsWriteAndIsPassedToChild() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      Interruption.allowLongCleanUp()
      InterruptionTests.raise(SIGTERM)
      // Ends the process if it waits for a reader or for the end of the child.
      signal(SIGALRM, SIG_DFL)
      alarm(60)
      let pipe = try System.Pipe()
      #expect(throws: Interruption.failure) {
        try DescriptorSink(pipe.writer, name: "pipe", isInterruptible: true)
          .write([UInt8](repeating: 7, count: 1 << 20))
      }
      let child = try ChildProcess.start(["sleep", "600"], environment: .process)
      #expect(child.waitThroughInterrupts() == .killed(signal: SIGTERM))
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func fileThatRootMakesBelongsToOwnerOfItsFolder() throws {
    let scratch = try ScratchDirectory()
    // A container may forbid it.
    guard chown(scratch.path, 12_345, 23_456) == 0 else { return }
    let file = try File.open(scratch.file("note"), .createNew)
    defer { file.close() }
    try file.takeOwnerAsRoot(of: scratch.path)
    var status = stat()
    #expect(fstat(file.rawValue, &status) == 0)
    #expect(status.st_uid == 12_345 && status.st_gid == 23_456)
    #expect(throws: SystemError.noSuchFile) { try file.takeOwnerAsRoot(of: scratch.file("none")) }
  }

  @Test func fileOfAnotherUserKeepsItsOwner() async throws {
    let scratch = try ScratchDirectory()
    chmod(scratch.path, 0o777)
    await #expect(processExitsWith: .success) { [path = scratch.file("note") as String] in
      if geteuid() == 0 { setuid(65534) }
      let file = try File.open(path, .createNew)
      try file.takeOwnerAsRoot(of: "/")
      var status = stat()
      #expect(fstat(file.rawValue, &status) == 0 && status.st_uid == geteuid())
    }
  }

  @Test func pipeIsNoTerminalPseudoTerminalIsOne() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    #expect(!pipe.reader.isTerminal)
    let terminal = try File.open("/dev/ptmx", .readWrite)
    defer { terminal.close() }
    #expect(terminal.isTerminal)
  }
}

/// Runs `body` on another thread when the one that calls this waits for something.
private func onceThisThreadSleeps(_ body: @escaping @Sendable () -> Void) throws {
  let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
  Thread.detachNewThread {
    try? waitUntil("the thread to sleep") {
      let stat = try String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)
      return stat.split(separator: ")").last?.hasPrefix(" S") == true
    }
    body()
  }
}

/// A writer can wait until its reader has taken everything.
@Suite struct AwaitReaderTests {
  private func sink(_ descriptor: FileDescriptor) -> DescriptorSink {
    DescriptorSink(descriptor, name: "output")
  }

  @Test func waitsForAPipeToBeRead() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    try sink(pipe.writer).write("four")
    #expect(unread(pipe.writer) == 4)
    try onceThisThreadSleeps { _ = try? pipe.reader.read(atMost: 4) }
    try sink(pipe.writer).awaitReader()
    #expect(unread(pipe.writer) == 0)
  }

  private func unread(_ descriptor: FileDescriptor) -> Int32 {
    var count: Int32 = 0
    _ = ioctl(descriptor.rawValue, UInt(FIONREAD), &count)
    return count
  }

  @Test(arguments: [true, false])
  func readerWhoGoesAwayIsNoticedWithEverythingReadOrNot(hasRead: Bool) throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try System.Pipe()
    defer { pipe.writer.close() }
    try sink(pipe.writer).write("four")
    if hasRead { _ = try pipe.reader.read(atMost: 4) }
    pipe.reader.close()
    #expect(failure { try sink(pipe.writer).awaitReader() }?.kind == .closedPipe)
  }

  @Test func fileAndTerminalAreNotWaitedFor() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("of another", to: "log")
    let log = try File.open(scratch.file("log"), .append)
    defer { log.close() }
    let terminal = try PseudoTerminal(columns: 80)
    terminal.type("typed\n")
    for descriptor in [log, FileDescriptor(rawValue: terminal.descriptor)] {
      try waitUntil("the bytes") { unread(descriptor) > 0 }
      try sink(descriptor).awaitReader()
    }
    let null = try File.open("/dev/null", .append)
    defer { null.close() }
    try sink(null).awaitReader()
  }
}
