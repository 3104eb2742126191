import System
import Testing

@testable import HTTP

@Suite struct URLTests {
  @Test(arguments: [
    "http://localhost:3000", "http://localhost:3000/", "https://api.balldontlie.io/v1",
    "https://host/a/b?x=1&y=%20", "http://127.0.0.1:7400/nodes", "http://[::1]:7400/x",
    "http://[2001:db8::1]/", "https://a-b.c_d.example:8443", "https://host/games?team_ids[]=14",
    "https://host?x=1", "http://host./", "https://host/a@b:c", "unix:/run/hw.sock",
    "unix:/run/hw.sock:/scores?limit=3", "unix:hw.sock", "unix:/run/with space.sock", "demo:", "demo:/scores",
    "http://host:1/", "http://host:65535/", "http://a.1b/", "http://a_b-c/",
    "embedded:", "embedded:/var/lib/hw.db", "embedded:/var/lib/hw.db:/scores", "embedded::/scores",
    "gbfs:https://host:81/gbfs.json?a=b", "gbfs:http://host/gbfs.json:/bikes?radius=5",
  ])
  func readsAndWritesTheSame(text: String) throws {
    #expect(try URL(text).description == text)
  }

  @Test(arguments: [
    ("HTTP://LocalHost:80/A", "http://localhost/A"), ("https://host:443/", "https://host/"),
    ("https://host:/x", "https://host/x"), ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
    ("https://host/é\"|", "https://host/%C3%A9%22%7C"),
  ])
  func writesOneSpelling(text: String, canonical: String) throws {
    #expect(try URL(text).description == canonical)
  }

