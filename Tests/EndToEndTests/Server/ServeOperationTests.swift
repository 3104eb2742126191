import Foundation
import TestSupport
import Testing

/// What an operator of `hw serve` has: health, metrics, a log and limits, on both engines.
@Suite(.ownThread, .needs(.libsqlite3), .eachEngine) struct ServeOperation {
  private static func store(_ home: Home) throws -> String {
    try StorageEngine.address(for: nil) ?? home.file("data")
  }

  /// A public server with a user, behind a proxy that this process plays.
  private static func publicServer(
    _ words: [String] = [], in given: Home? = nil, environment: [String: String?] = [:]
  ) throws -> (server: Serving.Server, token: String, store: String) {
    let home = try given ?? Home()
    let store = try store(home)
    let added = try shell("hw users add ann --store '\(store)'", in: home)
    try #require(added.status == 0, "\(added.errors)")
    let token = added.output.trimmingCharacters(in: .newlines)
    let server = try Serving.Server(
      ["--store", store, "--public-url", "https://bikes.example"] + words, in: home, environment: environment)
    return (server, token, store)
  }

  private static func statuses(_ count: Int, _ server: Serving.Server, _ headers: [String]) throws -> [Int] {
    let client = try #require(RawConnection(server.url))
    for _ in 0..<count { client.send("GET", "/bikes", headers: headers) }
    return (0..<count).map { _ in client.answer()?.status ?? 0 }
  }

  // MARK: Metrics

  @Test func metricsHaveOwnAddress() throws {
    let home = try Home()
    let (server, token, _) = try Self.publicServer(["--metrics-listen", "127.0.0.1:0"], in: home)
    let lines = home.text(".ready").split(separator: "\n").map(String.init)
    #expect(lines.count == 2 && home.text(".1") == home.text(".ready"))
    let base = lines[0]
    let metrics = try #require(lines.last).replacing("/metrics", with: "")
    #expect(base != metrics)
    let client = try #require(RawConnection(base))
    let rent = client.ask("PUT", "/bikes/0/rented", headers: ["X-Authorization: \(token)"])
    let page = try #require(RawConnection(metrics)?.ask("GET", "/metrics"))
    #expect(page.status == 200)
    for line in [
      "hw_store_up 1",
      "hw_http_requests_total{suite=\"bikes\",route=\"/bikes/:id/rented\",method=\"PUT\",status=\"\(rent?.status ?? 0)\"} 1",
    ] {
      #expect(page.body.contains("\n\(line)\n"), "\(line) in \(page.body)")
    }
    #expect(!page.body.contains(token))
    #expect(server.stop().status == 0)
  }

  // MARK: Log

  /// The requests that were read before SIGTERM get their responses after it, and their lines.
  @Test func logIsCompleteAfterSIGTERM() throws {
    let home = try Home()
    let server = try Serving.Server(
      ["--store", try Self.store(home), "--log", "text", "--fault", "delay:300ms"], in: home)
    let clients = try (0..<5).map { number in
      let client = try #require(RawConnection(server.url))
      #expect(client.send("GET", "/scores?number=\(number)"))
      try waitUntil("the server to read the request") { client.isRead }
      return client
    }
    kill(server.started.id, SIGTERM)
    for client in clients { #expect(client.answer()?.status == 200) }
    #expect(server.started.end().status == 0)
    let log = home.text(".2")
    for number in clients.indices { #expect(log.contains(" /scores?number=\(number) 200 "), "\(log)") }
    #expect(!log.contains("lost"), "\(log)")
  }

  /// Requests whose log needs three times what a pipe and the memory of the log hold.
  private static let longPath = "/healthz?\(String(repeating: "x", count: 950))"
  private static let manyRequests = 3400

  /// A log that is not read, has no reader, or is closed. What becomes of its lines is in `BackgroundWriterTests`.
  @Test(arguments: ["unread", "no reader", "closed"])
  func unwritableLogDelaysNoRequest(_ kind: String) throws {
    guard StorageEngine.current == .sqlite else { return }
    let home = try Home()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    if kind != "unread" { close(ends[0]) }
    defer { if kind == "unread" { close(ends[0]) } }
    let options = "--store data --log text --listen 127.0.0.1:0 --ready-file .ready"
    let line = "exec hw serve \(options) \(kind == "closed" ? "2>&-" : "")"
    let server = try Started(["sh", "-c", line], in: home, errors: ends[1])
    let client = try #require(RawConnection(try home.wait(for: ".ready").trimmingCharacters(in: .newlines)))
    for _ in 0..<Self.manyRequests { try #require(client.ask("GET", Self.longPath)?.status == 200) }
    kill(server.id, SIGTERM)
    #expect(server.end().status == 0)
    // Another file that got the number of the descriptor has none of the lines.
    #expect(try shell("grep -rl healthz data .1", in: home).status == 1)
  }

  // MARK: Users

  @Test(arguments: [("rotate ann", 401), ("delete ann --yes", 401), ("add bob", 200)])
  func userChangeAppliesToFirstRequest(change: String, status: Int) throws {
    let home = try Home()
    let (server, token, store) = try Self.publicServer(in: home)
    #expect(try shell("hw users add mia --store '\(store)'", in: home).status == 0)
    #expect(try shell("hw users \(change) --store '\(store)'", in: home).status == 0)
    #expect(try Self.statuses(1, server, ["X-Authorization: \(token)"]) == [status])
    #expect(server.stop().status == 0)
  }

}
