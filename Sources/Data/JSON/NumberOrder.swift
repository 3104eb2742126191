extension JSON.Number: Comparable {
  /// Compares by exact value, without rounding.
  public static func < (a: JSON.Number, b: JSON.Number) -> Bool {
    switch (a, b) {
    case (.int64(let a), .int64(let b)): a < b
    case (.double(let a), .double(let b)) where a.isFinite && b.isFinite: a < b
    default: a.decimal.isLess(than: b.decimal)
    }
  }

  /// Equal for two notations of one number: `1` and `1.0`.
  public static func == (a: JSON.Number, b: JSON.Number) -> Bool {
    switch (a, b) {
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    default: a.decimal == b.decimal
    }
  }

  private var decimal: Decimal {
    let text =
      switch self {
      case .int64(let value): value.description
      case .uint64(let value): value.description
      case .double(let value): value.description
      case .digits(let text): text
      }
    return Decimal(Array(text.utf8))
  }
}

extension Decimal {
  fileprivate func isLess(than other: Decimal) -> Bool {
    let (mine, others) = (sign, other.sign)
    guard mine == others else { return mine < others }
    return mine < 0 ? other.hasLessMagnitude(than: self) : hasLessMagnitude(than: other)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func hasLessMagnitude(than other: Decimal) -> Bool {
    let (place, otherPlace) = (exponent + digits.count, other.exponent + other.digits.count)
    // Digits have no zeros at either end, so the longer of two with a common prefix is the larger.
    return place == otherPlace ? digits.lexicographicallyPrecedes(other.digits) : place < otherPlace
  }
}
