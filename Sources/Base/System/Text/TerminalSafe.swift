extension String {
  /// Text with `�` in place of control, bidirectional and zero-width characters, so that a name from a service cannot
  /// move the cursor, reverse a line or look like another name. Joiners inside an emoji stay.
  public var terminalSafe: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    // Characters cost much more than scalars, and most text is harmless in any language.
    if !unicodeScalars.contains(where: { UnsafeScalars.moves($0) || UnsafeScalars.hides($0) }) { return self }
    var kept = ""
    for character in self {
      let scalars = character.unicodeScalars
      // Digits, '#' and '*' begin keycaps, and have no joiners.
      let isEmoji = scalars.first.map { !$0.isASCII && $0.properties.isEmoji } ?? false
      for scalar in scalars {
        let isHarmless = !UnsafeScalars.moves(scalar) && (isEmoji || !UnsafeScalars.hides(scalar))
        kept.unicodeScalars.append(isHarmless ? scalar : "\u{FFFD}")
      }
    }
    return kept
  }
}

enum UnsafeScalars {
  /// Whether the scalar begins an escape sequence, or changes line or direction.
  static func moves(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
    // The bidirectional embeddings, overrides, isolates and marks.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether the scalar is invisible, so that two names could look the same.
  static func hides(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200B...0x200D, 0x2060...0x2064, 0xFEFF, 0x180E, 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0: true
    case 0x206A...0x206F, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}
