import System

/// What was asked of a transfer that failed, for the failure to tell.
struct Attempt {
  let limit: Duration
  let connect: Duration
  let sizeLimit: Int
  let usesProxy: Bool
}

extension ConnectionFault {
  /// What the end of a transfer means; nil when it ended well. The numbers are libcurl's `CURLcode`.
  init?(_ outcome: CurlHandle.Outcome, _ attempt: Attempt) {
    if outcome.code == 0 { return nil }
    switch outcome.stop {
    case .interrupted:
      self = .interrupted
      return
    case .bodyTooLarge:
      self = .tooLarge(limit: attempt.sizeLimit)
      return
    case .headTooLarge:
      self = .malformed("has a head longer than 64 KiB")
      return
    case nil: break
    }
    if outcome.proxyStatus >= 300 {
      self = .noProxy("it answers \(outcome.proxyStatus)")
      return
    }
    // A sentence begins in lower case here; a name such as OpenSSL stays as it is.
    let isSentence = outcome.text.dropFirst().prefix(while: \.isLetter).allSatisfy(\.isLowercase)
    let text = isSentence ? outcome.text.prefix(1).lowercased() + outcome.text.dropFirst() : outcome.text
    let begun = outcome.status > 0 ? outcome.status : nil
    let lost = begun == nil ? ConnectionFault.closed : .cutShort(status: begun)
    self =
      switch outcome.code {
      case 1, 8: .malformed("is not HTTP")
      case 5: .noProxy("its host is unknown")
      case 6: .unknownHost
      case 7 where attempt.usesProxy: .noProxy("no connection to it")
      case 7 where outcome.systemError == .connectionRefused: .refused
      case 7: .notConnected(outcome.systemError?.text ?? text)
      case 28 where outcome.wasConnected: .timedOut(attempt.limit)
      case 28: .notConnectedInTime(attempt.connect)
      case 35: .notConnected("TLS: \(text)")
      case 51, 60, 83, 90, 91, 58, 59, 77, 82: .untrusted(text)
      case 18: .cutShort(status: begun)
      case 16, 52, 55, 56, 92, 95: lost
      case 42: .interrupted
      case 61: .malformed("is compressed in a way that cannot be read")
      case 63: .tooLarge(limit: attempt.sizeLimit)
      case 97: .noProxy(text)
      default: outcome.wasConnected ? lost : .notConnected(text)
      }
  }
}
