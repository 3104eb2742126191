extension Double {
  /// The fewest decimal digits that read back as this number: no exponent, and no `.0` behind an integral one. So a
  /// person writes a number, and so an address and a command line take one.
  public var plain: String {
    let text = description
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(text[text.index(after: mark)...])
    else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
    let sign = self.sign == .minus ? "-" : ""
    let digits = String(decoding: text[..<mark].utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
    func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
    // An exponent is written where the point would stand outside of the digits.
    guard exponent >= 0 else { return "\(sign)0.\(zeros(-exponent - 1))\(digits)" }
    return "\(sign)\(digits)\(zeros(exponent + 1 - digits.utf8.count))"
  }
}
