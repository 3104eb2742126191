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

  var areUsed: Bool { addresses != nil || tokens != nil || wrongTokens != nil }
  var needsAddress: Bool { addresses != nil || wrongTokens != nil }

  /// Counts a request before anything is done for it. A user has one token, so the token represents the user, whom only
  /// the store knows. After too many unknown tokens no further token of that address is looked up, so that guessing is
  /// no faster than the limit.
  mutating func use(_ client: ClientNetwork?, _ request: ReceivedRequest, at now: Duration) -> Excess? {
    if let client, let wait = addresses?.use(client, at: now) { return Excess(limit: .address, wait: wait) }
    let token = Access.token(request)
    if token != nil, let client, let wait = wrongTokens?.wait(client, at: now) {
      return Excess(limit: .wrongTokens, wait: wait)
    }
    if let token, let wait = tokens?.use(token.hashValue, at: now) {
      return Excess(limit: .user, wait: wait)
    }
    return nil
  }

  /// Counts an expensive read as several requests. One client with a limit can use a quarter of the loop, which serves
  /// nobody else during a read.
  mutating func use(
    _ client: ClientNetwork?, _ request: ReceivedRequest, for length: Duration, at now: Duration
  ) {
    if let token = Access.token(request), tokens != nil {
      tokens?.extend(token.hashValue, by: length * 4, at: now)
    } else if let client {
      addresses?.extend(client, by: length * 4, at: now)
    }
  }

  mutating func useWrongToken(_ client: ClientNetwork?, at now: Duration) -> Excess? {
    guard let client, let wait = wrongTokens?.use(client, at: now) else { return nil }
    return Excess(limit: .wrongTokens, wait: wait)
  }
}
