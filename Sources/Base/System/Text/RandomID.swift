public enum RandomID {
  /// Returns 128 random bits as 32 hexadecimal digits.
  public static func make() -> String {
    let halves = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }
    return halves.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
  }
}
