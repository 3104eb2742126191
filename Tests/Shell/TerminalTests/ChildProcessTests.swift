import System
import Testing

@testable import Terminal

@Suite struct ChildProcessTests {
  let environment = Environment.process

  /// What a program writes, and how it ends.
  func run(_ arguments: [String], _ environment: Environment, also: [Int32: String] = [:]) throws -> (
    String, ChildProcess.Status
  ) {
    let pipe = try Pipe()
    defer { pipe.reader.close() }
    var descriptors: [Int32: FileDescriptor] = [1: pipe.writer]
    var inputs: [Pipe] = []
    for (number, text) in also {
      let input = try Pipe()
      try input.writer.writeAll(Array(text.utf8))
      input.writer.close()
      descriptors[number] = input.reader
      inputs.append(input)
    }
    let child = try ChildProcess.start(arguments, environment: environment, descriptors: descriptors)
    pipe.writer.close()
    for input in inputs { input.reader.close() }
    var text = ""
    while case let bytes = try TerminalDevice(pipe.reader).read(atMost: 4096), !bytes.isEmpty {
      text += String(decoding: bytes, as: UTF8.self)
    }
    return (text, try child.wait())
  }

  @Test func argumentsEnvironmentAndStatus() throws {
    let (text, status) = try run(
      ["sh", "-c", "echo \"$1,$FRUIT,$0\"; exit 7", "a b", "é*"], environment.setting(["FRUIT": "fig=1"]))
    #expect(text == "é*,fig=1,a b\n")
    #expect(status == .exited(7))
    #expect(status.code == 7)
  }

  /// Each takes the number that the other has here.
  @Test func descriptorsAreSwapped() throws {
    let (one, two) = (try Pipe(), try Pipe())
    defer { for end in [one.reader, two.reader] { end.close() } }
    try two.writer.writeAll(Array("swapped".utf8))
    two.writer.close()
    let child = try ChildProcess.start(
      ["sh", "-c", "cat /proc/self/fd/\(one.writer.rawValue) >/proc/self/fd/\(two.reader.rawValue)"],
      environment: environment,
      descriptors: [one.writer.rawValue: two.reader, two.reader.rawValue: one.writer])
    one.writer.close()
    #expect(try TerminalDevice(one.reader).read(atMost: 100) == Array("swapped".utf8))
    #expect(try child.wait() == .exited(0))
  }

  @Test func otherDescriptorsAreNotInherited() throws {
    let pipe = try Pipe()
    defer {
      pipe.reader.close()
      pipe.writer.close()
    }
    let (text, _) = try run(
      ["sh", "-c", "test -e /proc/$$/fd/\(pipe.writer.rawValue) || echo gone"], environment)
    #expect(text == "gone\n")
  }

  @Test func closedPipeEndsChild() throws {
    Interruption.install()
    Interruption.allowLongCleanUp()
    let (text, _) = try run(["sh", "-c", "grep -i sigign /proc/$$/status"], environment)
    // SIGPIPE is the thirteenth bit.
    let mask = UInt64(text.split(separator: "\t").last.map { $0.filter(\.isHexDigit) } ?? "", radix: 16)
    #expect(mask.map { $0 & (1 << 12) } == 0)
  }

  @Test(
    arguments: [
      (["no-such-program-at-all"], .noSuchFile), ([""], .noSuchFile), ([], .noSuchFile),
      (["/no/such/program"], .noSuchFile), (["/etc/passwd"], .notPermitted), (["/"], .notPermitted),
    ] as [([String], SystemError)])
  func programThatCannotStartIsReported(_ arguments: [String], _ error: SystemError) {
    #expect(throws: error) {
      try ChildProcess.start(arguments, environment: environment)
    }
  }

  @Test func processGroupIsEndedTogether() throws {
    // No wait: a program without an end.
    let child = try ChildProcess.start(
      ["sh", "-c", "sleep 600 & wait"], environment: environment, group: .own)
    #expect(getpgid(child.identifier) == child.identifier)
    #expect(try child.statusNow() == nil)
    child.sendGroup(signal: SIGTERM)
    #expect(try child.wait() == .killed(signal: SIGTERM))
  }
}
