/// Number of columns of a text on a terminal, by grapheme clusters.
public enum DisplayWidth {
  public static func of(_ text: String) -> Int {
    var width = 0
    for byte in text.utf8 {
      guard (0x20...0x7E).contains(byte) else { return text.reduce(0) { $0 + of($1) } }
      width += 1
    }
    return width
  }

  public static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if (0x20...0x7E).contains(first.value) && scalars.count == 1 { return 1 }
    // A variation selector makes a symbol an emoji.
    if scalars.contains(where: { $0.value == 0xFE0F }) && first.properties.isEmoji { return 2 }
    // Two regional indicators are a flag.
    if (0x1F1E6...0x1F1FF).contains(first.value) { return scalars.count > 1 ? 2 : 1 }
    guard let base = scalars.first(where: { !takesNoRoom($0) }) else { return 0 }
    return base.properties.isEmojiPresentation || WideScalars.contains(base.value) ? 2 : 1
  }

  private static func takesNoRoom(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator:
      // The soft hyphen is the one format character that terminals draw.
      scalar.value != 0xAD
    default:
      // Hangul vowels and finals join the syllable of the initial.
      (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
    }
  }
}

extension String {
  /// Text in at most `width` columns, with `…` in place of a cut end.
  public func truncated(to width: Int) -> String {
    guard DisplayWidth.of(self) > width else { return self }
    guard width > 0 else { return "" }
    var kept = ""
    var room = width - 1
    for character in self {
      room -= DisplayWidth.of(character)
      guard room >= 0 else { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

/// Scalars that Unicode calls wide or full-width (`East_Asian_Width` W and F), except emoji: two columns each. The
/// standard library lacks the property. Sorted; gaps of unassigned code points are closed.
enum WideScalars {
  static func contains(_ value: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD,
    0x30000...0x3FFFD,
  ]
}
