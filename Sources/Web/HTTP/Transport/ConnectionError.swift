import System

/// The errors of a connection between hw and a host, the same for all transports.
enum ConnectionError: Error, Equatable {
  case unknownHost
  case refused
  case connectTimedOut(Duration)
  /// The text is the system's or the library's.
  case notConnected(String)
  case untrusted(String)
  /// The TLS handshake failed. The text is the library's.
  case handshakeFailed(String)
  /// The peer responded to the TLS handshake with something other than TLS.
  case notTLS
  case proxyFailed(String)
  case timedOut(Duration)
  /// The connection ended before the first byte of a response.
  case closed
  case cutShort(status: Int?)
  case tooLarge(limit: Int)
  case malformed(String)
  case interrupted
}

extension ConnectionError {
  /// An interruption stays one; any other error of the system becomes `other`.
  init(_ error: SystemError, else other: ConnectionError) {
    self = error == .interrupted ? .interrupted : other
  }

  init(_ error: MessageError, status: Int?) {
    self =
      switch error {
      case .malformed(let reason): .malformed(reason)
      case .tooLarge(let limit): .tooLarge(limit: limit)
      case .cutShort: .cutShort(status: status)
      }
  }

  /// The failure, marked as retryable only if the request may be sent again: a POST whose response was lost may have
  /// been executed.
  ///
  /// A response that is cut short is a failure of the connection, since it may be complete the next time. One that is
  /// too large or not HTTP is invalid data.
  func failure(of request: Request) -> Failure {
    var failure = description(for: request)
    if let subkind { failure = failure.of(subkind) }
    failure.outcomeUnknown = mayHaveArrived && !request.method.isSafe
    return failure
  }

  /// Whether the service may have received the request.
  private var mayHaveArrived: Bool {
    switch self {
    case .timedOut, .closed, .cutShort, .tooLarge, .malformed, .interrupted: true
    case .unknownHost, .refused, .connectTimedOut, .notConnected, .untrusted, .handshakeFailed, .notTLS,
      .proxyFailed:
      false
    }
  }

  private var subkind: ConnectionSubkind? {
    switch self {
    case .unknownHost: .dns
    case .refused: .refused
    case .connectTimedOut, .timedOut: .timeout
    case .notConnected: .unreachable
    case .untrusted, .handshakeFailed, .notTLS: .tls
    case .proxyFailed: .proxy
    case .closed, .cutShort: .truncated
    case .tooLarge, .malformed, .interrupted: nil
    }
  }

  private func description(for request: Request) -> Failure {
    let url = request.url
    let peer = url.scheme == .unix ? "unix:\(url.socket)" : url.peer
    let again = request.isRetryable
    let check = again ? nil : "it may have been done all the same: look before you repeat it"
    return switch self {
    case .unknownHost:
      Failure(
        .connection, "cannot resolve '\(url.host)'",
        hint: "check the spelling of the address; offline, use --demo")
    case .refused:
      Failure(
        .connection, "'\(peer)' refused the connection",
        hint: url.isLoopback
          ? "start the service, or use --demo, which needs none" : "check the address, or try later",
        retryable: true)
    case .connectTimedOut(let limit):
      Failure(
        .connection, "no connection to '\(peer)' within \(limit.inSeconds)",
        hint: "check the address and the network", retryable: true)
    case .notConnected(let reason):
      Failure(
        .connection, "cannot connect to '\(peer)': \(reason)", hint: "check the address and the network",
        retryable: true)
    case .untrusted(let reason):
      Failure(
        .connection, "'\(peer)' is not to be trusted: \(reason)",
        hint: "if its certificate comes from an authority of your own, name that in SSL_CERT_FILE")
    case .handshakeFailed(let reason):
      Failure(
        .connection, "the TLS handshake with '\(peer)' failed: \(reason)",
        hint: "check that the server at this address uses TLS")
    case .notTLS:
      Failure(
        .connection, "'\(peer)' does not use TLS",
        hint: "is it an http address? write 'http://\(url.authority)'")
    case .proxyFailed(let reason):
      Failure(
        .connection, "the proxy for '\(peer)' fails: \(reason)",
        hint: "check http_proxy, HTTPS_PROXY and ALL_PROXY, or name the host in NO_PROXY")
    case .timedOut(let limit):
      Failure(
        .connection, "no response from '\(peer)' within \(limit.inSeconds)",
        hint: check ?? "allow more with --timeout, or try later", retryable: again)
    case .closed:
      Failure(
        .connection, "'\(peer)' closed the connection without a response", hint: check ?? "try later",
        retryable: again)
    case .cutShort(let status):
      Failure(
        .connection, "the response of '\(peer)'\(status.map { ", a \($0)," } ?? "") was cut short",
        hint: check ?? "try later", retryable: again)
    case .tooLarge(let limit):
      Failure(
        .invalidData, "the response of '\(peer)' is larger than \(limit.inBytes)",
        hint: "ask for less, or check that the address is that of the service")
    case .malformed(let reason):
      Failure(
        .invalidData, "the response of '\(peer)' \(reason)",
        hint: "check that the address is that of the service")
    case .interrupted:
      Interruption.failure
    }
  }
}

extension URL {
  /// Host and port, the port always included.
  var peer: String { "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)" }
}

extension Int {
  /// `64 MiB`, `16 KiB`, `20 bytes`.
  fileprivate var inBytes: String {
    switch self {
    case (1 << 20)... where self % (1 << 20) == 0: "\(self >> 20) MiB"
    case (1 << 10)... where self % (1 << 10) == 0: "\(self >> 10) KiB"
    default: "\(self) bytes"
    }
  }
}
