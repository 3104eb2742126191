import Foundation
import Synchronization
import TestSupport

/// A network between a client and a database: what TCP makes of lost packets. Half of what is sent arrives late, and now
/// and then a connection ends. It is a Unix socket in a directory of its own.
final class UnreliableNetwork: Sendable {
  private struct State {
    var isUnreliable = false
    var delays = 0
    var random = SeededGenerator(seed: 1)
  }

  private enum Fate {
    case passes, isLate(useconds_t), ends
  }

  private let directory: ScratchDirectory
  private let target: String
  private let address: String
  private let state = Mutex(State())

  init(to server: PostgreSQLServer) throws {
    directory = try ScratchDirectory()
    target = "unix:\(server.directory.path)/.s.PGSQL.\(server.port)"
    address = server.directory.path.replacing("/", with: "%2F")
    let listener = try Loopback.listen(at: directory.file(".s.PGSQL.\(server.port)"))
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.connect(client)
      }
    }
  }

  /// The address of a store of the server, through this network.
  func route(_ store: String) -> String {
    store.replacing(address, with: directory.path.replacing("/", with: "%2F"))
  }

  var isUnreliable: Bool {
    get { state.withLock { $0.isUnreliable } }
    set { state.withLock { $0.isUnreliable = newValue } }
  }

  /// How often something was late.
  var delays: Int { state.withLock { $0.delays } }

  private func connect(_ client: Int32) {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: target.utf8.dropFirst(5)) }
    let status = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      close(client)
      close(server)
      return
    }
    for (source, target) in [(client, server), (server, client)] {
      Thread.detachNewThread { [self] in pass(from: source, to: target) }
    }
  }

  private var fate: Fate {
    state.withLock { state in
      guard state.isUnreliable, Bool.random(using: &state.random) else { return .passes }
      state.delays += 1
      if Int.random(in: 0..<100, using: &state.random) == 0 { return .ends }
      return .isLate(useconds_t.random(in: 1000...20_000, using: &state.random))
    }
  }

  private func pass(from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      switch fate {
      case .passes: break
      // No event: the delay is the fault.
      case .isLate(let time): usleep(time)
      case .ends:
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
        return
      }
      guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    // The descriptors stay open: their numbers must not become those of another connection meanwhile.
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }
}
