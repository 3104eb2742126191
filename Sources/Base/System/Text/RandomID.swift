public enum RandomID {
  /// Returns 128 random bits as 32 hexadecimal digits.
  public static func make() -> String {
    (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16).zeroPadded(to: 16) }.joined()
  }
}
