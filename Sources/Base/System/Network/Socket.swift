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

extension Socket {
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
}

/// Listening socket. A plain value: the code that opens it closes it.
public struct Listener: Sendable {
  public let descriptor: FileDescriptor
  /// Address with the number that replaced port 0.
  public let address: SocketAddress
  /// The process was started with the socket, so other processes have it too.
  public let isInherited: Bool
  /// Identity of the created socket file, so that `close` removes no other.
  private let file: File.Identity?

  /// Listens on the address. Replaces the socket file of a dead server, but no other file.
  public init(_ address: SocketAddress, backlog: Int32 = 1024) throws(Failure) {
    do throws(SystemError) {
      try self.init(opening: address, backlog)
    } catch .addressInUse {
      throw Failure(
        .connection, "cannot listen on '\(address)': it is in use",
        hint: "stop the other server, or choose another address; port 0 picks a free one")
    } catch {
      throw Failure(.connection, "cannot listen on '\(address)': \(error.text)")
    }
  }

  private init(opening address: SocketAddress, _ backlog: Int32) throws(SystemError) {
    if address.family == .unix { try Listener.clearStaleFile(address) }
    let socket = try Socket(address.family)
    do throws(SystemError) {
      if address.family == .unix {
        // Before `bind`, so that there is no instant at which others could connect.
        try call { fchmod(socket.descriptor.rawValue, 0o600) }
      } else {
        try socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
      }
      if address.family == .v6 { try socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
      try call { unsafe address.withSockaddr { unsafe Glibc.bind(socket.descriptor.rawValue, $0, $1) } }
      if address.family == .unix { try call { unsafe chmod(address.path, 0o600) } }
      try call { Glibc.listen(socket.descriptor.rawValue, backlog) }
      self.address = address.family == .unix ? address : try socket.localAddress() ?? address
      file = address.family == .unix ? File.Identity(address.path) : nil
      isInherited = false
      descriptor = socket.descriptor
    } catch {
      socket.close()
      throw error
    }
  }

  /// Takes over a listening stream socket that the process was started with.
  public init(inherited number: Int32) throws(Failure) {
    let socket = Socket(FileDescriptor(rawValue: number))
    do throws(SystemError) {
      guard try socket.option(SO_TYPE) == Socket.stream, try socket.option(SO_ACCEPTCONN) == 1,
        let address = try socket.localAddress()
      else { throw SystemError(ENOTSOCK) }
      try call { hw_adopt(number) }
      if address.family != .unix { try socket.disableNagle() }
      self.address = address
    } catch {
      throw Failure(
        .connection, "descriptor \(number) of the service manager is not a listening stream socket",
        hint: "check the unit's ListenStream= and Accept=no")
    }
    descriptor = socket.descriptor
    isInherited = true
    // A socket file belongs to the process that made it.
    file = nil
  }

  /// Accepts a connection, non-blocking and closed on exec; throws `wouldBlock` if there is none.
  public func accept() throws(SystemError) -> (socket: Socket, client: SocketAddress?) {
    let (number, client) = try unsafe SocketAddress.filled {
      unsafe hw_accept(descriptor.rawValue, $0, $1)
    }
    return (Socket(FileDescriptor(rawValue: number)), client)
  }

  public func close() {
    if let file, File.Identity(address.path) == file { unsafe _ = unlink(address.path) }
    descriptor.close()
  }

  private static func clearStaleFile(_ address: SocketAddress) throws(SystemError) {
    guard let found = File.Identity(address.path) else { return }
    guard found.isSocket else { throw .fileExists }
    let probe = try Socket(.unix)
    defer { probe.close() }
    do throws(SystemError) {
      _ = try probe.connect(to: address)
    } catch .connectionRefused {
      try call { unsafe unlink(address.path) }
      return
    } catch .wouldBlock {
      // A server listens, but its queue of new connections is full.
    }
    throw .addressInUse
  }
}
