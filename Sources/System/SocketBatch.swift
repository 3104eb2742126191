extension Socket {
  /// Sends the two one after the other in one call, as far as the socket takes them now, and says how much that was:
  /// a head and a body go out together without being copied together.
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
          return try call { unsafe sendmsg(descriptor.rawValue, &message, Platform.noSignal) }
        }
      }
    }
  }

  /// Says that nothing more will be sent; what the other side still sends can be read.
  public func finishSending() {
    #if canImport(Glibc)
      _ = shutdown(descriptor.rawValue, Int32(SHUT_WR))
    #else
      _ = shutdown(descriptor.rawValue, SHUT_WR)
    #endif
  }
}

extension Platform {
  static var noSignal: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }
}
