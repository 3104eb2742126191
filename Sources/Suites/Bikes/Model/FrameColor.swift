import System

struct FrameColor: Hashable, Sendable {
  /// Upper case, without `#`.
  let hex: String

  /// Parses `00C8E6`, `#00c8e6`, or a name of the palette in any case. `grey` is gray.
  init?(_ text: String) {
    // Folding a text of any length could take long.
    let folded = text.utf8.count > 7 ? "" : text.lowercased()
    let name = folded == "grey" ? "gray" : folded
    if let named = FrameColor.palette.first(where: { $0.name == name }) {
      hex = named.hex
      return
    }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6, digits.utf8.allSatisfy({ $0.hexDigitValue != nil }) else { return nil }
    hex = digits.uppercased()
  }

  static let expected =
    "a color: \(palette.map(\.name).joined(separator: ", ")), or six hexadecimal digits like 00C8E6"

  /// The colors of the original server and common frame colors.
  static let palette: [(name: String, hex: String)] = [
    ("cyan", "00C8E6"), ("green", "76CD68"), ("yellow", "EAB151"), ("red", "D8433A"), ("blue", "2F5FD0"),
    ("orange", "F07F2E"), ("pink", "EC7FB0"), ("white", "F4F4F4"), ("gray", "8C8C8C"), ("black", "1C1C1C"),
  ]

  var name: String { FrameColor.palette.first { $0.hex == hex }?.name ?? hex }

  var channels: (red: UInt8, green: UInt8, blue: UInt8) {
    let digits = hex.utf8.compactMap(\.hexDigitValue)
    return (digits[0] << 4 | digits[1], digits[2] << 4 | digits[3], digits[4] << 4 | digits[5])
  }
}

extension Bike {
  /// All texts that conditions accept for the color: as sent, the digits with and without `#`, and the name.
  var colorNames: [String] {
    guard let color = frameColor else { return [self.color] }
    return [self.color, color.hex, "#\(color.hex)", color.name] + (color.name == "gray" ? ["grey"] : [])
  }
}
