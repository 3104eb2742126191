/// The header field `Idempotency-Key`: a server that supports it applies requests with equal keys once.
enum IdempotencyKey {
  /// Sent with every response of such a server: the seconds for which it keeps keys.
  static let lifetimeHeader = "Idempotency-Key-Kept"
  /// Requests the response stored for a key. If there is none, the status is 412, and the server refuses later requests
  /// with the key.
  static let cancelHeader: StaticString = "Idempotency-Cancel"
  /// Lifetime of a key in seconds.
  static let lifetime = 86_400
  static let lifetimeText = String(lifetime)

  /// A key that was stored before this time has expired.
  static func oldest(at now: Int) -> Int { now - lifetime }
}
