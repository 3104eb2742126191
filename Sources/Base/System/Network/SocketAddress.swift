/// Address of a socket: IPv4, IPv6 or a socket file, in the form the kernel takes.
public struct SocketAddress: Hashable, Sendable {
  public enum Family: Sendable { case v4, v6, unix }

  public let family: Family
  let bytes: [UInt8]

  /// Resolves `host` (a name, or an address without brackets) to addresses in their order of preference.
  public static func resolve(_ host: String, port: UInt16) throws(Failure) -> [SocketAddress] {
    // Not every resolver has an address for a name below localhost.
    let fixed = isLocalhost(host) ? ["::1", "127.0.0.1"] : [host]
    let known = fixed.compactMap { SocketAddress(numeric: $0, port: port) }
    if !known.isEmpty { return known }
    var wanted = unsafe addrinfo()
    unsafe wanted.ai_socktype = Socket.stream
    var first: UnsafeMutablePointer<addrinfo>? = nil
    let status = unsafe getaddrinfo(host, String(port), &wanted, &first)
    defer { if let first = unsafe first { unsafe freeaddrinfo(first) } }
    try Interruption.check()
    guard status == 0 else {
      throw Failure(.connection, "cannot resolve '\(host)'", hint: "check the spelling of the address")
    }
    var found: [SocketAddress] = []
    var next = unsafe first
    while let entry = unsafe next {
      if let name = unsafe entry.pointee.ai_addr,
        let address = unsafe SocketAddress(name, length: entry.pointee.ai_addrlen)
      {
        found.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }

  /// Returns nil if the path is empty, holds a zero byte, or is too long (over 107 bytes on Linux).
  public init?(unixPath path: String) {
    var name = sockaddr_un()
    let room = MemoryLayout.size(ofValue: name.sun_path)
    let text = Array(path.utf8)
    guard !text.isEmpty, text.count < room, !text.contains(0) else { return nil }
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: text) }
    family = .unix
    bytes = unsafe withUnsafeBytes(of: &name) { unsafe Array($0) }
  }

  /// A name in the abstract namespace of Linux, which has no file. Nil if it is empty or too long.
  init?(abstractName name: String) {
    let text = Array(name.utf8)
    guard !text.isEmpty, text.count < MemoryLayout<sockaddr_un>.size - 2 else { return nil }
    var family = sa_family_t(AF_UNIX)
    self.family = .unix
    // The length of the name is that of the address: zero bytes after it would belong to the name.
    bytes = unsafe withUnsafeBytes(of: &family) { unsafe Array($0) } + [0] + text
  }

  /// Parses an IPv4 address, or IPv6 without brackets; nil for anything else. Resolves nothing.
  public init?(numeric host: String, port: UInt16) {
    guard !host.utf8.contains(0) else { return nil }
    var name = sockaddr_in()
    var nameV6 = sockaddr_in6()
    if unsafe inet_pton(AF_INET, host, &name.sin_addr) == 1 {
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      self.init(family: .v4, bytes: unsafe withUnsafeBytes(of: &name) { unsafe Array($0) })
    } else if unsafe inet_pton(AF_INET6, host, &nameV6.sin6_addr) == 1 {
      nameV6.sin6_family = sa_family_t(AF_INET6)
      nameV6.sin6_port = port.bigEndian
      self.init(family: .v6, bytes: unsafe withUnsafeBytes(of: &nameV6) { unsafe Array($0) })
    } else {
      return nil
    }
  }

  private init(family: Family, bytes: [UInt8]) {
    self.family = family
    self.bytes = bytes
  }

  /// Copies an address that the kernel filled in; nil for other families.
  init?(_ name: UnsafePointer<sockaddr>, length: socklen_t) {
    let length = Int(length)
    let isComplete: Bool
    switch unsafe Int32(name.pointee.sa_family) {
    case AF_INET: (family, isComplete) = (.v4, length >= MemoryLayout<sockaddr_in>.size)
    case AF_INET6: (family, isComplete) = (.v6, length >= MemoryLayout<sockaddr_in6>.size)
    case AF_UNIX: (family, isComplete) = (.unix, length <= MemoryLayout<sockaddr_un>.size)
    default: return nil
    }
    guard isComplete else { return nil }
    bytes = unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
  }

