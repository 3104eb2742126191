import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct URLTests {
  @Test func addressesAreReadAsRecorded() throws {
    try RecordedText.holdTexts("urls.txt") { text in
      do throws(Failure) {
        return ["= \(try URL(text).description)"]
      } catch {
        #expect(!"\(error)".contains("pw") && !error.message.unicodeScalars.contains { $0.value < 0x20 })
        return ["! \(error.described)"]
      }
    }
  }

  /// 253 bytes, in labels of at most 63.
  @Test func lengthsOfAHost() throws {
    let label = String(repeating: "a", count: 63)
    let longest = "\(label).\(label).\(label).\(label.dropLast(2))"
    #expect(try URL("http://\(longest)/").host == longest)
    #expect(throws: Failure.self) { try URL("http://\(longest)a/") }
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

  @Test func referencesAreResolvedAsRecorded() throws {
    try RecordedText.holdTexts("references.txt") { text in
      do throws(Failure) {
        return ["= \(try URL("http://a/b/c/d;p?q").resolving(text).description)"]
      } catch {
        return ["! \(error.described)"]
      }
    }
  }

  @Test func resolvesBelowOtherAddresses() throws {
    #expect(try URL("http://a").resolving("g").description == "http://a/g")
    // A socket file has no other hosts.
    let url = try URL("unix:/s:/x?q").resolving("//g")
    #expect(url.socket == "/s" && url.path == "//g" && url.query == "")
  }

  @Test(arguments: [
    ("http://localhost/", true), ("http://[::1]/", true), ("unix:/s", true), ("demo:", true),
    ("http://localhost.example/", false), ("https://host/", false),
  ])
  func loopbackAddressesAreRecognized(text: String, isLoopback: Bool) throws {
    #expect(try URL(text).isLoopback == isLoopback)
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
