import Foundation
import Synchronization
import TestSupport
import Testing

@testable import System

private func pipe() throws -> (read: FileDescriptor, write: FileDescriptor) {
  var ends: [Int32] = [0, 0]
  try #require(Foundation.pipe(&ends) == 0)
  return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
}

/// One writer owns a descriptor: what can happen to a write happens here.
@Suite struct DescriptorSinkTests {
  /// A pipe takes what it has room for, and a signal that wants nothing breaks the wait off: nothing is lost or
  /// written twice.
  @Test func shortWritesAndSignalsLoseNoBytes() throws {
    let (read, write) = try pipe()
    defer { read.close() }
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    unsafe sigaction(SIGUSR1, &action, nil)
    let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let state = Mutex<(thread: pthread_t?, failure: Failure?, ended: Bool)>((nil, nil, false))
    Thread.detachNewThread {
      state.withLock { $0.thread = pthread_self() }
      var failure: Failure?
      do throws(Failure) { try DescriptorSink(write, name: "pipe").write(sent) } catch { failure = error }
      write.close()
      state.withLock { $0 = ($0.thread, failure, true) }
    }
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1000)
    while true {
      // The thread is there until it says that it ended.
      state.withLock { state in
        if let thread = state.thread, !state.ended { _ = pthread_kill(thread, SIGUSR1) }
      }
      var span = block.mutableSpan
      var bytes = unsafe span.mutableBytes
      let count = try read.read(into: &bytes)
      guard count > 0 else { break }
      received.append(contentsOf: block[..<count])
    }
    #expect(received == sent)
    #expect(state.withLock { $0.failure } == nil)
  }
}
