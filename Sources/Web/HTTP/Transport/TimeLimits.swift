import System

public struct TimeLimits: Sendable {
  public var connect: Duration
  /// A single attempt, from the resolution of the host to the last byte of the response (`--timeout`).
  public var attempt: Duration
  /// Everything together, including waits and retries (`--deadline`).
  public var deadline: Deadline?

  public init(connect: Duration = .seconds(5), attempt: Duration = .seconds(30), deadline: Deadline? = nil) {
    self.connect = connect
    self.attempt = attempt
    self.deadline = deadline
  }

  func attempt(_ time: any TimeKeeper) throws(Failure) -> Duration {
    try deadline?.bound(attempt, time) ?? attempt
  }

  /// Returns the failure of an attempt, or that of the deadline if it shortened the attempt. Compares the limits and
  /// reads no clock: an attempt of libcurl can end slightly before the deadline.
  func failure(_ error: ConnectionError, of request: Request) -> Failure {
    let wasShortened =
      switch error {
      case .timedOut(let limit): limit < attempt
      case .connectTimedOut(let limit): limit < min(connect, attempt)
      default: false
      }
    let failure = error.failure(of: request)
    guard wasShortened, var reached = deadline?.failure else { return failure }
    reached.outcomeUnknown = failure.outcomeUnknown
    return reached
  }
}

public struct Deadline: Sendable {
  private let length: Duration
  public let end: Duration

  public init(in length: Duration, _ time: any TimeKeeper) {
    self.length = length
    end = time.uptime() + length
  }

  public func left(_ time: any TimeKeeper) -> Duration { max(.zero, end - time.uptime()) }

  /// Shortens `wait` to the time left; throws if none is left.
  public func bound(_ wait: Duration, _ time: any TimeKeeper) throws(Failure) -> Duration {
    let left = left(time)
    guard left > .zero else { throw failure }
    return min(wait, left)
  }

  public var failure: Failure {
    Failure(.connection, "deadline of \(length.inSeconds) reached", hint: "allow more with --deadline")
      .with(.timeout)
  }
}

extension Duration {
  /// For messages: `30 s`, `1.5 s`.
  public var inSeconds: String {
    if self > .zero, self < .milliseconds(50) {
      return "\(max(1, Int((self / .milliseconds(1)).rounded()))) ms"
    }
    let tenths = (self / .milliseconds(100)).rounded()
    let whole = Int(tenths)
    return whole % 10 == 0 ? "\(whole / 10) s" : "\(whole / 10).\(abs(whole % 10)) s"
  }

  /// Rounded up, so that a wait of that length is long enough.
  var wholeSeconds: Int {
    let (seconds, rest) = components
    return Int(seconds) + (rest > 0 ? 1 : 0)
  }

  /// Rounded up.
  var wholeMilliseconds: Int64 {
    let (seconds, rest) = components
    return seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
