import Foundation
import Testing

@testable import System

/// A writer can wait until its reader has taken everything.
@Suite struct ReaderWait {
  private func sink(_ descriptor: Int32) -> DescriptorSink {
    DescriptorSink(FileDescriptor(rawValue: descriptor), name: "output")
  }

  @Test func waitsForAPipeToBeRead() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader); close(writer) }
    try sink(writer).write("four")
    let thread = Thread {
      usleep(30_000)
      var block = [UInt8](repeating: 0, count: 4)
      _ = read(reader, &block, 4)
    }
    thread.start()
    #expect(unread(writer) == 4)
    try sink(writer).awaitReader()
    #expect(unread(writer) == 0)
  }

  private func unread(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    _ = ioctl(descriptor, UInt(FIONREAD), &count)
    return Int(count)
  }

  @Test("A reader who goes away is noticed, with everything read or not", arguments: [true, false])
  func goneReader(hasRead: Bool) throws {
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
}
