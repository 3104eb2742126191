import Foundation
import System

/// Sockets that wait, for the services and clients of tests.
public enum Loopback {
  /// A socket that listens on a free port of 127.0.0.1.
  public static func listen() throws -> (descriptor: Int32, port: Int) {
    let listener = try Listener(address(0), backlog: 64)
    return (waiting(listener.descriptor), Int(listener.address.port ?? 0))
  }

  /// A socket that listens at this path.
  public static func listen(at path: String) throws -> Int32 {
    guard let address = SocketAddress(unixPath: path) else { throw POSIXError(.ENAMETOOLONG) }
    return waiting(try Listener(address, backlog: 64).descriptor)
  }

  /// A port of 127.0.0.1 where nobody listens.
  public static func freePort() throws -> Int {
    let (descriptor, port) = try listen()
    close(descriptor)
    return port
  }

  /// A connection to a port of 127.0.0.1.
  public static func connect(_ port: Int) throws -> Int32 {
    let socket = try Socket(.v4)
    do {
      if try !socket.connect(to: address(port)) {
        _ = try socket.wait(for: .writing, atMost: .seconds(60), time: SystemTime())
      }
      if let error = socket.connectionError { throw error }
    } catch {
      socket.close()
      throw error
    }
    return waiting(socket.descriptor)
  }

  /// Sends all bytes; false when the other side has gone.
  @discardableResult public static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private static func address(_ port: Int) throws -> SocketAddress {
    guard let address = SocketAddress(numeric: "127.0.0.1", port: UInt16(port)) else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return address
  }

  private static func waiting(_ descriptor: FileDescriptor) -> Int32 {
    _ = fcntl(descriptor.rawValue, F_SETFL, 0)
    return descriptor.rawValue
  }
}
