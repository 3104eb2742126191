import Foundation

/// Listening sockets for the services of tests.
public enum Loopback {
  /// A socket that listens on a free port of 127.0.0.1.
  public static func listen() throws -> (descriptor: Int32, port: Int) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let descriptor = try listen(AF_INET, &address)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { throw error }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A socket that listens at this path.
  public static func listen(at path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return try listen(AF_UNIX, &address)
  }

  /// A port of 127.0.0.1 where nobody listens.
  public static func freePort() throws -> Int {
    let (descriptor, port) = try listen()
    close(descriptor)
    return port
  }

  /// A connection to a port of 127.0.0.1.
  public static func connect(_ port: Int) throws -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      defer { close(descriptor) }
      throw error
    }
    return descriptor
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

  private static func listen<Address>(_ domain: Int32, _ address: inout Address) throws -> Int32 {
    let descriptor = socket(domain, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
    guard isBound, Foundation.listen(descriptor, 64) == 0 else { throw error }
    return descriptor
  }

  private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
