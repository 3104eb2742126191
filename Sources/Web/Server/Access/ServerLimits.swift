import System

/// The limits of one client. Nil is no limit.
public struct ServerLimits: Sendable {
  /// Requests per second from one address.
  public var requestsPerAddress: Int?
  /// Requests per second with one token.
  public var requestsPerUser: Int?
  /// Requests per minute from one address with an unknown token.
  public var wrongTokens: Int?
  public var connectionsPerAddress: Int?

  public init() {}
}

/// Counts the use of a server. Clients are distinguished by their networks (`ClientNetwork`).
struct UsageCounts {
  private var addresses: RateLimiter<ClientNetwork>?
  private var tokens: RateLimiter<Int>?
  private var wrongTokens: RateLimiter<ClientNetwork>?

  init(_ limits: ServerLimits) {
    addresses = limits.requestsPerAddress.map { RateLimiter($0, per: .seconds(1)) }
    tokens = limits.requestsPerUser.map { RateLimiter($0, per: .seconds(1)) }
    wrongTokens = limits.wrongTokens.map { RateLimiter($0, per: .seconds(60)) }
  }

  struct Excess: Equatable {
    let limit: Limit
    let wait: Duration

    enum Limit: String, CaseIterable {
      case address
      case user
      case wrongTokens = "wrong_tokens"
      case connections
    }

    var failure: Failure {
      switch limit {
      case .address: Failure(.rateLimited, "too many requests from this address")
      case .user: Failure(.rateLimited, "too many requests with this token")
      case .wrongTokens: Failure(.rateLimited, "too many requests with unknown tokens from this address")
      case .connections: Failure(.rateLimited, "too many connections from this address")
      }
    }

    var retryAfter: String { "\(Int((wait / .seconds(1)).rounded(.up)))" }
  }

  var hasLimits: Bool { addresses != nil || tokens != nil || wrongTokens != nil }
  var needsAddress: Bool { addresses != nil || wrongTokens != nil }

  /// Counts a request before anything is done for it. The token identifies its user: a user has one, and only the store
  /// has the name. After too many unknown tokens no further token of that address is looked up, so that guessing is no
  /// faster than the limit.
  mutating func use(_ client: ClientNetwork?, _ request: ReceivedRequest, at now: Duration) -> Excess? {
    if let client, let wait = addresses?.use(client, at: now) { return Excess(limit: .address, wait: wait) }
    let token = Access.token(request)
    if token != nil, let client, let wait = wrongTokens?.wait(client, at: now) {
      return Excess(limit: .wrongTokens, wait: wait)
    }
    if let token, let wait = tokens?.use(token.hashValue, at: now) { return Excess(limit: .user, wait: wait) }
    return nil
  }

  /// Counts an expensive request as several: one client with a limit can use a quarter of the loop.
  mutating func use(
    _ client: ClientNetwork?, _ request: ReceivedRequest, for length: Duration, at now: Duration
  ) {
    if let token = Access.token(request), tokens != nil {
      tokens?.extend(token.hashValue, to: length * 4, at: now)
    } else if let client {
      addresses?.extend(client, to: length * 4, at: now)
    }
  }

  mutating func useWrongToken(_ client: ClientNetwork?, at now: Duration) -> Excess? {
    guard let client, let wait = wrongTokens?.use(client, at: now) else { return nil }
    return Excess(limit: .wrongTokens, wait: wait)
  }
}

/// Limits the uses of each key: `count` times within a period, all at once or spread over it.
///
/// A key has one time, at which its use is forgotten completely (the generic cell rate algorithm). Two tables bound the
/// memory: when the newer one is full, it replaces the older one, whose keys are forgotten unless they were used again.
/// A client with many keys therefore displaces only keys that are not in use.
struct RateLimiter<Key: Hashable> {
  private let interval: Duration
  private let period: Duration
  private let capacity: Int
  private var newer: [Key: Duration] = [:]
  private var older: [Key: Duration] = [:]

  init(_ count: Int, per period: Duration, capacity: Int = 16_384) {
    interval = period / max(1, count)
    self.period = period
    self.capacity = capacity
  }

  var keyCount: Int { newer.count + older.count }

  /// Counts one use. Returns the time to wait instead if the limit is exceeded.
  mutating func use(_ key: Key, at now: Duration) -> Duration? {
    let end = end(of: key, at: now)
    let wait = wait(until: end, at: now)
    // A refused key is in use too.
    remember(key, wait == nil ? end + interval : end)
    return wait
  }

  /// Extends a counted use from one interval to `length`, if that is longer.
  mutating func extend(_ key: Key, to length: Duration, at now: Duration) {
    remember(key, end(of: key, at: now) + max(.zero, length - interval))
  }

  /// Returns the time to wait for the next use, if any. Counts nothing.
  func wait(_ key: Key, at now: Duration) -> Duration? { wait(until: end(of: key, at: now), at: now) }

  /// The instant at which the uses of a key are forgotten.
  private func end(of key: Key, at now: Duration) -> Duration { max(newer[key] ?? older[key] ?? now, now) }

  private func wait(until end: Duration, at now: Duration) -> Duration? {
    let excess = end + interval - now - period
    return excess > .zero ? excess : nil
  }

  private mutating func remember(_ key: Key, _ end: Duration) {
    if newer.count >= capacity, newer[key] == nil {
      older = newer
      newer = [:]
    }
    newer[key] = end
  }
}
