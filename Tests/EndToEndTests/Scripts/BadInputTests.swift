import Foundation
import TestSupport
import Testing

@Suite(.ownThread, .needs(.libsqlite3)) struct StandardOutputFailures {
  @Test(arguments: [
    "hw", "hw --version", "hw wordle tiles ponds nymph", "echo '[1]' | hw rows", "echo '[1]' | hw rows --csv",
    "timeout 60 hw serve --listen 127.0.0.1:0",
  ])
  func fullDiskIsReported(line: String) throws {
    let ending = try shell("\(line) >/dev/full")
    #expect(ending.status == 10)
    #expect(ending.errors == "hw: cannot write 'standard output': no space left on device\n")
  }

  /// As if SIGPIPE had ended it, and without a word. bash tells the status of each part of a pipe.
  @Test(.needs(.bash), arguments: ["yes 1 | hw rows --tsv", "yes 'ponds nymph' | hw wordle tiles"])
  func closedPipeEndsBySIGPIPE(line: String) throws {
    let ending = try shell("\(line) | head -n 1; echo ${PIPESTATUS[1]}", with: ["bash", "-c"])
    #expect(ending.output.hasSuffix("\n141\n"))
    #expect(ending.errors == "")
  }

  @Test func unreadPipeEndsBySIGPIPE() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let ending = try Started(["hw", "--version"], in: Home(), output: ends[1]).end()
    #expect(ending.signal == SIGPIPE)
    #expect(ending.errors == "")
  }
}

@Suite(.ownThread) struct InvalidArgumentBytes {
  @Test func invalidUTF8ArgumentIsRefused() throws {
    let ending = try shell("hw wordle tiles \"$(printf 'pond\\377')\" nymph")
    #expect(ending.status == 2)
    #expect(ending.errors == "hw: argument 3 is not valid UTF-8\n")
  }
}

@Suite(.ownThread) struct Signals {
  /// Waits for input with a row answered already, and is told to stop.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalWhileReadingPipeEndsProcess(number: Int32) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    let home = try Home()
    let started = try Started(["hw", "rows", "--jsonl"], in: home, input: ends[0])
    close(ends[0])
    _ = write(ends[1], "[1,", 3)
    try home.wait(for: ".1") { $0 == "1\n" }
    try started.settle()
    kill(started.id, number)
    let ending = started.end()
    #expect(ending.signal == number)
    #expect(ending.output == "1\n")
    #expect(ending.errors == "")
  }

  /// At any moment of its start, and at last while it reads: never does it go on to wait for input.
  @Test(arguments: 0...10)
  func signalWhileReadingTerminalEndsProcess(index: Int) throws {
    let terminal = try Terminal(columns: 80)
    let started = try Started(["hw", "rows", "-"], in: Home(), input: terminal.descriptor)
    // No event: the signal is to come at any moment.
    if index == 10 { try started.settle() } else { usleep(UInt32(index) * 1500) }
    kill(started.id, SIGINT)
    #expect(started.end().signal == SIGINT)
  }

  /// By either transport: a proxy is a matter of libcurl.
  @Test(arguments: [false, true])
  func signalWhileWaitingForResponseEndsProcess(byProxy: Bool) throws {
    if byProxy, SkippedTests.includesCurrentTest(needing: [.libcurl]) { return }
    let server = try ScriptedServer { conversation in
      conversation.read()
      conversation.fallSilent()
    }
    defer { server.stop() }
    let address = "http://127.0.0.1:\(server.port)"
    let environment =
      byProxy ? ["HW_URL": "http://scores.invalid", "http_proxy": address] : ["HW_URL": address]
    let started = try Started(["hw", "nodes", "top"], in: Home(), environment: environment)
    try waitUntil("the request") { !server.requests.isEmpty }
    try started.settle()
    kill(started.id, SIGINT)
    #expect(started.end() == Ending(status: 130, signal: SIGINT))
  }

  /// What a parent chose to ignore stays ignored, as under nohup.
  @Test func ignoredSignalStaysIgnored() throws {
    let input = Pipe()
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    let started = try Started(
      ["sh", "-c", "trap '' HUP; exec hw rows --tsv"], in: Home(),
      input: input.fileHandleForReading.fileDescriptor)
    try started.settle()
    kill(started.id, SIGHUP)
    input.fileHandleForWriting.write(Data("[1]".utf8))
    try input.fileHandleForWriting.close()
    #expect(started.end() == Ending(status: 0, output: "value\n1\n"))
  }
}
