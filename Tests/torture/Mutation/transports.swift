import Foundation
import Synchronization
import System
import TestSupport

@testable import HTTP

extension Driver {
  /// The same through both transports and real connections: one verdict.
  static let transports = Driver(name: "transports", round: 100) { _ in
    let mutator = Mutator(ResponseSamples.texts, tokens: ResponseSamples.tokens)
    let server = try ReplyServer()
    let url = HTTP.URL(scheme: .http, host: "127.0.0.1", port: server.port, path: "/x")
    let limits = TimeLimits(attempt: .seconds(5))
    let socket = SocketTransport(limits: limits, time: SystemTime(), sizeLimit: 1 << 20)
    let curl = CurlTransport(
      environment: Environment([:]), limits: limits, time: SystemTime(), sizeLimit: 1 << 20)
    return Attack(make: { mutator.make(&$0) }) { input in
      server.reply.withLock { $0 = input }
      let first = Verdict(socket, url)
      let second = Verdict(curl, url)
      // What is cut short and malformed as well may be called either. libcurl
      // decodes the chunks itself, less strictly but for trailers.
      let isChunked = String(decoding: input, as: UTF8.self).lowercased().contains("chunked")
      return first.agrees(with: second, isChunked: isChunked)
        ? nil : "a socket says \(first), libcurl \(second)"
    }
  }
}

private enum Verdict: Equatable {
  case response(status: Int, body: [UInt8])
  case failure(Failure.Kind)

  func agrees(with other: Verdict, isChunked: Bool) -> Bool {
    switch (self, other) {
    case (.failure, .failure): true
    case (.failure, .response), (.response, .failure): isChunked
    default: self == other
    }
  }

  init(_ transport: any Transport, _ url: HTTP.URL) {
    do throws(Failure) {
      let response = try transport.send(Request(.get, url))
      self = .response(status: response.status, body: response.body)
    } catch {
      self = .failure(error.kind)
    }
  }
}

/// Sends the same bytes on every connection, whatever is asked, and closes it.
private final class ReplyServer: Sendable {
  let port: Int
  let reply = Mutex<[UInt8]>([])

  init() throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    Thread.detachNewThread { [self] in
      var block = [UInt8](repeating: 0, count: 65536)
      while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else { continue }
        var head: [UInt8] = []
        while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
          let count = read(peer, &block, block.count)
          guard count > 0 else { break }
          head += block[..<count]
        }
        Loopback.send(reply.withLock { $0 }, to: peer)
        shutdown(peer, Int32(SHUT_WR))
        close(peer)
      }
    }
  }
}
