#if os(Linux)
  import CLibraries
#endif

/// A socket that others connect to. A plain value: whoever opens it closes it.
public struct Listener: Sendable {
  public let descriptor: FileDescriptor
  /// Where it really listens: port 0 has become a number.
  public let address: SocketAddress
  /// The socket file that was made, by which `close` knows it again.
  private let file: FileIdentity?

  /// Starts to listen. A socket file that a dead server left behind is replaced; one that somebody listens on, and
  /// a file of another kind, are not. A socket file is for its owner alone (0600).
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
      try call { unsafe address.withKernelName { unsafe Platform.bind(socket.descriptor.rawValue, $0, $1) } }
      if address.family == .unix { try call { unsafe chmod(address.path, 0o600) } }
      try call { Platform.listen(socket.descriptor.rawValue, backlog) }
      self.address = address.family == .unix ? address : try socket.localAddress() ?? address
      file = address.family == .unix ? FileIdentity(address.path) : nil
      descriptor = socket.descriptor
    } catch {
      socket.close()
      throw error
    }
  }

  /// The next connection, not blocking and closed on exec; `wouldBlock` when nobody waits.
  public func accept() throws(SystemError) -> Socket {
    let socket = Socket(FileDescriptor(rawValue: try call { Platform.accept(descriptor.rawValue) }))
    do throws(SystemError) {
      try Platform.prepare(socket.descriptor.rawValue)
      // Answers are sent whole; Nagle's waiting for more would only delay them.
      if address.family != .unix { try socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
    } catch {
      socket.close()
      throw error
    }
    return socket
  }

  /// Stops listening, and removes the socket file where it is still the one that was made.
  public func close() {
    if let file, FileIdentity(address.path) == file { unsafe _ = unlink(address.path) }
    descriptor.close()
  }

  /// Removes the socket file of a server that is gone.
  private static func clearStaleFile(_ address: SocketAddress) throws(SystemError) {
    guard let found = FileIdentity(address.path) else { return }
    guard found.isSocket else { throw .fileExists }
    let probe = try Socket(.unix)
    defer { probe.close() }
    do throws(SystemError) {
      _ = try probe.connect(to: address)
    } catch .connectionRefused {
      try call { unsafe unlink(address.path) }
      return
    }
    throw .addressInUse
  }
}

/// Which file a path names: two equal ones are the same file.
private struct FileIdentity: Equatable, Sendable {
  let device: dev_t
  let number: ino_t
  let isSocket: Bool

  init?(_ path: String) {
    var facts = stat()
    guard unsafe lstat(path, &facts) == 0 else { return nil }
    device = facts.st_dev
    number = facts.st_ino
    isSocket = facts.st_mode & S_IFMT == S_IFSOCK
  }
}

extension SystemError {
  public static var addressInUse: SystemError { SystemError(EADDRINUSE) }

  /// The process or the machine has no descriptor or memory left for another connection, for now.
  public var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}

extension Platform {
  static func accept(_ descriptor: Int32) -> Int32 {
    #if os(Linux)
      hw_accept(descriptor)
    #elseif canImport(Musl)
      unsafe accept4(descriptor, nil, nil, SOCK_CLOEXEC | SOCK_NONBLOCK)
    #else
      unsafe Darwin.accept(descriptor, nil, nil)
    #endif
  }

  static func bind(_ descriptor: Int32, _ name: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.bind(descriptor, name, length)
    #elseif canImport(Musl)
      unsafe Musl.bind(descriptor, name, length)
    #else
      unsafe Darwin.bind(descriptor, name, length)
    #endif
  }

  static func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(descriptor, backlog)
    #elseif canImport(Musl)
      Musl.listen(descriptor, backlog)
    #else
      Darwin.listen(descriptor, backlog)
    #endif
  }
}
