import Foundation
import TestSupport
import Testing

@testable import System

/// Where bytes come from, and where they go.
@Suite struct ByteStreamTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func sourceIsReadBehindExistingBytes() throws {
    let source = MemorySource("abcdefg".utf8)
    var buffer: [UInt8] = [1, 2, 3, 4]
    #expect(try source.read(into: &buffer, from: 1) == 3)
    #expect(buffer == [1] + Array("abc".utf8))
    #expect(try source.read(into: &buffer) == 4)
    #expect(buffer == Array("defg".utf8))
    #expect(try source.read(into: &buffer) == 0)
  }

  @Test func atMostSoManyBytesAreRead() throws {
    let source = MemorySource("abcde".utf8, chunk: 2)
    let read = try (0..<4).map { _ in try source.read(atMost: 3) }
    #expect(read == ["ab", "cd", "e", ""].map { Array($0.utf8) })
    #expect(try MemorySource("abcde".utf8).read(atMost: 3) == Array("abc".utf8))
  }

  @Test func aFileIsASource() throws {
    try scratch.write("some text", to: "note")
    let source = try FileSource(scratch.file("note"))
    #expect(try source.read(atMost: 4) == Array("some".utf8))
    #expect(try source.read(atMost: 100) == Array(" text".utf8))
    #expect(try source.read(atMost: 100) == [])
    let missing = scratch.file("none")
    #expect(throws: Failure(.storage, "cannot read '\(missing)': no such file or directory")) {
      try FileSource(missing)
    }
    let folder = try FileSource(scratch.path)
    #expect(throws: Failure(.storage, "cannot read '\(scratch.path)': is a directory")) {
      try folder.read(atMost: 1)
    }
  }

  @Test(arguments: [false, true]) func aDescriptorTakesAllBytes(isInterruptible: Bool) throws {
    let pipe = try System.Pipe()
    defer { pipe.reader.close() }
    let sink = DescriptorSink(pipe.writer, name: "pipe", isInterruptible: isInterruptible)
    try sink.write("one ")
    try sink.write([])
    try sink.write(Array("two".utf8))
    #expect(try pipe.reader.read(atMost: 100) == Array("one two".utf8))
    pipe.writer.close()
    #expect(throws: Failure(.storage, "cannot write 'pipe': bad file descriptor")) {
      try DescriptorSink(FileDescriptor(rawValue: -1), name: "pipe", isInterruptible: isInterruptible)
        .write("x")
    }
    let full = try File.open("/dev/full", .append)
    defer { full.close() }
    #expect(throws: Failure(.storage, "cannot write 'full': no space left on device")) {
      try DescriptorSink(full, name: "full", isInterruptible: isInterruptible).write("x")
    }
  }

  @Test(arguments: [false, true]) func closedPipeNamesItsReader(isInterruptible: Bool) throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try System.Pipe()
    defer { pipe.writer.close() }
    pipe.reader.close()
    let sink = DescriptorSink(pipe.writer, name: "the pager", isInterruptible: isInterruptible)
    let closed = Failure(.closedPipe, "the pager was closed")
    #expect(throws: closed) { try sink.write("x") }
    #expect(throws: closed) { try sink.awaitReader() }
  }
}
