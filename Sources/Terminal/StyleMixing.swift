extension Style {
  public static let plain = Style("")
  public static let reversed = Style("7")

  /// A true-colour background.
  public static func background(red: UInt8, green: UInt8, blue: UInt8) -> Style {
    Style("48;2;\(red);\(green);\(blue)")
  }

  /// Both at once: `.bold + .red`.
  public static func + (a: Style, b: Style) -> Style {
    if a == .plain { return b }
    if b == .plain { return a }
    return Style("\(a.parameters);\(b.parameters)")
  }

  /// The same without its colours, for a screen that is to have none: bold, underlined and reversed remain.
  public var withoutColor: Style {
    var kept: [Substring] = []
    var rest = parameters.split(separator: ";")[...]
    while let parameter = rest.popFirst() {
      switch Int(parameter) ?? 0 {
      case 38, 48: rest = rest.dropFirst(rest.first == "2" ? 4 : 2)
      case 30...49, 90...107: break
      default: kept.append(parameter)
      }
    }
    return Style(kept.joined(separator: ";"))
  }
}
