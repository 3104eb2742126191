import Foundation
import Testing

/// Where the access token of the bikes suite goes, and where it does not.
@Suite struct BikesToken {
  /// A server of one response, which keeps what it was sent.
  private final class Listener: @unchecked Sendable {
    let url: String
    private let descriptor: Int32
    private let lock = NSLock()
    private var requests: [String] = []

    init(_ response: String) throws {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      self.descriptor = descriptor
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
            && getsockname(descriptor, $0, &size) == 0
        }
      }
      try #require(isBound)
      url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
      Thread.detachNewThread { [self] in
        while true {
          let client = accept(descriptor, nil, nil)
          guard client >= 0 else { return }
          var block = [UInt8](repeating: 0, count: 16 << 10)
          let count = max(0, recv(client, &block, block.count, 0))
          lock.withLock { requests.append(String(decoding: block[..<count], as: UTF8.self)) }
          _ = send(client, response, response.utf8.count, Int32(MSG_NOSIGNAL))
          close(client)
        }
      }
    }

    /// Ends the thread that waits for a client.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    var received: [String] { lock.withLock { requests } }
  }

  @Test func itGoesToTheAddressOfTheUserAndToNoOther() throws {
    let other = try Listener(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
    let own = try Listener(
      "HTTP/1.1 302 Found\r\nLocation: \(other.url)/bikes\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    defer {
      other.stop()
      own.stop()
    }
    let ending = try shell(
      "hw bikes list --anywhere --json", environment: ["HW_URL": own.url, "HW_BIKES_TOKEN": "0p3n-sesame"])
    #expect(ending.status == 0 && ending.output == "[]\n", "\(ending.errors)")
    #expect(
      own.received.count == 1 && own.received.allSatisfy { $0.contains("X-Authorization: 0p3n-sesame") })
    #expect(other.received.count == 1 && other.received.allSatisfy { !$0.contains("0p3n") })
  }
}
