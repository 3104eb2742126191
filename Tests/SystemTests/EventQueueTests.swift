import Foundation
import Testing

@testable import System

@Suite struct EventQueueTests {
  /// A pipe without a reader is broken, whatever was waited for; one with a reader can be written.
  @Test func aHangUpIsReported() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
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
}
