import Foundation
import System
import TestSupport
import Testing

/// Clients that request a large list and do not read it.
@Suite(.ownThread) struct UnreadResponsesEndToEnd {
  private static let bikes = 6000
  private static let clients = 150

  /// Memory of a process in kilobytes.
  private func memory(of id: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  private func connect(_ path: String) throws -> Socket {
    let socket = try Socket(.unix)
    _ = try socket.connect(to: #require(SocketAddress(unixPath: path)))
    return socket
  }

  /// Sends the request for the whole list, and waits until the server has begun to answer it.
  private func request(_ socket: Socket) throws {
    _ = try unsafe socket.send(Array("GET /bikes HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8).span.bytes)
    #expect(try socket.wait(for: .reading, atMost: .seconds(60), time: SystemTime()))
  }

  /// A hundred and fifty of them hold one list, not a hundred and fifty, and another client gets all of it.
  @Test func manyClientsThatDoNotReadHoldOneList() throws {
    let home = try Home()
    let rows = (0..<UnreadResponsesEndToEnd.bikes).map { "Bike \($0),00C8E6,0420,50.1,8.\(100_000 + $0)\n" }
    try Data(("name,color,pin,latitude,longitude\n" + rows.joined()).utf8)
      .write(to: URL(filePath: "\(home.path)/bikes.csv"))
    #expect(try shell("hw bikes import bikes.csv --url embedded:", in: home).status == 0)
    let server = try Started(["hw", "serve", "--listen", "unix:.socket", "--ready-file", ".ready"], in: home)
    try home.wait(for: ".ready")
    let path = "\(home.path)/.socket"
    var sockets: [Socket] = []
    defer { for socket in sockets { socket.close() } }
    // The first few fill the caches.
    for _ in 0..<10 {
      sockets.append(try connect(path))
      try request(sockets[sockets.count - 1])
    }
    let before = try memory(of: server.id)
    while sockets.count < UnreadResponsesEndToEnd.clients {
      sockets.append(try connect(path))
      try request(sockets[sockets.count - 1])
    }
    // A copy for each is 90 MB.
    #expect(try memory(of: server.id) - before < 20_000)
    let list = try shell("hw bikes list --url unix:.socket --jsonl --limit 10000 | wc -l", in: home)
    #expect(list.output == "\(UnreadResponsesEndToEnd.bikes + 3)\n")
    kill(server.id, SIGTERM)
    _ = server.end()
  }
}
