/// A stream socket that never blocks: a call that would wait throws `wouldBlock`, and `wait` is where waiting is done.
/// A plain value: whoever opens it closes it.
public struct Socket: Hashable, Sendable {
  public let descriptor: FileDescriptor

  /// Takes over a descriptor that is a non-blocking stream socket already (what `accept` gave).
  public init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  /// A new socket of the family, closed on exec.
  public init(_ family: SocketAddress.Family) throws(SystemError) {
    descriptor = FileDescriptor(rawValue: try call { Platform.socket(family.domain) })
    do throws(SystemError) {
      try Platform.prepare(descriptor.rawValue)
      // Requests are small and written whole: Nagle's waiting for more would only delay them.
      if family != .unix { try set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Starts to connect. True when that is done at once; else `wait(for: .writing)`, then ask `connectionError`.
  public func connect(to address: SocketAddress) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try call { unsafe address.withKernelName { unsafe Platform.connect(descriptor.rawValue, $0, $1) } }
      return true
    } catch SystemError(EINPROGRESS) {
      return false
    }
  }

  /// Why connecting failed, once it is over.
  public var connectionError: SystemError? {
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else {
      return SystemError(errno)
    }
    return number == 0 ? nil : SystemError(number)
  }

  public enum Readiness: Sendable { case reading, writing }

  /// Waits until there is something to read (or the end), or room to write; false when `timeout` came first.
  public func wait(for readiness: Readiness, atMost timeout: Duration, time: any TimeKeeper)
    throws(SystemError) -> Bool
  {
    let end = time.uptime() + timeout
    while true {
      if Interruption.pending != nil { throw .interrupted }
      let left = end - time.uptime()
      // In slices of a second: a signal that arrives between the check and the call is seen soon all the same.
      let milliseconds = max(.zero, min(left, .seconds(1))) / .milliseconds(1)
      var entry = pollfd()
      entry.fd = descriptor.rawValue
      entry.events = Int16(readiness == .reading ? POLLIN : POLLOUT)
      if try call({ unsafe poll(&entry, 1, Int32(milliseconds.rounded(.up))) }) > 0 { return true }
      if left <= .zero { return false }
    }
  }

  /// Sends what the socket takes now, and says how much that was.
  public func send(_ bytes: RawSpan) throws(SystemError) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
      try call { unsafe Platform.send(descriptor.rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  /// Reads what is there, at most `buffer`'s size. 0 means the end.
  public func receive(into buffer: inout MutableRawSpan) throws(SystemError) -> Int {
    try descriptor.read(into: &buffer)
  }

  /// The address of this end: what port 0 became.
  public func localAddress() throws(SystemError) -> SocketAddress? {
    try unsafe SocketAddress.filled { unsafe getsockname(descriptor.rawValue, $0, $1) }.address
  }

  public func close() {
    descriptor.close()
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
  public static var connectionReset: SystemError { SystemError(ECONNRESET) }
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

extension Platform {
  static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// A closed peer is an error of the call, never a signal, whatever the process does with SIGPIPE.
  static func send(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #elseif canImport(Musl)
      unsafe Musl.send(descriptor, bytes, count, MSG_NOSIGNAL)
    #else
      unsafe Darwin.send(descriptor, bytes, count, 0)
    #endif
  }

  static func socket(_ domain: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(domain, stream | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    #elseif canImport(Musl)
      Musl.socket(domain, stream | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
    #else
      Darwin.socket(domain, stream, 0)
    #endif
  }

  /// Closed on exec, not blocking, no SIGPIPE: where `socket` itself and `send` cannot say so.
  static func prepare(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
      var on: Int32 = 1
      try call { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      try call { fcntl(descriptor, F_SETFL, O_NONBLOCK) }
      try call {
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
      }
    #endif
  }

  static func connect(_ descriptor: Int32, _ name: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.connect(descriptor, name, length)
    #elseif canImport(Musl)
      unsafe Musl.connect(descriptor, name, length)
    #else
      unsafe Darwin.connect(descriptor, name, length)
    #endif
  }
}
