import Foundation
import TestSupport

extension Driver {
  /// Mutated requests over sockets to a real `hw serve`, which goes on serving.
  static let sockets = Driver(name: "sockets", round: 50) { home in
    let server = try ServedProgram(home, options: [])
    let mutator = Mutator(RequestSamples.texts, tokens: RequestSamples.tokens)
    return Attack(make: { mutator.make(&$0) + (($0.chance(3)) ? mutator.make(&$0) : []) }) { input in
      guard let connection = try? Loopback.connect(server.port) else {
        return "no connection: \(server.isRunning ? "running" : "ended")"
      }
      defer { close(connection) }
      var wait = timeval(tv_sec: 0, tv_usec: 20_000)
      setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
      let cut = input.isEmpty ? 0 : Int(input[0]) % (input.count + 1)
      for part in [input[..<cut], input[cut...]] {
        Loopback.send(Array(part), to: connection)
      }
      shutdown(connection, Int32(SHUT_WR))
      var reply: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 65536)
      while reply.count < 4 << 20 {
        let count = read(connection, &block, block.count)
        guard count > 0 else { break }
        reply += block[..<count]
      }
      if !reply.isEmpty, !reply.starts(with: Array("HTTP/1.1 ".utf8)) {
        return "the reply is not HTTP: \(reply.prefix(60))"
      }
      // The service of the nodes says 500 where it knows no node.
      if reply.starts(with: Array("HTTP/1.1 500".utf8)),
        reply.firstRange(of: Array("Failed to get node".utf8)) == nil
      {
        return "internal error: \(String(decoding: reply.prefix(400), as: UTF8.self))"
      }
      guard server.isRunning else { return "the server has ended" }
      return server.residentMegabytes > 600 ? "the server takes \(server.residentMegabytes) MB" : nil
    }
  }
}
