import Foundation
import System
import TestSupport
import Testing

@testable import HTTP

extension ScriptedTransport {
  /// The response of each address, and 404 for all others.
  fileprivate convenience init(_ responses: [String: Response]) {
    self.init { responses[$0.url.description] ?? Response(404) }
  }
}

private func to(_ location: String, _ status: Int = 302) -> Response {
  Response(status, headers: ["Location": location])
}

@Suite struct RedirectingTests {
  @Test(arguments: [301, 302, 303, 307, 308], [HTTP.Method.get, .head])
  func redirectIsFollowed(status: Int, method: HTTP.Method) throws {
    let inner = ScriptedTransport(["http://a/x": to("../y?z", status), "http://a/y?z": Response(200)])
    #expect(try RedirectingTransport(inner: inner).send(Request(method, URL("http://a/x"))).status == 200)
    #expect(inner.requests.map(\.method) == [method, method])
  }

  @Test(arguments: [HTTP.Method.post, .put, .delete, .patch])
  func writesAreNotRedirected(method: HTTP.Method) throws {
    let inner = ScriptedTransport(["http://a/x": to("/y")])
    #expect(try RedirectingTransport(inner: inner).send(Request(method, URL("http://a/x"))).status == 302)
  }

  @Test func redirectWithoutLocationIsReturned() throws {
    let inner = ScriptedTransport(["http://a/x": Response(302), "http://a/y": to("/x", 304)])
    for path in ["x", "y"] {
      _ = try RedirectingTransport(inner: inner).send(Request(.get, URL("http://a/\(path)")))
    }
    #expect(inner.requests.count == 2)
  }

  @Test func atMostFiveRedirectsAreFollowed() throws {
    let chain = Dictionary(uniqueKeysWithValues: (0..<5).map { ("http://a/\($0)", to("/\($0 + 1)")) })
    let inner = ScriptedTransport(chain.merging(["http://a/5": Response(200)]) { first, _ in first })
    #expect(try RedirectingTransport(inner: inner).send(Request(.get, URL("http://a/0"))).status == 200)
    let circle = ScriptedTransport(["http://a/x": to("/x")])
    let failure = #expect(throws: Failure.self) {
      try RedirectingTransport(inner: circle).send(Request(.get, URL("http://a/x")))
    }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains("more than 5 times") == true)
    #expect(circle.requests.count == 6)
  }

  @Test(arguments: [
    ("https://a/x", "http://a/y", "from https to"),
    ("https://a/x", "file:///etc/passwd", "to an invalid address"),
    ("https://a/x", "unix:/run/docker.sock:/y", "not an address on a network"),
    ("http://a/x", "embedded:/tmp/x.db", "not an address on a network"),
    ("http://a/x", "demo:", "not an address on"),
    ("http://a/x", "http://[x", "to an invalid address"),
    ("http://a/x", "http://me:pw@b/", "to an invalid address"),
    ("unix:/s:/x", "unix:/t:/x", "not an address on a network"),
    ("https://a/x", "http://a/x?key=pw", "to 'http://a/x?key=•••', which"),
    ("http://a/x", "demo:/x?token=pw", "to 'demo:/x?token=•••', which"),
  ])
  func unsafeRedirectIsRefused(from: String, location: String, reason: String) throws {
    let inner = ScriptedTransport([from: to(location)])
    let failure = #expect(throws: Failure.self) {
      try RedirectingTransport(inner: inner).send(Request(.get, URL(from)))
    }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("pw") == false)
    #expect(inner.requests.count == 1)
  }

  @Test func followsWithinASocketFile() throws {
    let inner = ScriptedTransport(["unix:/s:/x": to("/y"), "unix:/s:/y": Response(200)])
    #expect(try RedirectingTransport(inner: inner).send(Request(.get, URL("unix:/s:/x"))).status == 200)
  }

  @Test(arguments: [
    ("http://a/y", true), ("/y", true), ("http://b/y", false), ("http://a:81/y", false),
    ("https://a/y", false),
  ])
  func keepsCredentialsWithTheService(location: String, isKept: Bool) throws {
    let headers: Headers = [
      "Authorization": "1", "X-Authorization": "2", "Cookie": "3", "Accept": "4", "X-Api-Key": "5",
    ]
    let inner = ScriptedTransport(["http://a/x": to(location)])
    _ = try RedirectingTransport(inner: inner).send(Request(.get, URL("http://a/x"), headers: headers))
    let second = try #require(inner.requests.last)
    #expect(inner.requests.count == 2)
    #expect(second.headers == (isKept ? headers : ["Accept": "4"]))
  }
}

