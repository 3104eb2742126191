extension JSON {
  /// Exact number: an integer, the double with these digits, or the digits themselves.
  public enum Number: Equatable, Sendable {
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case digits(String)

    init(_ text: UnsafeBufferPointer<UInt8>, isInteger: Bool) {
      let digits = unsafe String(decoding: text, as: UTF8.self)
      // Integers have no -0.
      if isInteger && digits != "-0" {
        if let value = Int64(digits) {
          self = .int64(value)
          return
        }
        if let value = UInt64(digits) {
          self = .uint64(value)
          return
        }
      }
      let value = unsafe Decimal.double(text)
      if unsafe value.isFinite && Decimal(text) == Decimal(Array(value.description.utf8)) {
        self = .double(value)
      } else {
        self = .digits(digits)
      }
    }

    /// Parses a JSON number; nil for any other text.
    public init?(_ text: String) {
      guard let value = try? JSON.parse(Array(text.utf8)), value.kind == .number,
        let number = try? value.number
      else { return nil }
      self = number
    }
  }
}

/// Decimal number: significant digits, without zeros at either end, times a power of ten.
struct Decimal: Equatable {
  var isNegative = false
  var digits: [UInt8] = []
  /// Limited to a billion either way; beyond that, numbers are equal.
  var exponent = 0

  init(_ text: some Collection<UInt8>) {
    var beforePoint = true
    var isExponent = false
    var written = 0
    var isNegativeExponent = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"):
        if isExponent { isNegativeExponent = true } else { isNegative = true }
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): beforePoint = false
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      default:
        if isExponent {
          written = min(written * 10 + Int(byte - 0x30), 1_000_000_000)
        } else {
          if !beforePoint { exponent -= 1 }
          if !digits.isEmpty || byte != 0x30 { digits.append(byte - 0x30) }
        }
      }
    }
    exponent += isNegativeExponent ? -written : written
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  var int: Int? {
    guard exponent >= 0 else { return nil }
    var value = 0
    for place in 0..<(digits.count + exponent) {
      let digit = place < digits.count ? Int(digits[place]) : 0
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// Parses a usual integer: at most 18 characters, digits and an optional sign.
  static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count <= 18 else { return nil }
    var value = 0
    var isNegative = false
    for offset in text.indices {
      let byte = unsafe text[offset]
      let digit = Int(byte) - 0x30
      if (0...9).contains(digit) {
        value = value &* 10 &+ digit
      } else if byte == UInt8(ascii: "-") {
        isNegative = true
      } else {
        return nil
      }
    }
    return isNegative ? -value : value
  }

  /// Nearest double; infinite if there is none.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    unsafe Double(String(decoding: text, as: UTF8.self)) ?? .infinity
  }
}

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