  @Test(arguments: [
    ("", "no scheme"), ("example.org", "no scheme"), ("localhost:3000", "no scheme"),
    ("127.0.0.1:80", "no scheme"), ("ftp://host/", "unsupported scheme 'ftp'"), ("http:host", "two slashes"),
    ("http:/host", "two slashes"), ("http://", "names no host"), ("http:///x", "names no host"),
    ("http://:80/", "names no host"), ("http://ho st/", "holds a space"),
    ("http://host/a b", "space or a control"), ("http://host/\u{1b}[0m", "control character"),
    ("http://host/\r\nX: y", "holds a control character"), ("http://host\u{0}/", "control character"),
    ("http://host/#top", "fragment"), ("http://host:0/", "not a port"), ("http://host:65536/", "not a port"),
    ("http://host:-1/", "not a port"), ("http://host:+80/", "not a port"), ("http://a.0xf/", "not an IPv4"),
    ("http://host:8o/", "not a port"), ("http://host:99999999999999999999/", "not a port"),
    ("http://user@host/", "user name"), ("http://1:2:3/", "more than one colon"),
    ("http://[::1/", "more than one colon"), ("http://[::g]/", "not an IPv6"),
    ("http://[::1]x/", "only a port"), ("http://[host]/", "square brackets"),
    ("http://-a.b/", "not a host name"), ("http://a-.b/", "not a host name"),
    ("http://./", "not a host name"), ("example.org:80/x", "no scheme"), ("LocalHost:80", "no scheme"),
    ("http://a.0x1/", "not an IPv4"), ("http://a..b/", "not a host name"),
    ("http://a\\b/", "not a host name"), ("http://a%41/", "not a host name"),
    ("http://\(String(repeating: "a", count: 64)).b/", "not a host name"), ("http://127.1/", "not an IPv4"),
    ("http://127.9/", "not an IPv4"), ("http://a.0/", "not an IPv4"), ("http://256.0.0.1/", "not an IPv4"),
    ("http://0x7f.0x1/", "not an IPv4"), ("http://bücher.example/", "not ASCII"),
    ("http://host/%4", "hexadecimal"), ("http://host/%zz", "hexadecimal"), ("gbfs:", "no scheme"),
    ("gbfs:demo:", "a feed is on a network"), ("gbfs:http:/x", "two slashes"),
    ("gbfs:gbfs:https://host/", "no scheme"), ("unix:", "no socket file"),
    ("unix:/\(String(repeating: "a", count: 200))", "longer"), ("unix:~/x", "'~'"),
    ("demo:x", "only by a path"), ("1a://x", "no scheme"), ("9a://x", "no scheme"), ("a_b://x", "no scheme"),
    ("a+b://x", "unsupported scheme 'a+b'"), ("http://host/%4z", "hexadecimal"),
    ("http://host/\u{7F}", "control character"), ("unix:/s\u{7F}", "holds a control character"),
    ("embedded:/a\u{1F}", "holds a control character"),
  ])
  func malformedAddressIsRefused(text: String, reason: String) {
    let failure = #expect(throws: Failure.self) { try URL(text) }
    #expect(failure?.kind == .usage, "\(text)")
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.unicodeScalars.contains { $0.value < 0x20 } == false)
  }

  @Test(arguments: [
    ("example.org:80/x", "write 'http://example.org:80/x'"),
    ("example.org", "write 'https://example.org' or 'http://example.org'"),
    ("ftp://host/", "use http://, https://, unix:FILE, embedded:, demo: or gbfs:URL"),
    ("unix:", "write 'unix:/path/to/file.sock'"), ("http:host", "write 'http://HOST'"),
  ])
  func malformedAddressHasHint(text: String, hint: String) {
    let failure = #expect(throws: Failure.self) { try URL(text) }
    #expect(failure?.hint == hint)
  }

  /// 253 bytes, in labels of at most 63.
  @Test func lengthsOfAHost() throws {
    let label = String(repeating: "a", count: 63)
    let longest = "\(label).\(label).\(label).\(label.dropLast(2))"
    #expect(try URL("http://\(longest)/").host == longest)
    #expect(throws: Failure.self) { try URL("http://\(longest)a/") }
  }

  @Test(arguments: [
    ("https://me:pw@host/", "https://•••@host/"), ("https://@host/", "https://@host/"),
    ("http://host/\u{1B}[m", "http://host/?[m"), ("pw@host", "•••@host"),
    ("me:pw@host", "•••@host"), ("https://pw@host/ x", "https://•••@host/ x"),
    (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
    (String(repeating: "x", count: 201), String(repeating: "x", count: 200) + "…"),
  ])
  func malformedAddressIsQuotedWithoutPassword(text: String, quoted: String) {
    let failure = #expect(throws: Failure.self) { try URL(text) }
    #expect(failure?.message.hasPrefix("'\(quoted)' is not an address for hw: ") == true)
    #expect(failure.map { "\($0)".contains("pw") } == false)
  }

  @Test(arguments: [
    ("https://host/v1//", "https://host/v1"), ("https://host/", "https://host"),
    ("https://host/v1", "https://host/v1"), ("https://host/a/?b=/", "https://host/a?b=/"),
  ])
  func leavesOutSlashesAtTheEnd(text: String, address: String) throws {
    #expect(try URL(text).withoutTrailingSlash.description == address)
  }

  @Test func appendedValuesAreEncoded() throws {
    let base = try URL("https://host/v1/")
    let id = "a/b?c#d é"
    #expect(
      base.appending(path: "bikes/\(id)/rented").description
        == "https://host/v1/bikes/a%2Fb%3Fc%23d%20%C3%A9/rented")
    #expect(base.appending(path: "/scores/\(262)").description == "https://host/v1/scores/262")
    let query: URL.Query = ["team_ids[]": "14", "search": "a&b=c", "cursor": nil]
    #expect(base.appending(path: "games", query: query).query == "team_ids%5B%5D=14&search=a%26b%3Dc")
    #expect(
      try URL("http://h/p?a=1").appending(path: "", query: ["b": "2"]).description == "http://h/p?a=1&b=2")
    #expect(try URL("unix:/s").appending(path: "x").description == "unix:/s:/x")
  }

  /// The examples of RFC 3986, sections 5.4.1 and 5.4.2, that have a host.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("https://b:8443/x/../y", "https://b:8443/y"),
  ])
  func resolvesReferences(reference: String, address: String) throws {
    #expect(try URL("http://a/b/c/d;p?q").resolving(reference).description == address)
  }

  @Test func resolvesBelowOtherAddresses() throws {
    #expect(try URL("http://a").resolving("g").description == "http://a/g")
    // A socket file has no other hosts.
    let url = try URL("unix:/s:/x?q").resolving("//g")
    #expect(url.socket == "/s" && url.path == "//g" && url.query == "")
  }

  @Test(arguments: [
    ("a b", "space or a control"), ("a\u{7F}", "space or a control"), ("a\u{1F}", "space or a control"),
    ("%4", "hexadecimal"), ("%4z", "hexadecimal"), ("http://[x", "not a host name"),
  ])
  func malformedReferenceIsRefused(reference: String, reason: String) throws {
    let base = try URL("http://a/b")
    let failure = #expect(throws: Failure.self) { try base.resolving(reference) }
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  @Test func loopbackAddressesAreRecognized() throws {
    for text in [
      "http://localhost/", "http://a.localhost/", "http://127.8.8.8/", "http://[::1]/", "unix:/s", "demo:",
    ] {
      #expect(try URL(text).isLoopback)
    }
    for text in ["http://localhost.example/", "http://128.0.0.1/", "http://[::2]/", "https://host/"] {
      #expect(try !URL(text).isLoopback)
    }
  }

  @Test(arguments: ["", "a b", "ä/ö?", "%25", "100%"])
  func decodesWhatItEncodes(text: String) {
    #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
  }

  @Test(arguments: ["%", "%4", "%gg", "%FF"])
  func malformedEncodingIsRefused(text: String) {
    #expect(PercentEncoding.decode(text) == nil)
  }
}