@Suite struct NetworkTests {
  @Test(arguments: ["demo:/x", "embedded:/x"])
  func embeddedAddressIsNotSentToTheNetwork(address: String) throws {
    let network = NetworkTransport(environment: Environment([:]), limits: TimeLimits(), time: FakeClock())
    #expect(throws: Failure(.defect, "'\(address)' was sent to the network")) {
      try network.send(Request(.get, URL(address)))
    }
  }

  /// Domains and networks among the exceptions are left to libcurl.
  @Test(
    arguments: [
      ("http", [:], nil), ("http", ["http_proxy": "h", "all_proxy": "a"], "h"),
      ("http", ["all_proxy": "a"], "a"),
      ("http", ["ALL_PROXY": "a", "HTTP_PROXY": "h", "https_proxy": "s"], "a"),
      ("https", ["http_proxy": "h"], nil),
      ("https", ["https_proxy": "s", "http_proxy": "h", "all_proxy": "a"], "s"),
      ("https", ["HTTPS_PROXY": "s", "all_proxy": "a"], "s"), ("https", ["ALL_PROXY": "a"], "a"),
      ("http", ["all_proxy": "a", "no_proxy": "*"], nil), ("http", ["all_proxy": "a", "NO_PROXY": "*"], nil),
      ("http", ["all_proxy": "a", "no_proxy": "b,A.Example"], nil),
      ("http", ["all_proxy": "a", "no_proxy": "b a.example c"], nil),
      ("http", ["all_proxy": "a", "no_proxy": "*,b"], "a"),
      ("http", ["all_proxy": "a", "no_proxy": "b,Example"], nil),
      ("http", ["all_proxy": "a", "no_proxy": ".example"], nil),
      ("http", ["all_proxy": "a", "no_proxy": "xa.example,ample"], "a"),
    ] as [(String, [String: String], String?)])
  func proxyFollowsVariables(scheme: String, environment: [String: String], proxy: String?) throws {
    let proxies = Proxies(Environment(environment))
    #expect(try proxies.proxy(for: URL("\(scheme)://a.example/")) == proxy)
    #expect(proxies.exceptions == environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
  }

  @Test(arguments: [("localhost", nil), ("[::1]", nil), ("localhost.example", "p")] as [(String, String?)])
  func addressOfThisMachineHasNoProxy(host: String, proxy: String?) throws {
    let proxies = Proxies(Environment(["http_proxy": "p", "https_proxy": "p", "all_proxy": "p"]))
    for scheme in ["http", "https"] {
      #expect(try proxies.proxy(for: URL("\(scheme)://\(host)/")) == proxy)
    }
  }

  @Test func followsARedirectOverARealConnection() throws {
    let target = try ScriptedServer(answering: ok("there"))
    let server = try ScriptedServer(
      answering: "HTTP/1.1 302 Found\r\nLocation: \(target.url)\r\nContent-Length: 0\r\n\r\n")
    defer {
      server.stop()
      target.stop()
    }
    let network = NetworkTransport(environment: Environment([:]), limits: TimeLimits(), time: SystemTime())
    let request = Request(.get, server.url, headers: ["Authorization": "key"])
    #expect(try network.send(request).string == "there")
    #expect(target.requests.first?.contains("Authorization") == false)
  }

  @Test(.needs(.openssl))
  func redirectFromHTTPSToHTTPIsRefused() throws {
    let redirect = "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    let server = try TLSServer.answering(["redirect": redirect])
    let environment = Environment(["SSL_CERT_FILE": server.certificate.path])
    let network = NetworkTransport(environment: environment, limits: TimeLimits(), time: SystemTime())
    let failure = #expect(throws: Failure.self) { try network.send(Request(.get, server.url("redirect"))) }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains("redirects from https") == true, "\(failure?.message ?? "")")
  }
}
