import Foundation
import TestSupport
import Testing

@testable import System

@Suite("FileDescriptor")
struct FileDescriptorTests {
  func pair() throws -> (reader: FileDescriptor, writer: FileDescriptor) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  func read(_ descriptor: FileDescriptor, upTo count: Int) throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    var span = buffer.mutableSpan
    var bytes = span.mutableBytes
    let count = try descriptor.read(into: &bytes)
    return Array(buffer[..<count])
  }

  @Test func readsWhatIsThereAtMostBuffersSizeThenEnd() throws {
    let (reader, writer) = try pair()
    defer { reader.close() }
    try writer.writeAll(Array("bicycle".utf8))
    writer.close()
    #expect(try read(reader, upTo: 4) == Array("bicy".utf8))
    #expect(try read(reader, upTo: 4) == Array("cle".utf8))
    #expect(try read(reader, upTo: 4) == [])
  }

  @Test func writesEverythingThroughAsManyShortWritesAsFullPipeMakesOfIt() throws {
    let (reader, writer) = try pair()
    let contents = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let thread = Thread {
      do { try writer.writeAll(contents) } catch { Issue.record(error) }
      writer.close()
    }
    thread.start()
    var received: [UInt8] = []
    while case let block = try read(reader, upTo: 30_000), !block.isEmpty { received += block }
    reader.close()
    #expect(received == contents)
  }

  @Test func nothingToWriteIsNothingToDo() throws {
    try FileDescriptor(rawValue: -1).writeAll([])
  }

  @Test func writeToPipeWithoutReaderFailsWithoutSignal() throws {
    signal(SIGPIPE, SIG_IGN)
    let (reader, writer) = try pair()
    defer { writer.close() }
    reader.close()
    #expect(throws: SystemError.brokenPipe) { try writer.writeAll([1]) }
  }

  @Test func descriptorThatIsNotOpenIsError() {
    #expect(throws: SystemError(EBADF)) { try read(FileDescriptor(rawValue: -1), upTo: 1) }
    #expect(throws: SystemError(EBADF)) { try FileDescriptor(rawValue: -1).synchronize() }
  }

  @Test func nonBlockingReadReportsThatNothingIsThere() throws {
    let (reader, writer) = try pair()
    defer {
      reader.close()
      writer.close()
    }
    _ = fcntl(reader.rawValue, F_SETFL, O_NONBLOCK)
    #expect(throws: SystemError.wouldBlock) { try read(reader, upTo: 1) }
  }

  @Test func readsBehindWhatBufferHoldsAlreadyAndKeepsWhatIsBehindThat() throws {
    let (reader, writer) = try pair()
    defer {
      reader.close()
      writer.close()
    }
    try writer.writeAll(Array("abcdefgh".utf8))
    var buffer: [UInt8] = [1, 2, 3, 4]
    #expect(try reader.read(into: &buffer, from: 1) == 3)
    #expect(buffer == [1] + Array("abc".utf8))
    #expect(try reader.read(atMost: 2) == Array("de".utf8))
    buffer = [1, 2, 3, 4, 5, 6]
    #expect(try reader.read(into: &buffer, from: 2) == 3)
    #expect(buffer == [1, 2] + Array("fgh".utf8) + [6])
  }

  @Test func fullPipeTakesNoMoreBytesUntilItIsRead() throws {
    let (reader, writer) = try pair()
    defer {
      reader.close()
      writer.close()
    }
    #expect(writer.acceptsBytes)
    try writer.makeNonBlocking()
    // More than a pipe holds.
    let block = [UInt8](repeating: 7, count: 4 << 20)
    #expect(throws: SystemError.wouldBlock) { try writer.writeAll(block) }
    #expect(!writer.acceptsBytes)
    #expect(try !reader.read(atMost: 4 << 20).isEmpty)
    #expect(writer.acceptsBytes)
  }

  @Test func saysWhichOfSeveralDescriptorsCanBeReadOrHasEnded() throws {
    let pairs = try [pair(), pair(), pair()]
    let readers = pairs.map(\.reader)
    defer {
      for pair in pairs { pair.reader.close() }
      for pair in pairs.dropLast() { pair.writer.close() }
    }
    for limit in [Duration.zero, .milliseconds(-5)] {
      #expect(try Waiting.forInput([readers[0], readers[1]], atMost: limit) == [false, false])
    }
    try pairs[1].writer.writeAll([1])
    pairs[2].writer.close()
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
    let (reader, writer) = try pair()
    defer {
      reader.close()
      writer.close()
    }
    for limit in [Duration.microseconds(2100), .microseconds(900)] {
      let start = SystemTime().uptime()
      #expect(try Waiting.forInput([reader], atMost: limit) == [false])
      #expect(SystemTime().uptime() - start >= limit)
    }
    try onceThisThreadSleeps { try? writer.writeAll([1]) }
    #expect(try Waiting.forInput([reader], atMost: nil) == [true])
  }

  @Test func signalThatAnotherThreadReceivesEndsWait() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      Interruption.allowLongCleanUp()
      let pipe = try System.Pipe()
      try onceThisThreadSleeps {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        _ = raise(SIGTERM)
      }
      #expect(throws: SystemError.interrupted) { try Waiting.forInput([pipe.reader], atMost: nil) }
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
    let (reader, writer) = try pair()
    defer {
      reader.close()
      writer.close()
    }
    #expect(!reader.isTerminal)
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
  private func sink(_ descriptor: Int32) -> DescriptorSink {
    DescriptorSink(FileDescriptor(rawValue: descriptor), name: "output")
  }

  @Test func waitsForAPipeToBeRead() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader); close(writer) }
    try sink(writer).write("four")
    #expect(unread(writer) == 4)
    try onceThisThreadSleeps {
      var block = [UInt8](repeating: 0, count: 4)
      _ = read(reader, &block, 4)
    }
    try sink(writer).awaitReader()
    #expect(unread(writer) == 0)
  }

  private func unread(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    _ = ioctl(descriptor, UInt(FIONREAD), &count)
    return Int(count)
  }

  @Test(arguments: [true, false])
  func readerWhoGoesAwayIsNoticedWithEverythingReadOrNot(hasRead: Bool) throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    try sink(ends[1]).write("four")
    if hasRead {
      var block = [UInt8](repeating: 0, count: 4)
      _ = read(ends[0], &block, 4)
    }
    close(ends[0])
    let problem = #expect(throws: Failure.self) { try sink(ends[1]).awaitReader() }
    #expect(problem?.kind == .closedPipe)
  }

  @Test func aFileHasNoReader() throws {
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    try sink(file).write("four")
    try sink(file).awaitReader()
  }

  @Test func fileAndTerminalAreNotWaitedFor() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("of another", to: "log")
    let log = try File.open(scratch.file("log"), .append)
    defer { log.close() }
    let terminal = try PseudoTerminal(columns: 80)
    terminal.type("typed\n")
    for descriptor in [log.rawValue, terminal.descriptor] {
      try waitUntil("the bytes") { unread(descriptor) > 0 }
      try sink(descriptor).awaitReader()
    }
  }
}
