/// The check of `Authorization: Bearer TOKEN`.
enum BearerToken {
  /// Whether `value` of `bytes` carries `token`. How long it takes tells nothing about how much of the token is right.
  static func matches(_ bytes: Span<UInt8>, _ value: Range<Int>, _ token: [UInt8]) -> Bool {
    let scheme = min(value.lowerBound + 7, value.upperBound)
    guard bytes.matches("bearer ", value.lowerBound..<scheme) else { return false }
    let given = bytes.trimmed(scheme..<value.upperBound)
    guard given.count == token.count else { return false }
    var difference: UInt8 = 0
    for offset in 0..<token.count { difference |= bytes[given.lowerBound + offset] ^ token[offset] }
    return difference == 0
  }
}
