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
  func follows(status: Int, method: HTTP.Method) throws {
    let inner = ScriptedTransport(["http://a/x": to("../y?z", status), "http://a/y?z": Response(200)])
    #expect(try Redirecting(inner: inner).send(Request(method, URL("http://a/x"))).status == 200)
    #expect(inner.requests.map(\.method) == [method, method])
  }

  @Test(arguments: [HTTP.Method.post, .put, .delete, .patch])
  func leavesWhatChangesSomethingAlone(method: HTTP.Method) throws {
    let inner = ScriptedTransport(["http://a/x": to("/y")])
    #expect(try Redirecting(inner: inner).send(Request(method, URL("http://a/x"))).status == 302)
  }

  @Test func leavesAnswersWithoutATargetAlone() throws {
    let inner = ScriptedTransport(["http://a/x": Response(302), "http://a/y": to("/x", 304)])
    for path in ["x", "y"] {
      _ = try Redirecting(inner: inner).send(Request(.get, URL("http://a/\(path)")))
    }
    #expect(inner.requests.count == 2)
  }

  @Test func followsFiveAndNoSixth() throws {
    let chain = Dictionary(uniqueKeysWithValues: (0..<5).map { ("http://a/\($0)", to("/\($0 + 1)")) })
    let inner = ScriptedTransport(chain.merging(["http://a/5": Response(200)]) { first, _ in first })
    #expect(try Redirecting(inner: inner).send(Request(.get, URL("http://a/0"))).status == 200)
    let circle = ScriptedTransport(["http://a/x": to("/x")])
    let failure = #expect(throws: Failure.self) {
      try Redirecting(inner: circle).send(Request(.get, URL("http://a/x")))
    }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains("more than 5 times") == true)
    #expect(circle.requests.count == 6)
  }

  @Test(arguments: [
    ("https://a/x", "http://a/y", "from https to"), ("https://a/x", "file:///etc/passwd", "to nowhere"),
    ("https://a/x", "unix:/run/docker.sock:/y", "no address on a network"),
    ("http://a/x", "embedded:/tmp/x.db", "no address on a network"), ("http://a/x", "demo:", "no address on"),
    ("http://a/x", "http://[x", "to nowhere"), ("http://a/x", "http://me:pw@b/", "to nowhere"),
    ("unix:/s:/x", "unix:/t:/x", "no address on a network"),
  ])
  func refuses(from: String, location: String, reason: String) throws {
    let inner = ScriptedTransport([from: to(location)])
    let failure = #expect(throws: Failure.self) {
      try Redirecting(inner: inner).send(Request(.get, URL(from)))
    }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("pw") == false)
    #expect(inner.requests.count == 1)
  }

  @Test(arguments: [
    ("http://a/y", true), ("/y", true), ("http://b/y", false), ("http://a:81/y", false),
    ("https://a/y", false),
  ])
  func keepsCredentialsWithTheService(location: String, isKept: Bool) throws {
    let headers: Headers = ["Authorization": "1", "X-Authorization": "2", "Cookie": "3", "Accept": "4"]
    let inner = ScriptedTransport(["http://a/x": to(location)])
    _ = try Redirecting(inner: inner).send(Request(.get, URL("http://a/x"), headers: headers))
    let second = try #require(inner.requests.last)
    #expect(inner.requests.count == 2)
    #expect(second.headers == (isKept ? headers : ["Accept": "4"]))
  }
}

@Suite struct NetworkTests {
  @Test(
    arguments: [
      ("http://localhost:3000/", [:], Network.Carrier.socket), ("http://127.0.0.1/", [:], .socket),
      ("http://[::1]/", [:], .socket), ("unix:/s", ["http_proxy": "http://p:1"], .socket),
      ("http://example.org/", [:], .curl), ("https://localhost/", [:], .curl),
      ("http://localhost/", ["http_proxy": "http://p:1"], .curl),
      ("http://localhost/", ["all_proxy": "p:1"], .curl),
      ("http://localhost/", ["HTTP_PROXY": "http://p:1"], .socket),
      ("http://localhost/", ["https_proxy": "p:1"], .socket),
      ("http://localhost/", ["http_proxy": "p:1", "NO_PROXY": "a, LocalHost"], .socket),
      ("http://localhost/", ["http_proxy": "p:1", "no_proxy": "*"], .socket), ("demo:", [:], nil),
      ("embedded:", [:], nil),
    ] as [(String, [String: String], Network.Carrier?)])
  func chooses(address: String, variables: [String: String], carrier: Network.Carrier?) throws {
    #expect(Network.carrier(of: try URL(address), Proxies(Environment(variables))) == carrier)
  }

  @Test func followsARedirectOverARealConnection() throws {
    let target = try ScriptedServer(answering: ok("there"))
    let server = try ScriptedServer(
      answering: "HTTP/1.1 302 Found\r\nLocation: \(target.url)\r\nContent-Length: 0\r\n\r\n")
    defer {
      server.stop()
      target.stop()
    }
    let network = Network(environment: Environment([:]), limits: TimeLimits(), time: SystemTime())
    let request = Request(.get, server.url, headers: ["Authorization": "key"])
    #expect(try network.send(request).string == "there")
    #expect(target.requests.first?.contains("Authorization") == false)
  }

  @Test(.enabled(if: Certificate.openssl != nil, "no openssl on this machine"))
  func neverLeavesTLS() throws {
    let redirect = "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    let server = try TLSServer.answering(["redirect": redirect])
    let environment = Environment(["SSL_CERT_FILE": server.certificate.path])
    let network = Network(environment: environment, limits: TimeLimits(), time: SystemTime())
    let failure = #expect(throws: Failure.self) { try network.send(Request(.get, server.url("redirect"))) }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains("redirects from https") == true, "\(failure?.message ?? "")")
  }
}