  public var port: UInt16? {
    switch family {
    // The port is at the same offset in both.
    case .v4, .v6: UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    case .unix: nil
    }
  }

  /// Whether only this machine can reach the address: 127.0.0.0/8 (also as ::ffff:127.0.0.1), ::1, or a socket file.
  public var isLoopback: Bool {
    switch family {
    case .v4: bytes[4] == 127
    case .v6: isMappedV4 ? bytes[20] == 127 : bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
    case .unix: true
    }
  }

  /// Whether a connection to `host` stays on this machine: the name localhost, a loopback address, or the unspecified
  /// address, which the kernel connects to loopback. Resolves nothing.
  public static func isOnThisMachine(_ host: String) -> Bool {
    if isLocalhost(host) { return true }
    guard let address = SocketAddress(numeric: host, port: 0) else { return false }
    return address.isLoopback || ["0.0.0.0", "::"].contains(address.host)
  }

  /// RFC 6761, 6.3: localhost and every name below it.
  public static func isLocalhost(_ host: String) -> Bool {
    let name = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    return (name.last == "" ? name.dropLast() : name[...]).last == "localhost"
  }

  /// The path of a socket file; empty for the other families, and for a socket without a name.
  public var path: String {
    guard family == .unix else { return "" }
    return String(decoding: bytes.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Passes the address in the form that `bind` and `connect` take.
  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    // The bytes of an array need not be aligned; a sockaddr_storage is, and has room for any family.
    var storage = sockaddr_storage()
    unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe body(name, socklen_t(bytes.count))
      }
    }
  }

  /// Runs a call that fills in an address (`accept`, `getsockname`); nil for other families.
  static func filled(
    by body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(SystemError) -> (result: Int32, address: SocketAddress?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return try unsafe withUnsafeMutablePointer(to: &storage) { pointer throws(SystemError) in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name throws(SystemError) in
        let result = try call { unsafe body(name, &length) }
        length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
        return (result, unsafe SocketAddress(name, length: length))
      }
    }
  }
}

/// Part of an address that identifies a client: an IPv4 address, or the first 64 bits of an IPv6 address.
public struct ClientNetwork: Hashable, Sendable {
  private let bits: UInt64
  private let isV4: Bool

  fileprivate init(_ bytes: ArraySlice<UInt8>, isV4: Bool) {
    bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    self.isV4 = isV4
  }
}

extension SocketAddress {
  public var network: ClientNetwork? {
    switch family {
    case .v4: ClientNetwork(bytes[4..<8], isV4: true)
    case .v6: ClientNetwork(isMappedV4 ? bytes[20..<24] : bytes[8..<16], isV4: isMappedV4)
    case .unix: nil
    }
  }

  /// Whether this IPv6 address is ::ffff:192.0.2.1, which is how a socket for both families shows 192.0.2.1.
  private var isMappedV4: Bool {
    bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18...19].allSatisfy { $0 == 0xFF }
  }
}

extension SocketAddress: CustomStringConvertible {
  public var description: String {
    guard let port else { return "unix:\(path)" }
    return family == .v4 ? "\(host):\(port)" : "[\(host)]:\(port)"
  }

  /// Numeric host in canonical form; empty for a socket file.
  public var host: String {
    guard family != .unix else { return "" }
    if family == .v4 { return bytes[4..<8].map { String($0) }.joined(separator: ".") }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let written = unsafe bytes[8..<24].withUnsafeBytes { address in
      unsafe text.withUnsafeMutableBufferPointer { text in
        unsafe inet_ntop(AF_INET6, address.baseAddress, text.baseAddress, socklen_t(text.count)) != nil
      }
    }
    guard written else { return "::" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
