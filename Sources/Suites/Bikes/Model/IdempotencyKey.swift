/// The header field `Idempotency-Key`: a server that supports it performs a request once, however often it is repeated
/// with the same key.
enum IdempotencyKey {
  /// The field of every response of such a server: how many seconds it keeps a key.
  static let lifetimeHeader = "Idempotency-Key-Kept"
  /// A request with this field is not performed: the response is that of the request that was performed with the key.
  /// If there was none, it is 412, and a request with the key that arrives late is refused.
  static let cancelHeader: StaticString = "Idempotency-Cancel"
  /// How long a key is kept, in seconds.
  static let lifetime = 86_400
}
