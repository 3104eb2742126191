import Testing

@testable import System

@Suite struct EventQueueTests {
  /// A pipe without a reader is broken, whatever was waited for; one with a reader can be written.
  @Test func aHangUpIsReported() throws {
    let pipe = try System.Pipe()
    let (reader, writer) = (pipe.reader, pipe.writer)
    defer { writer.close() }
    let queue = try EventQueue(capacity: 4)
    try queue.add(writer, .writing, token: 7)
    try #require(try queue.wait(milliseconds: 0) == 1)
    #expect(queue[0].token == 7 && queue[0].isWritable && !queue[0].isBroken && !queue[0].isReadable)
    reader.close()
    try queue.change(writer, .nothing, token: 8)
    try #require(try queue.wait(milliseconds: 0) == 1)
    #expect(queue[0].token == 8 && queue[0].isBroken && !queue[0].isWritable)
  }

  /// The rest is reported by the next wait, and all of it again until it is read.
  @Test(arguments: [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3)])
  func waitReportsAtMostCapacityEvents(capacity: Int, count: Int) throws {
    let pipes = try (0..<3).map { _ in try System.Pipe() }
    defer { for pipe in pipes { [pipe.reader, pipe.writer].forEach { $0.close() } } }
    let queue = try EventQueue(capacity: capacity)
    for (token, pipe) in zip(UInt64(10)..., pipes) {
      try queue.add(pipe.reader, .reading, token: token)
      #expect(try queue.wait(milliseconds: 0) == 0)
    }
    for pipe in pipes { try pipe.writer.writeAll([1]) }
    #expect(try queue.wait(milliseconds: -1) == count)
    for index in 0..<count {
      #expect(queue[index].isReadable && !queue[index].isWritable && !queue[index].isBroken)
      #expect((10...12).contains(queue[index].token))
    }
    #expect(try queue.wait(milliseconds: 0) == count)
    for pipe in pipes { try queue.remove(pipe.reader) }
    #expect(try queue.wait(milliseconds: 0) == 0)
  }

  @Test func unregisteredDescriptorCannotBeChanged() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    let queue = try EventQueue(capacity: 1)
    #expect(throws: SystemError.noSuchFile) { try queue.change(pipe.reader, .reading, token: 1) }
    #expect(throws: SystemError.noSuchFile) { try queue.remove(pipe.reader) }
    try queue.add(pipe.reader, .reading, token: 1)
    #expect(throws: SystemError.fileExists) { try queue.add(pipe.reader, .reading, token: 1) }
    try pipe.writer.writeAll([1])
    try queue.change(pipe.reader, .nothing, token: 1)
    #expect(try queue.wait(milliseconds: 0) == 0)
  }
}
