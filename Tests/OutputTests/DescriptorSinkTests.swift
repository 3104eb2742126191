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

private func readAll(_ descriptor: FileDescriptor) throws -> [UInt8] {
  var all: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 4096)
  while true {
    var span = block.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = try descriptor.read(into: &bytes)
    guard count > 0 else { return all }
    all.append(contentsOf: block[..<count])
  }
}

/// One writer owns a descriptor: what can happen to a write happens here.
@Suite struct WritingToADescriptor {
  @Test func aFullDiskIsSaid() throws {
    let full = try File.open("/dev/full", .append)
    defer { full.close() }
    let failure = #expect(throws: Failure.self) {
      try DescriptorSink(full, name: "standard output").write("x")
    }
    #expect(failure == Failure(.storage, "cannot write 'standard output': no space left on device"))
  }

  @Test func aClosedPipeIsAClosedPipe() throws {
    // As `Interruption.install` has it: the signal would end the tests.
    _ = signal(SIGPIPE, SIG_IGN)
    let (read, write) = try pipe()
    defer { write.close() }
    read.close()
    let failure = #expect(throws: Failure.self) {
      try DescriptorSink(write, name: "standard output").write("x")
    }
    #expect(failure?.kind == .closedPipe)
  }

  @Test func aClosedDescriptorIsSaid() throws {
    let failure = #expect(throws: Failure.self) {
      try DescriptorSink(FileDescriptor(rawValue: -1), name: "standard output").write("x")
    }
    #expect(failure?.message == "cannot write 'standard output': bad file descriptor")
  }

  /// A pipe takes what it has room for, and a signal that wants nothing breaks the wait off: nothing is lost or
  /// written twice.
  @Test func shortWritesAndSignalsLoseNothing() throws {
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

  @Test func aFileHasWhatWasWritten() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("rows")
    let file = try File.open(path, .createNew)
    try DescriptorSink(file, name: path).write("one ")
    try DescriptorSink(file, name: path).write("two")
    file.close()
    #expect(try File.read(path) == Array("one two".utf8))
  }
}

@Suite struct ReadingFromADescriptor {
  @Test func aPipeEndsWhenItsWriterDoes() throws {
    let (read, write) = try pipe()
    defer { read.close() }
    try write.writeAll(Array("abc".utf8))
    write.close()
    #expect(try readAll(read) == Array("abc".utf8))
  }

  @Test func aFolderIsSaid() throws {
    let folder = try File.open("/", .read)
    defer { folder.close() }
    var block: [UInt8] = [0]
    var span = block.mutableSpan
    var bytes = unsafe span.mutableBytes
    do throws(Failure) {
      _ = try DescriptorSource(folder, name: "/").read(into: &bytes)
      Issue.record("a folder was read")
    } catch {
      #expect(error == Failure(.storage, "cannot read '/': is a directory"))
    }
  }

  @Test(arguments: [1, 2, 3, 100])
  func aSourceInMemoryComesInPieces(chunk: Int) throws {
    let source = MemorySource("hello".utf8, chunk: chunk)
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4)
    while true {
      var span = block.mutableSpan
      var bytes = unsafe span.mutableBytes
      let count = source.read(into: &bytes)
      guard count > 0 else { break }
      #expect(count <= min(chunk, 4))
      text += block[..<count]
    }
    #expect(text == Array("hello".utf8))
  }
}
