extension Double {
  /// Shortest decimal text that reads back as this number, without exponent or `.0`.
  public var plain: String {
    let text = description
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(text[text.index(after: mark)...])
    else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
    let sign = self.sign == .minus ? "-" : ""
    let digits = String(decoding: text[..<mark].utf8.filter(\.isASCIIDigit), as: UTF8.self)
    func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    guard exponent >= 0 else { return "\(sign)0.\(zeros(-exponent - 1))\(digits)" }
    return "\(sign)\(digits)\(zeros(exponent + 1 - digits.utf8.count))"
  }

  /// Text with the given number of decimals: `8.64002` for five of them, `3.00` for two.
  public func fixed(_ places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    guard magnitude * scale < 1e15 else { return plain }
    let number = Int((magnitude * scale).rounded())
    let padded = String(number).zeroPadded(to: places + 1)
    return "\(self < 0 && number > 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}

extension String {
  public func zeroPadded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - utf8.count)) + self
  }
}
