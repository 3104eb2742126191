import Foundation
import Synchronization

/// A server on a free port of 127.0.0.1 (or on a socket file) that does to each connection what the test says, in a
/// thread of its own.
public final class ScriptedServer: Sendable {
  public let port: Int
  private let descriptor: Int32
  private let seen = Mutex<(connections: Int, requests: [String])>((0, []))

  public var connections: Int { seen.withLock { $0.connections } }
  /// Every request head, as it came.
  public var requests: [String] { seen.withLock { $0.requests } }

  public init(socketFile: String? = nil, script: @escaping @Sendable (Conversation) -> Void) throws {
    let descriptor: Int32
    (descriptor, port) = try socketFile.map { (try Loopback.listen(at: $0), 0) } ?? Loopback.listen()
    self.descriptor = descriptor
    Thread.detachNewThread { [self, descriptor] in
      while true {
        let peer = accept(descriptor, nil, nil)
        guard peer >= 0 else {
          close(descriptor)
          return
        }
        let number = seen.withLock {
          $0.connections += 1
          return $0.connections
        }
        Thread.detachNewThread {
          let conversation = Conversation(descriptor: peer, number: number) { request in
            self.seen.withLock { $0.requests.append(request) }
          }
          script(conversation)
          conversation.close()
        }
      }
    }
  }

  /// Answers the first request of every connection with these bytes, then closes.
  public convenience init(answering bytes: String) throws {
    try self.init { $0.answer(bytes) }
  }

  public func stop() {
    // Ends the thread that accepts, which closes it: until then nobody else may be given the number.
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  public final class Conversation: @unchecked Sendable {
    public let number: Int
    private let descriptor: Int32
    private let note: (String) -> Void
    private var pending: [UInt8] = []

    init(descriptor: Int32, number: Int, note: @escaping (String) -> Void) {
      (self.descriptor, self.number, self.note) = (descriptor, number, note)
    }

    /// The head of the next request; nil when the client has gone.
    @discardableResult public func read() -> String? {
      while true {
        if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
          let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
          pending.removeSubrange(..<end.upperBound)
          note(head)
          return head
        }
        guard let bytes = receive() else { return nil }
        pending += bytes
      }
    }

    /// As many bytes, or what came before the client went.
    public func readBody(_ count: Int) -> [UInt8] {
      while pending.count < count, let bytes = receive() { pending += bytes }
      let body = Array(pending.prefix(count))
      pending.removeFirst(body.count)
      return body
    }

    private func receive() -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// False when the client has gone.
    @discardableResult public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult public func write(_ bytes: [UInt8]) -> Bool { Loopback.send(bytes, to: descriptor) }

    public func answer(_ text: String) {
      read()
      write(text)
    }

    /// Says no more, until the client has gone.
    public func fallSilent() {
      while receive() != nil {}
    }

    /// Passes everything on to this port and back, until both sides have ended.
    public func relay(to port: Int) {
      guard let target = try? Loopback.connect(port) else { return }
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [self] in
        let back = Conversation(descriptor: target, number: number) { _ in }
        while let bytes = back.receive(), write(bytes) {}
        shutdown(descriptor, Int32(SHUT_RDWR))
        isOver.signal()
      }
      let forth = Conversation(descriptor: target, number: number) { _ in }
      forth.write(pending)
      while let bytes = receive(), forth.write(bytes) {}
      shutdown(target, Int32(SHUT_RDWR))
      isOver.wait()
      _ = Foundation.close(target)
    }

    public func close() {
      // The client may still be sending: let it, so that closing does not reset what it has yet to read.
      shutdown(descriptor, Int32(SHUT_WR))
      fallSilent()
      _ = Foundation.close(descriptor)
    }
  }
}
