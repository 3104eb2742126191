import Foundation
import TestSupport
import Testing

@testable import System

/// What is opened is closed again, also where something fails.
@Suite struct DescriptorLeakTests {
  private static func count() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// In a process of its own, since the tests of others open descriptors as well.
  @Test func eachUseClosesItsDescriptors() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchDirectory()
      let (note, folder) = (scratch.file("note"), scratch.file("folder"))
      try scratch.write("some text", to: "note")
      try Folder.make(folder)
      let environment = Environment(["PATH": "/bin:/usr/bin", "BROWSER": "true"])
      let tcp = try Listener(try #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
      let name = try #require(SocketAddress(unixPath: scratch.file("live")))
      let live = try Listener(name)
      let stale = try #require(SocketAddress(unixPath: scratch.file("stale")))
      let other = try #require(SocketAddress(unixPath: note))
      let uses: [(String, () throws -> Void)] = [
        ("a file is read", { _ = try File.read(note) }),
        ("one that is too long", { _ = try File.read(note, limit: 3) }),
        ("one that is a folder", { _ = try File.read(folder) }),
        ("a file is replaced", { try File.replace(note, with: [1]) }),
        ("one that is a folder is not", { try File.replace(folder, with: [1]) }),
        ("a device is written", { try File.replace("/dev/null", with: [1]) }),
        ("a full one is not", { try File.replace("/dev/full", with: [1]) }),
        ("a file is created", { _ = try File.create("\(note).\(UInt64.random(in: 0 ... .max))", with: [1]) }),
        ("one that exists is not", { _ = try File.create(note, with: [1]) }),
        ("a file is appended to", { try DisposableFile.append([1], to: note) }),
        ("a full device is not", { try DisposableFile.append([1], to: "/dev/full") }),
        ("a folder is listed", { _ = try Folder.names(scratch.path) }),
        ("a file is locked", { _ = try LockedFile(note).read(atMost: 1) }),
        ("locks are tried", { try LockedFile.checkSupport(in: folder) }),
        ("a source is released", { _ = try FileSource(note).read(atMost: 1) }),
        ("work that nobody submits", { _ = try BackgroundWork { (_: Int) in 0 } }),
        ("a log without lines", { _ = try BackgroundWriter(MemorySink()) { "\($0)" } }),
        ("a queue of events", { _ = try EventQueue(capacity: 1) }),
        ("a port in use", { _ = try Listener(tcp.address) }),
        ("a socket file in use", { _ = try Listener(name) }),
        ("a file that is no socket", { _ = try Listener(other) }),
        (
          "the socket file of a dead server",
          {
            try Listener(stale).descriptor.close()
            try Listener(stale).close()
          }
        ),
        (
          "a manager that is not there",
          { try ServiceManager(Environment(["NOTIFY_SOCKET": "/x/y"])).notify(.ready) }
        ),
        ("a browser", { _ = Browser.open("x", environment) }),
        (
          "a program",
          {
            let descriptors: [Int32: FileDescriptor] = [1: .standardError, 7: .standardError]
            _ = try ChildProcess.start(["true"], environment: environment, descriptors: descriptors)
              .wait()
          }
        ),
        (
          "a program that cannot be started",
          {
            _ = try ChildProcess.start(
              ["true", "\0"], environment: environment, descriptors: [1: .standardError])
          }
        ),
      ]
      for (name, use) in uses {
        // What the first use opens for good is not meant.
        _ = failure(use)
        let before = try DescriptorLeakTests.count()
        for _ in 0..<3 { _ = failure(use) }
        let after = try DescriptorLeakTests.count()
        // A leak adds three; the test library opens one of its own now and then.
        #expect(after - before < 3, "\(name)")
      }
      live.close()
      tcp.close()
    }
  }
}
