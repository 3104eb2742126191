import Foundation
import System
import TestSupport
import Testing

@testable import HTTP

@Suite(.needs(.libcurl)) struct CurlTransportTests {
  let time = SystemTime()

  func transport(
    _ variables: [String: String] = [:], attempt: Duration = .seconds(30),
    sizeLimit: Int = ReceivedResponse.sizeLimit
  ) -> CurlTransport {
    CurlTransport(
      environment: Environment(variables), limits: TimeLimits(attempt: attempt), time: time,
      sizeLimit: sizeLimit)
  }

  func failure(_ url: URL, _ transport: CurlTransport? = nil, method: HTTP.Method = .get) -> Failure? {
    #expect(throws: Failure.self) { try (transport ?? self.transport()).send(Request(method, url)) }
  }

  @Test func interimResponsesAreDropped() throws {
    let server = try ScriptedServer(
      answering:
        "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 418 Tea\r\nA: 1\r\na:  2 \r\nContent-Length: 0\r\n\r\n"
    )
    defer { server.stop() }
    let response = try transport().send(Request(.get, server.url))
    #expect(response.status == 418)
    #expect(response.headers.values("A") == ["1", "2"])
    #expect(response.headers["Link"] == nil)
  }

  @Test(arguments: [
    (HTTP.Method.get, "", "GET"), (.head, "", "HEAD"), (.post, "abc", "POST"), (.post, "", "POST"),
    (.put, "abc", "PUT"), (.put, "", "PUT"), (.delete, "", "DELETE"), (.patch, "x", "PATCH"),
    (.options, "", "OPTIONS"), (.delete, "abc", "DELETE"), (.get, "abc", "GET"),
  ])
  func requestIsWrittenAsGiven(method: HTTP.Method, body: String, line: String) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let headers: Headers = ["X-A": "b", "X-Empty": ""]
    let url = server.url.appending(path: "a/../\("ä")", query: ["q": "1 2"])
    _ = try transport().send(Request(method, url, headers: headers, body: Array(body.utf8)))
    let head = try #require(server.requests.first)
    #expect(head.hasPrefix("\(line) /x/a/../%C3%A4?q=1%202 HTTP/1.1\r\n"))
    #expect(head.contains("\r\nX-A: b") && head.contains("\r\nX-Empty:"))
    #expect(!head.contains("Expect:") && !head.contains("form-urlencoded") && !head.contains("Upgrade"))
    let hasLength = head.contains("Content-Length: \(body.utf8.count)")
    #expect(hasLength == (method.requiresLength || !body.isEmpty), "\(head)")
  }

  /// libcurl repeats whatever it sent on a kept connection that is then closed without an answer.
  @Test func requestMarkedOnlyOnceIsNotRepeated() throws {
    let server = try ScriptedServer { peer in
      peer.answer(ok("\(peer.number)"))
      peer.read()
    }
    defer { server.stop() }
    let transport = transport()
    _ = try transport.send(Request(.get, server.url))
    var once = Request(.delete, server.url)
    once.isOnlyOnce = true
    for request in [once, Request(.post, server.url)] {
      #expect(try transport.send(request).status == 200)
    }
    #expect(server.requests.map { $0.prefix { $0 != " " } } == ["GET", "DELETE", "POST"])
  }

  @Test func handleKeepsNothingOfThePreviousRequest() throws {
    let server = try ScriptedServer { peer in
      while let head = peer.read() {
        if head.hasPrefix("POST") { _ = peer.readBody(3) }
        peer.write(ok(""))
      }
    }
    defer { server.stop() }
    let transport = transport()
    _ = try transport.send(Request(.post, server.url, headers: ["X-A": "b"], body: Array("abc".utf8)))
    _ = try transport.send(Request(.get, server.url))
    let second = try #require(server.requests.last)
    #expect(second.hasPrefix("GET ") && !second.contains("X-A") && !second.contains("Content-Length"))
  }

  /// A gzip stream of 2 581 zero bytes, of which `limit` are allowed. The length is not that of the body.
  @Test(arguments: [(true, 4096), (false, 4096), (false, 1024)])
  func compressedBodyIsDecoded(hasLength: Bool, limit: Int) throws {
    let body = try #require(Base64.decode("H4sIAAAAAAACA+3BAQEAAACCIP+vbkhAAQBwb0Q4nzIVCgAA"))
    let length = hasLength ? "Content-Length: \(body.count)\r\n" : ""
    let server = try ScriptedServer {
      $0.answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(length)\r\n")
      $0.write(body)
    }
    defer { server.stop() }
    let transport = transport(sizeLimit: limit)
    guard limit > 2580 else {
      #expect(failure(server.url, transport)?.message.contains("larger than 1 KiB") == true)
      return
    }
    let response = try transport.send(Request(.get, server.url))
    #expect(response.body == Array(repeating: 0, count: 2581) && response.headers == [:])
    #expect(server.requests.first?.contains("Accept-Encoding:") == true)
  }

  @Test(.needs(.openssl))
  func verifiesCertificates() throws {
    let server = try TLSServer.answering(["page": ok("secret")])
    let failure = failure(server.url("page"))
    #expect(failure?.kind == .connection)
    #expect(failure?.message.contains("is not to be trusted") == true)
    #expect(failure?.hint?.contains("SSL_CERT_FILE") == true)
    #expect(failure?.retryable == false)
    for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
      let transport = transport([name: server.certificate.path])
      #expect(try transport.send(Request(.get, server.url("page"))).string == "secret")
    }
    let byAnotherName = URL(scheme: .https, host: "localhost", port: server.port, path: "/page")
    #expect(
      self.failure(byAnotherName, transport(["SSL_CERT_FILE": server.certificate.path]))?.kind == .connection)
  }

  @Test(.needs(.openssl))
  func trustsTheCertificatesOfAFolder() throws {
    let server = try TLSServer.answering(["page": ok("secret")])
    let openssl = try #require(Tool.openssl.path)
    let hash = try Spawn.run([openssl, "x509", "-noout", "-hash", "-in", server.certificate.path])
    let scratch = try ScratchDirectory()
    try FileManager.default.copyItem(atPath: server.certificate.path, toPath: scratch.file("\(hash).0"))
    let transport = transport(["SSL_CERT_DIR": scratch.path])
    #expect(try transport.send(Request(.get, server.url("page"))).string == "secret")
  }

  @Test(.needs(.openssl, .node))
  func http2IsUsedIfOffered() throws {
    let server = try TLSServer.namingVersions()
    let transport = transport(["SSL_CERT_FILE": server.certificate.path])
    #expect(try transport.send(Request(.get, server.url("a"))).string == "2.0")
    #expect(try transport.send(Request(.get, server.url("b"))).string == "2.0")
  }

  @Test func plainServerBehindHTTPSIsReported() throws {
    let server = try ScriptedServer { $0.write("HTTP/1.1 400 Plain\r\n\r\n") }
    defer { server.stop() }
    let failure = failure(URL(scheme: .https, host: "127.0.0.1", port: server.port))
    #expect(failure?.kind == .connection && failure?.subkind == .tls)
    #expect(failure?.message == "'127.0.0.1:\(server.port)' does not use TLS")
    #expect(failure?.hint == "is it an http address? write 'http://127.0.0.1:\(server.port)'")
    #expect(failure?.retryable == false)
  }

  @Test func failedHandshakeIsReported() throws {
    // A fatal alert: handshake_failure.
    let server = try ScriptedServer { $0.write([21, 3, 3, 0, 2, 2, 40]) }
    defer { server.stop() }
    let failure = failure(URL(scheme: .https, host: "127.0.0.1", port: server.port))
    #expect(failure?.kind == .connection && failure?.subkind == .tls)
    let message = "the TLS handshake with '127.0.0.1:\(server.port)' failed: "
    #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    // The text of the library, and not the rest of its buffer.
    #expect(failure?.message.utf8.contains(0) == false)
  }

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func proxyOfEnvironmentIsUsed(variable: String) throws {
    let proxy = try ScriptedServer(answering: ok("proxied"))
    defer { proxy.stop() }
    let transport = transport([variable: "http://127.0.0.1:\(proxy.port)"])
    #expect(try transport.send(Request(.get, URL("http://nowhere.invalid/x"))).string == "proxied")
    #expect(proxy.requests.first?.hasPrefix("GET http://nowhere.invalid/x HTTP/1.1\r\n") == true)
  }

  /// The host has no address, so only a request to the proxy would succeed.
  @Test(arguments: ["nowhere.invalid", "*", ".invalid,other"])
  func noProxyHostsBypassProxy(exceptions: String) throws {
    let proxy = try ScriptedServer(answering: ok("proxied"))
    defer { proxy.stop() }
    let transport = transport(["http_proxy": "http://127.0.0.1:\(proxy.port)", "NO_PROXY": exceptions])
    #expect(failure(try URL("http://nowhere.invalid/x"), transport) != nil)
    #expect(proxy.connections == 0)
  }

  @Test func proxyFailureNamesProxy() throws {
    let proxy = try ScriptedServer(answering: "HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n")
    defer { proxy.stop() }
    let failure = failure(
      try URL("https://nowhere.invalid/"), transport(["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]))
    #expect(failure?.message == "the proxy for 'nowhere.invalid:443' fails: it returned 407")
    #expect(proxy.requests.first?.hasPrefix("CONNECT nowhere.invalid:443 ") == true)
    let unknown = self.failure(
      try URL("http://host.invalid/"), transport(["http_proxy": "http://nowhere.invalid:1"]))
    #expect(unknown?.message == "the proxy for 'host.invalid:80' fails: its host cannot be resolved")
    let port = try Loopback.freePort()
    let closed = self.failure(
      try URL("http://host.invalid/"), transport(["http_proxy": "http://127.0.0.1:\(port)"]))
    #expect(closed?.message == "the proxy for 'host.invalid:80' fails: no connection to it")
  }

  @Test func versionOfCurlIsKnown() throws {
    #expect(try CurlTransport.version().hasPrefix("libcurl/"))
    #expect(throws: Failure.self) { try CurlTransport.version(of: ["libnowhere.so.4"]) }
  }
}

extension CurlTransportTests {
  /// What the proxy says of the tunnel is no part of the response.
  @Test(.needs(.openssl))
  func connectResponseOfProxyIsDropped() throws {
    let server = try TLSServer.answering(
      ["page": "HTTP/1.1 201 Created\r\nX-From: server\r\n\r\nsecret"], certificate: "DNS:elsewhere.invalid")
    let proxy = try ScriptedServer { [port = server.port] conversation in
      conversation.read()
      conversation.write("HTTP/1.1 200 Connection established\r\nX-From: proxy\r\nX-Via: proxy\r\n\r\n")
      conversation.relay(to: port)
    }
    defer { proxy.stop() }
    let transport = transport([
      "HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)", "SSL_CERT_FILE": server.certificate.path,
    ])
    let response = try transport.send(Request(.get, try URL("https://elsewhere.invalid/page")))
    #expect(response.status == 201 && response.string == "secret")
    #expect(response.headers["X-From"] == "server" && response.headers["X-Via"] == nil)
    #expect(proxy.requests.first?.hasPrefix("CONNECT elsewhere.invalid:443 ") == true)
  }
}

/// Otherwise the tests that need it would be skipped.
@Test func libcurlIsFoundWhereItIsInstalled() {
  let isFound = (try? CurlHandle(libraries: CurlTransport.libraries)) != nil
  #expect(isFound == Tool.libcurl.isPresent)
}

@Test func missingLibraryNamesPackage() throws {
  let transport = CurlTransport(
    environment: Environment([:]), limits: TimeLimits(), time: SystemTime(), libraries: ["libnowhere.so.4"])
  let failure = #expect(throws: Failure.self) { try transport.send(Request(.get, URL("https://localhost/"))) }
  #expect(failure?.kind == .connection)
  #expect(failure?.hint?.contains("'libcurl4'") == true)
}

@Suite struct CertificateStoreTests {
  @Test(
    arguments: [
      ([:], nil, nil), (["CURL_CA_BUNDLE": "a"], "a", nil), (["SSL_CERT_FILE": "b"], "b", nil),
      (["SSL_CERT_DIR": "c"], nil, "c"), (["SSL_CERT_FILE": "b", "SSL_CERT_DIR": "c"], "b", "c"),
      (["CURL_CA_BUNDLE": "a", "SSL_CERT_FILE": "b", "SSL_CERT_DIR": "c"], "a", nil),
    ] as [([String: String], String?, String?)])
  func certificateStoreFollowsVariables(environment: [String: String], file: String?, folder: String?) {
    let store = CertificateStore(Environment(environment))
    #expect(store.file == file)
    #expect(store.folder == folder)
  }
}
