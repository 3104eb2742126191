import System

enum ConnectionError: Error, Equatable {
  case unknownHost
  case refused
  case connectTimedOut(Duration)
  case notConnected(String)
  case untrusted(String)
  case handshakeFailed(String)
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
  /// Keeps an interruption; any other error of the system becomes `other`.
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

  /// Returns the failure, marked as retryable only if the request may be sent again: a POST whose response was lost may
  /// have been executed.
  ///
  /// A response that is cut short is a failure of the connection, since it may be complete the next time. One that is
  /// too large or not HTTP is invalid data.
  func failure(of request: Request) -> Failure {
    var failure = failureWithoutSubkind(of: request)
    if let subkind { failure = failure.with(subkind) }
    failure.outcomeUnknown = mayHaveArrived && !request.method.isSafe
    return failure
  }

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

  private func failureWithoutSubkind(of request: Request) -> Failure {
    let url = request.url
    let peer = url.scheme == .unix ? "unix:\(url.socket)" : "\(url.bracketedHost):\(url.port)"
    let isRetryable = request.isRetryable
    func hint(_ retry: String) -> String {
      isRetryable ? retry : "it may have been done all the same: look before you repeat it"
    }
    func failure(_ message: String, _ hint: String, retryable: Bool = false) -> Failure {
      Failure(.connection, message, hint: hint, retryable: retryable)
    }
    return switch self {
    case .unknownHost:
      failure("cannot resolve '\(url.host)'", "check the spelling of the address; offline, use --demo")
    case .refused:
      failure(
        "'\(peer)' refused the connection",
        url.isLoopback
          ? "start the service, or use --demo, which needs none" : "check the address, or try later",
        retryable: true)
    case .connectTimedOut(let limit):
      failure(
        "no connection to '\(peer)' within \(limit.inSeconds)", "check the address and the network",
        retryable: true)
    case .notConnected(let reason):
      failure("cannot connect to '\(peer)': \(reason)", "check the address and the network", retryable: true)
    case .untrusted(let reason):
      failure(
        "'\(peer)' is not to be trusted: \(reason)",
        "if its certificate comes from an authority of your own, name that in SSL_CERT_FILE")
    case .handshakeFailed(let reason):
      failure(
        "the TLS handshake with '\(peer)' failed: \(reason)",
        "check that the server at this address uses TLS")
    case .notTLS:
      failure("'\(peer)' does not use TLS", "is it an http address? write 'http://\(url.authority)'")
    case .proxyFailed(let reason):
      failure(
        "the proxy for '\(peer)' fails: \(reason)",
        "check http_proxy, HTTPS_PROXY and ALL_PROXY, or name the host in NO_PROXY")
    case .timedOut(let limit):
      failure(
        "no response from '\(peer)' within \(limit.inSeconds)",
        hint("allow more with --timeout, or try later"), retryable: isRetryable)
    case .closed:
      failure(
        "'\(peer)' closed the connection without a response", hint("try later"), retryable: isRetryable)
    case .cutShort(let status):
      failure(
        "the response of '\(peer)'\(status.map { ", a \($0)," } ?? "") was cut short",
        hint("try later"), retryable: isRetryable)
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

/// The member `subkind` of an error with status 5 in JSON.
public enum ConnectionSubkind: String, CaseIterable, Sendable {
  case dns
  case refused
  /// No route to the host, or another error of the system.
  case unreachable
  /// No encrypted connection, or a certificate that is not trusted.
  case tls
  case proxy
  case timeout
  case truncated
  case serverError
  /// The recording of `--replay` lacks the request.
  case notRecorded
}

extension Failure {
  public var subkind: ConnectionSubkind? {
    guard case .text(let name) = detail("subkind") else { return nil }
    return ConnectionSubkind(rawValue: name)
  }

  public func detail(_ name: String) -> Detail.Value? { details.first { $0.name == name }?.value }

  /// Adds the subkind, unless the failure has one.
  public func with(_ subkind: ConnectionSubkind) -> Failure {
    guard detail("subkind") == nil else { return self }
    var failure = self
    failure.details.append(.init("subkind", .text(subkind.rawValue)))
    return failure
  }
}
