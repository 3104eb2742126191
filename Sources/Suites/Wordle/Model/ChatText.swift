import System

enum ChatText {
  static func isBlank(_ character: Character) -> Bool {
    character.isWhitespace || character.unicodeScalars.allSatisfy(isInvisible)
  }

  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isVariationSelector
    }
  }

  /// Trims blank characters. Compares bytes where possible, because comparing characters is slow.
  static func trimmed(_ text: Substring) -> Substring {
    var text = Substring(text.utf8.drop { $0 <= 0x20 })
    if text.utf8.first.map({ $0 > 0x7E }) ?? false { text = text.drop(while: isBlank) }
    while let byte = text.utf8.last {
      if byte <= 0x20 {
        text = Substring(text.utf8.dropLast())
      } else if byte > 0x7E, let last = text.last, isBlank(last) {
        text.removeLast()
      } else {
        break
      }
    }
    return text
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isAlphabetic }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(UInt8(ascii: scalar) | 0x20)
  }

  static func digit(_ scalar: Unicode.Scalar) -> Int? {
    if scalar.isASCII { return UInt8(ascii: scalar).isASCIIDigit ? Int(scalar.value & 0x0F) : nil }
    return scalar.properties.numericType == .decimal ? scalar.properties.numericValue.map { Int($0) } : nil
  }

  /// The end of the name of an emoji behind its first colon: `tada:`.
  static func endOfEmoji<Scalars: Collection<Unicode.Scalar>>(_ scalars: Scalars) -> Scalars.Index? {
    guard let end = scalars.prefix(40).firstIndex(of: ":"), end > scalars.startIndex,
      scalars[..<end].allSatisfy({ isWord($0) || "_+-".unicodeScalars.contains($0) })
    else { return nil }
    return scalars.index(after: end)
  }

  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? UInt8(ascii: scalar).isASCIIAlphanumeric
      : scalar.properties.isAlphabetic || digit(scalar) != nil
  }
}
