import CLibraries

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
        // Before `bind`, so that others can never connect. The `chmod` after it restores what the umask removes.
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
