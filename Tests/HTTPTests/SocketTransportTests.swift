import Foundation
import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct SocketTransportTests {
  let time = SystemTime()

  func transport(attempt: Duration = .seconds(30), sizeLimit: Int = Response.sizeLimit) -> SocketTransport {
    SocketTransport(limits: TimeLimits(attempt: attempt), time: time, sizeLimit: sizeLimit)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
    ("HTTP/1.1 200\r\nContent-Length: 5, 5\r\n\r\nhello", "hello"),
    ("HTTP/1.0 200 OK\r\n\r\nhello", "hello"),
    ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello"),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\nhe\r\n03\r\nllo\r\n0\r\nT: 1\r\n\r\n",
      "hello"
    ),
    (
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
      "x"
    ),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
    ("HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", ""),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", ""),
  ])
  func readsAnswers(bytes: String, body: String) throws {
    let server = try ScriptedServer { peer in
      peer.answer(bytes)
      // What has an end of its own needs no close.
      if !bytes.hasPrefix("HTTP/1.0") { peer.fallSilent() }
    }
    defer { server.stop() }
    #expect(try transport().send(Request(.get, server.url)).string == body)
  }

  @Test func writesRequests() throws {
    let server = try ScriptedServer(answering: ok(""))
    defer { server.stop() }
    let url = server.url.appending(path: "a b", query: ["q": "1"])
    let headers: Headers = ["X-A": "b", "Content-Length": "99", "Connection": "close"]
    _ = try transport().send(Request(.post, url, headers: headers, body: Array("xyz".utf8)))
    _ = try transport().send(Request(.get, url))
    #expect(
      server.requests == [
        "POST /x/a%20b?q=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-A: b\r\nContent-Length: 3",
        "GET /x/a%20b?q=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)",
      ])
  }

  @Test func sendsNoLineThatAValueSmugglesIn() throws {
    let request = Request(
      .get, URL(scheme: .http, host: "127.0.0.1", port: 1), headers: ["X": "a\r\nEvil: b"])
    let failure = #expect(throws: Failure.self) { try transport().send(request) }
    #expect(failure?.kind == .usage)
  }

  @Test func asksHeadWithoutWaitingForABody() throws {
    let server = try ScriptedServer {
      $0.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
      $0.fallSilent()
    }
    defer { server.stop() }
    let response = try transport().send(Request(.head, server.url))
    #expect(response.headers["content-length"] == "5")
    #expect(response.body.isEmpty)
  }

  @Test(arguments: [
    ("", Failure.Kind.connection, "closed the connection without an answer"),
    ("HTTP/1.1 20", .connection, "was cut short"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .connection, ", a 200, was cut short"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .connection, "was cut short"),
    ("SSH-2.0-OpenSSH_9.2\r\n", .invalidData, "is not HTTP"),
    ("HTTP/2 200\r\n\r\n", .invalidData, "status line"),
    ("HTTP/1.1 999 Odd\r\n\r\n", .invalidData, "status line"),
    ("HTTP/1.1 101 Switching\r\n\r\n", .invalidData, "switches protocols"),
    ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .invalidData, "name: value"),
    ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .invalidData, "name: value"),
    ("HTTP/1.1 200 OK\r\nA: b\u{1b}[0m\r\n\r\n", .invalidData, "control character"),
    ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .invalidData, "Content-Length"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .invalidData, "Content-Length"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .invalidData, "transfer coding"),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", .invalidData, "coding 'br'"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5368709120\r\n\r\n", .invalidData, "larger than 64 MiB"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .invalidData, "larger than 64 MiB"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", .invalidData, "larger than 64 MiB"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", .invalidData, "chunk"),
  ])
  func refusesWhatIsNoAnswer(bytes: String, kind: Failure.Kind, message: String) throws {
    let server = try ScriptedServer(answering: bytes)
    defer { server.stop() }
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.get, server.url)) }
    #expect(failure?.kind == kind)
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    #expect(failure?.hint?.isEmpty == false)
    #expect(failure?.retryable == (kind == .connection))
  }

  @Test(arguments: ["", "Transfer-Encoding: chunked\r\n"])
  func stopsAnEndlessBody(field: String) throws {
    let server = try ScriptedServer { peer in
      peer.answer("HTTP/1.1 200 OK\r\n\(field)\r\n")
      let piece = String(repeating: "x", count: 1024)
      while peer.write(field.isEmpty ? piece : "400\r\n\(piece)\r\n") {}
    }
    defer { server.stop() }
    let transport = transport(sizeLimit: 100 << 10)
    let failure = #expect(throws: Failure.self) { try transport.send(Request(.get, server.url)) }
    #expect(failure?.message.contains("larger than 100 KiB") == true)
    #expect(failure?.kind == .invalidData)
  }

  @Test func stopsAnEndlessHead() throws {
    let server = try ScriptedServer { peer in
      peer.answer("HTTP/1.1 200 OK\r\n")
      while peer.write("X: \(String(repeating: "y", count: 1000))\r\n") {}
    }
    defer { server.stop() }
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.get, server.url)) }
    #expect(failure?.kind == .invalidData)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"])
  func waitsNoLongerThanAllowed(bytes: String) throws {
    let server = try ScriptedServer {
      $0.answer(bytes)
      $0.fallSilent()
    }
    defer { server.stop() }
    let failure = #expect(throws: Failure.self) {
      try transport(attempt: .milliseconds(300)).send(Request(.get, server.url))
    }
    #expect(failure?.kind == .connection)
    #expect(failure?.message == "no answer from '127.0.0.1:\(server.port)' within 0.3 s")
  }

  @Test func namesTheDeadlineWhenItIsThatWhichEnds() throws {
    let server = try ScriptedServer { $0.fallSilent() }
    defer { server.stop() }
    let deadline = Deadline(in: .milliseconds(300), time)
    let transport = SocketTransport(limits: TimeLimits(deadline: deadline), time: time)
    for _ in 1...2 {
      let failure = #expect(throws: Failure.self) { try transport.send(Request(.get, server.url)) }
      #expect(failure?.message == "deadline of 0.3 s reached")
      #expect(failure?.kind == .connection)
    }
    #expect(server.connections == 1, "nothing is sent once the deadline is reached")
  }

  @Test func saysThatNobodyListens() throws {
    let server = try ScriptedServer(answering: "")
    server.stop()
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.post, server.url)) }
    #expect(failure?.message == "'127.0.0.1:\(server.port)' refused the connection")
    #expect(failure?.retryable == true, "nothing was sent")
  }

  @Test func neverAsksForAnUnclearPostToBeRepeated() throws {
    let server = try ScriptedServer(answering: "")
    defer { server.stop() }
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.post, server.url)) }
    #expect(failure?.retryable == false)
    #expect(failure?.hint?.contains("may have been done") == true)
    #expect(server.connections == 1)
  }

  @Test func keepsTheConnection() throws {
    let server = try ScriptedServer { peer in
      while peer.read() != nil { peer.write(ok("\(peer.number)")) }
    }
    defer { server.stop() }
    let transport = transport()
    for _ in 1...5 { #expect(try transport.send(Request(.get, server.url)).string == "1") }
    #expect(server.connections == 1)
  }

  @Test(arguments: [
    ok("x", "Connection: Close\r\n"), ok("x") + "junk", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
  ])
  func givesUpAConnectionThatCannotBeTrusted(answer: String) throws {
    let server = try ScriptedServer { peer in
      while peer.read() != nil { peer.write(answer) }
    }
    defer { server.stop() }
    let transport = transport()
    for _ in 1...2 { #expect(try transport.send(Request(.get, server.url)).string == "x") }
    #expect(server.connections == 2)
  }

  /// The server takes the second request of a connection and hangs up: it never answers twice.
  @Test func asksAgainWhenAKeptConnectionWasGivenUp() throws {
    let server = try ScriptedServer { peer in
      peer.answer(ok("\(peer.number)"))
      peer.read()
    }
    defer { server.stop() }
    let transport = transport()
    #expect(try transport.send(Request(.get, server.url)).string == "1")
    #expect(try transport.send(Request(.get, server.url)).string == "2")
    #expect(throws: Failure.self) { try transport.send(Request(.post, server.url)) }
    #expect(server.requests.count == 4, "a POST is not repeated")
  }

  @Test func countsThatItAskedAgain() throws {
    let server = try ScriptedServer { peer in
      peer.answer(ok("\(peer.number)"))
      peer.read()
    }
    defer { server.stop() }
    let transport = transport()
    #expect(try transport.send(Request(.put, server.url)).attempts == 1)
    #expect(try transport.send(Request(.put, server.url)).attempts == 2)
    var once = Request(.delete, server.url)
    once.isOnlyOnce = true
    do throws(Failure) {
      _ = try transport.send(once)
      Issue.record("it was answered")
    } catch {
      #expect(error.outcomeUnknown && !error.retryable)
    }
    #expect(server.requests.count == 4, "what is to be done once is not repeated")
  }

  @Test func doesNotPostOnAConnectionThatIsClosedAlready() throws {
    let server = try ScriptedServer(answering: ok("x"))
    defer { server.stop() }
    let transport = transport()
    for _ in 1...2 {
      #expect(try transport.send(Request(.post, server.url)).status == 200)
      // The close is on its way; nothing tells when it has come.
      try time.sleep(for: .milliseconds(50))
    }
    #expect(server.connections == 2)
  }

  @Test func readsTheAnswerToARequestThatWasRefusedHalfWay() throws {
    let server = try ScriptedServer { $0.answer("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n") }
    defer { server.stop() }
    let request = Request(.post, server.url, body: Array(repeating: 0, count: 8 << 20))
    #expect(try transport().send(request).status == 413)
  }

  @Test func speaksOverASocketFile() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("socket")
    let server = try ScriptedServer(socketFile: file) { $0.answer(ok("here")) }
    defer { server.stop() }
    let url = try URL("unix:\(file)")
    #expect(try transport().send(Request(.get, url.appending(path: "scores"))).string == "here")
    #expect(server.requests == ["GET /scores HTTP/1.1\r\nHost: localhost"])
    unlink(file)
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.get, url)) }
    #expect(failure?.message == "cannot connect to 'unix:\(file)': no such file or directory")
  }
}
