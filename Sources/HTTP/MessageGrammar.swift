/// What is wrong with the bytes of an HTTP message, whichever side reads it.
public enum MessageError: Error, Equatable, Sendable {
  /// Against the grammar of RFC 9112; says what, as the end of the sentence "the message …".
  case malformed(String)
  /// Longer than the reader takes.
  case tooLarge(limit: Int)
  /// The connection ended before the message did.
  case cutShort
}

extension [UInt8] {
  mutating func append(_ bytes: Span<UInt8>) {
    // An array takes only sequences, and a span is none; the pointer does not leave the closure.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
