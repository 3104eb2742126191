import Foundation
import Synchronization
import TestSupport
import Testing

@testable import System

/// Only a regular file is replaced; anything else with the name is written to and stays.
@Suite struct SpecialFileTests {
  let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func kind(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(scratch.file(name), &status) == 0)
    return status.st_mode & S_IFMT
  }

  /// What a thread has read.
  private final class Reader: Sendable {
    private let bytes = Mutex<[UInt8]?>(nil)
    private let end = DispatchSemaphore(value: 0)

    init(_ path: String) {
      Thread.detachNewThread { [self] in
        let read = try? File.read(path)
        bytes.withLock { $0 = read }
        end.signal()
      }
    }

    func wait() -> [UInt8]? {
      end.wait()
      return bytes.withLock { $0 }
    }
  }

  /// The reader has a thread of its own: a task would wait for the other tests, and they for this one.
  @Test func aFIFOIsWrittenTo() throws {
    let path = scratch.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let reader = Reader(path)
    try File.replace(path, with: Array(repeating: 7, count: 200_000))
    #expect(reader.wait() == Array(repeating: 7, count: 200_000))
    #expect(try kind("pipe") == S_IFIFO)
    #expect(scratch.names == ["pipe"])
  }

  @Test(.enabled(if: geteuid() == 0)) func aDeviceIsWrittenTo() throws {
    // A container may forbid it.
    guard mknod(scratch.file("null"), S_IFCHR | 0o600, 1 << 8 | 3) == 0 else { return }
    try File.replace(scratch.file("null"), with: [1])
    #expect(try kind("null") == S_IFCHR)
    #expect(scratch.names == ["null"])
  }

  @Test func aFullDeviceIsAFailure() throws {
    let full = Failure(.storage, "cannot write '/dev/full': no space left on device")
    #expect(throws: full) { try File.replace("/dev/full", with: [1]) }
  }

  @Test(arguments: ["far/file", "second", "missing"])
  func aLinkStaysAndItsFileIsReplaced(target: String) throws {
    let files = FileManager.default
    try Folder.make(scratch.file("far"))
    try File.replace(scratch.file("far/file"), with: Array("old".utf8))
    try files.createSymbolicLink(atPath: scratch.file("second"), withDestinationPath: "far/file")
    try files.createSymbolicLink(atPath: scratch.file("link"), withDestinationPath: target)
    try File.replace(scratch.file("link"), with: Array("new".utf8))
    #expect(try kind("link") == S_IFLNK)
    #expect(try kind("second") == S_IFLNK)
    #expect(scratch.text(target) == "new")
    #expect(try files.contentsOfDirectory(atPath: scratch.file("far")) == ["file"])
  }

  @Test func removalByIdentityKeepsLink() throws {
    try FileManager.default.createSymbolicLink(atPath: scratch.file("link"), withDestinationPath: "file")
    try File.replace(scratch.file("link"), with: Array("new".utf8))
    let first = try #require(File.identity(scratch.file("link")))
    // The same text in another file.
    try File.replace(scratch.file("link"), with: Array("new".utf8))
    try File.remove(scratch.file("link"), ifItIs: first)
    #expect(scratch.text("file") == "new")
    let second = try #require(File.identity(scratch.file("link")))
    #expect(first != second)
    try File.remove(scratch.file("link"), ifItIs: second)
    #expect(try scratch.names == ["link"] && kind("link") == S_IFLNK)
    try File.remove(scratch.file("link"), ifItIs: second)
    #expect(File.identity(scratch.file("link")) == nil && File.identity("/dev/null") == nil)
  }

  @Test func aCircleOfLinksIsAFailure() throws {
    for (link, target) in [("a", "b"), ("b", "a")] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.file(link), withDestinationPath: scratch.file(target))
    }
    #expect(throws: Failure.self) { try File.replace(scratch.file("a"), with: [1]) }
    #expect(scratch.names == ["a", "b"])
    #expect(try kind("a") == S_IFLNK && kind("b") == S_IFLNK)
  }

  /// The file that a shell opened, which may have no name any more, gets the text.
  @Test(arguments: ["/proc/self/fd", "/dev/fd"])
  func anOpenDescriptorIsWrittenTo(folder: String) throws {
    let path = scratch.file("output")
    let file = try File.open(path, .append)
    defer { file.close() }
    try file.writeAll(Array("before ".utf8))
    try File.replace("\(folder)/\(file.rawValue)", with: Array("after".utf8))
    #expect(scratch.text("output") == "before after")
    var status = stat()
    #expect(fstat(file.rawValue, &status) == 0 && status.st_nlink == 1)
  }

  /// Only a number among the descriptors is one.
  @Test func aFileWhoseNameIsANumberIsReplaced() throws {
    let (folder, link) = (scratch.file("fd"), scratch.file("link"))
    try Folder.make(folder)
    try File.replace("\(folder)/99999", with: Array("a long first text".utf8))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/99999")
    try File.replace(link, with: Array("short".utf8))
    #expect(scratch.text("fd/99999") == "short")
    #expect(scratch.names("fd") == ["99999"])
    #expect(throws: Failure(.storage, "cannot write '/dev/fd/99999': bad file descriptor")) {
      try File.replace("/dev/fd/99999", with: [1])
    }
  }

  /// As many as the system follows.
  @Test func aLongChainOfLinksEndsInItsFile() throws {
    try File.replace(scratch.file("0"), with: Array("a long first text".utf8))
    for number in 1...40 {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.file("\(number)"), withDestinationPath: "\(number - 1)")
    }
    try File.replace(scratch.file("40"), with: Array("short".utf8))
    #expect(scratch.text("0") == "short")
    #expect(try kind("40") == S_IFLNK && kind("1") == S_IFLNK && kind("0") == S_IFREG)
    #expect(scratch.names.count == 41)
  }

  @Test func anOpenPipeIsWrittenTo() throws {
    let pipe = try System.Pipe()
    defer { pipe.reader.close() }
    try File.replace("/dev/fd/\(pipe.writer.rawValue)", with: Array("text".utf8))
    pipe.writer.close()
    #expect(try pipe.reader.read(atMost: 10) == Array("text".utf8))
  }

  /// The newest is `own2`, the oldest `own1`. What is older than a file that had to go goes as well.
  @Test(arguments: [
    (210, ["own1", "own2", "own3"]), (209, ["own2", "own3"]), (200, ["own2", "own3"]), (199, ["own2"]),
    (110, ["own2"]), (100, ["own2"]), (99, []),
  ])
  func pruningKeepsNewestFiles(limit: Int, left: [String]) throws {
    for (name, size, written) in [("own1", 10, 1000), ("own2", 100, 3000), ("own3", 100, 2000)] {
      try File.replace(scratch.file(name), with: Array(repeating: 0, count: size))
      let time = timeval(tv_sec: written, tv_usec: 0)
      #expect(utimes(scratch.file(name), [time, time]) == 0)
    }
    try File.replace(scratch.file("foreign"), with: [1])
    try Folder.make(scratch.file("own4"))
    #expect(symlink(scratch.file("foreign"), scratch.file("own5")) == 0)
    try DisposableFile.prune(scratch.path, to: limit) { $0.hasPrefix("own") }
    #expect(scratch.names == ["foreign"] + left + ["own4", "own5"])
  }
}
