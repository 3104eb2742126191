/// The header field `Idempotency-Key`: a server that supports it performs a request once, however often it is repeated
/// with the same key.
enum IdempotencyKey {
  /// The field of every response of such a server: how many seconds it keeps a key.
  static let lifetimeHeader = "Idempotency-Key-Kept"
}
