import CLibraries

/// Non-blocking stream socket: a call that would wait throws `wouldBlock`; only `wait` waits. Its opener closes it.
public struct Socket: Hashable, Sendable {
  public let descriptor: FileDescriptor

  static let stream = Int32(SOCK_STREAM.rawValue)
  /// A closed peer is an error of the call instead of SIGPIPE.
  private static let noSignal = Int32(MSG_NOSIGNAL)

  /// Takes over a non-blocking stream socket, such as an accepted one.
  public init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  public init(_ family: SocketAddress.Family) throws(SystemError) {
    let kind = Socket.stream | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = FileDescriptor(rawValue: try call { socket(family.domain, kind, 0) })
    do throws(SystemError) {
      if family != .unix { try disableNagle() }
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Starts to connect; returns whether that is done. Otherwise wait for `.writing`, then read `connectionError`.
  public func connect(to address: SocketAddress) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try call { unsafe address.withSockaddr { unsafe Glibc.connect(descriptor.rawValue, $0, $1) } }
      return true
    } catch SystemError(EINPROGRESS) {
      return false
    }
  }

  /// Error of the last attempt to connect; nil if it succeeded.
  public var connectionError: SystemError? {
    do throws(SystemError) {
      let number = try option(SO_ERROR)
      return number == 0 ? nil : SystemError(number)
    } catch {
      return error
    }
  }

  public enum Readiness: Sendable { case reading, writing }

  /// Waits until the socket can be read (or has ended) or written; false after `timeout`.
  public func wait(
    for readiness: Readiness, atMost timeout: Duration, time: any TimeKeeper
  ) throws(SystemError) -> Bool {
    let end = time.uptime() + timeout
    while true {
      if Interruption.pending != nil { throw .interrupted }
      let left = end - time.uptime()
      // At most a second per call, in case a signal arrives between the check and the call.
      let milliseconds = min(left, .seconds(1)).pollMilliseconds
      let events = Int16(readiness == .reading ? POLLIN : POLLOUT)
      var entry = pollfd(fd: descriptor.rawValue, events: events, revents: 0)
      if try call({ unsafe poll(&entry, 1, milliseconds) }) > 0 { return true }
      if left <= .zero { return false }
    }
  }

  /// Sends as many bytes as the socket takes now, and returns their number.
  public func send(_ bytes: RawSpan) throws(SystemError) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
      try call { unsafe Glibc.send(descriptor.rawValue, bytes.baseAddress, bytes.count, Socket.noSignal) }
    }
  }

  /// Sends as much of both as the socket takes now, without copying them together; returns the number of bytes.
  public func send(_ first: RawSpan, then second: RawSpan) throws(SystemError) -> Int {
    if second.isEmpty { return try send(first) }
    return try unsafe first.withUnsafeBytes { first throws(SystemError) in
      try unsafe second.withUnsafeBytes { second throws(SystemError) in
        // The kernel only reads; `iovec` is shared with calls that write.
        let parts = unsafe [
          iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
          iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count),
        ]
        return try unsafe parts.withUnsafeBufferPointer { parts throws(SystemError) in
          var message = unsafe msghdr()
          unsafe message.msg_iov = UnsafeMutablePointer(mutating: parts.baseAddress)
          unsafe message.msg_iovlen = .init(parts.count)
          return try call { unsafe sendmsg(descriptor.rawValue, &message, Socket.noSignal) }
        }
      }
    }
  }

  /// Sent bytes that the peer has not accepted.
  public var bufferedCount: Int { Int(hw_unsent(descriptor.rawValue)) }

  public var unreadCount: Int { Int(hw_unread(descriptor.rawValue)) }

  /// Closes the sending direction; data of the peer can still be read.
  public func finishSending() { _ = shutdown(descriptor.rawValue, Int32(SHUT_WR)) }

  /// Local address, with the number that replaced port 0.
  func localAddress() throws(SystemError) -> SocketAddress? {
    try unsafe SocketAddress.filled { unsafe getsockname(descriptor.rawValue, $0, $1) }.address
  }

  public func close() { descriptor.close() }

  /// Disables Nagle's algorithm, which only delays requests and responses that are written whole. The sockets that a
  /// listening one accepts inherit the option.
  func disableNagle() throws(SystemError) { try set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

  func option(_ name: Int32) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    try call { unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, name, &value, &length) }
    return value
  }

  func set(_ level: Int32, _ option: Int32, _ value: Int32) throws(SystemError) {
    var value = value
    try call {
      unsafe setsockopt(descriptor.rawValue, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}

extension SystemError {
  public static var connectionRefused: SystemError { SystemError(ECONNREFUSED) }
  public static var timedOut: SystemError { SystemError(ETIMEDOUT) }
  static var addressInUse: SystemError { SystemError(EADDRINUSE) }

  /// The process or the machine lacks descriptors or memory for another connection.
  public var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}

extension SocketAddress.Family {
  var domain: Int32 {
    switch self {
    case .v4: AF_INET
    case .v6: AF_INET6
    case .unix: AF_UNIX
    }
  }
}
