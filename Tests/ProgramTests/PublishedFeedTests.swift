import Synchronization
import TestSupport
import Testing

@testable import hw

/// Feeds of other operators (`--url gbfs:URL`), each written by hand and served on this machine.
@Suite(.ownThread) struct PublishedFeeds {
  /// An operator's server. A file that is `302 PATH` redirects.
  private final class Operator: Sendable {
    private let files = Mutex<[String: String]>([:])

    func serve() throws -> ScriptedServer {
      try ScriptedServer { peer in
        while let head = peer.read() {
          let path = head.split(separator: " ")[1].dropFirst().prefix { $0 != "?" }
          let file = self.files.withLock { $0[String(path)] }
          let isMoved = file?.hasPrefix("302 ") == true
          let body = file ?? "none"
          peer.write(
            "HTTP/1.1 \(isMoved ? 302 : file == nil ? 404 : 200) Scripted\r\nContent-Length: \(body.utf8.count)\r\n"
              + "\(isMoved ? "Location: \(body.dropFirst(4))\r\n" : "")Cache-Control: no-store\r\n\r\n\(body)"
          )
        }
      }
    }

    func clear() { files.withLock { $0 = [:] } }

    func add(_ name: String, _ text: String) { files.withLock { $0[name] = text } }

    func add(_ name: String, data: String, updated: String = "1704067170", ttl: String = "60") {
      add(name, #"{"last_updated":\#(updated),"ttl":\#(ttl),"version":"2.3","data":\#(data)}"#)
    }
  }

  /// `feed NAME…` is a list of these files, `data NAME DATA [UPDATED [TTL]]` a file of a feed, and `file NAME TEXT` any
  /// file; `pass N` moves the clock by seconds. After each command are the requests that it has sent.
  @Test func feedsAreAsRecorded() throws {
    let publisher = Operator()
    var time = FakeClock()
    let server = try publisher.serve()
    defer { server.stop() }
    let (port, address) = (":PORT/", ":\(server.port)/")
    var known = 0
    let text = try Scenes.replayed(
      RecordedText.text("feeds.txt").replacing(port, with: address),
      begin: {
        publisher.clear()
        time = FakeClock()
        let environment = [
          "HW_BIKES_TOKEN": "geheim", "HW_TOKEN": "geheim",
          "HW_URL": "gbfs:http://127.0.0.1\(address)gbfs.json",
        ]
        return try Session(.hw, environment: environment, time: time)
      },
      special: { _, words in
        switch words[0] {
        case "feed":
          let feeds = words.dropFirst().map {
            #"{"name":"\#($0)","url":"http://127.0.0.1\#(address)\#($0)"}"#
          }
          publisher.add("gbfs.json", data: #"{"feeds":[\#(feeds.joined(separator: ","))]}"#)
        case "data":
          publisher.add(
            words[1], data: words[2], updated: words.count > 3 ? words[3] : "1704067170",
            ttl: words.count > 4 ? words[4] : "60")
        case "file": publisher.add(words[1], words[2])
        case "pass": time.advance(by: .seconds(Int64(words[1]) ?? 0))
        default: return nil
        }
        return []
      },
      after: { _ in
        let requests = server.requests
        defer { known = requests.count }
        return requests.dropFirst(known).map {
          "> \($0.split(separator: " ").prefix(2).joined(separator: " "))"
        }
      })
    // The token of another service is not sent.
    #expect(
      server.requests.allSatisfy { !$0.contains(": geheim") && !$0.lowercased().contains("authorization") })
    try RecordedText.hold("feeds.txt", to: text.replacing(address, with: port))
  }
}
