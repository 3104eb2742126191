/// Style of a text on a terminal: the parameters of one SGR sequence.
public struct Style: Equatable, Sendable {
  public let parameters: String

  public init(_ parameters: String) { self.parameters = parameters }

  public static let plain = Style("")
  public static let bold = Style("1")
  public static let dim = Style("2")
  public static let underlined = Style("4")
  public static let reversed = Style("7")
  public static let red = Style("31")
  public static let green = Style("32")
  public static let yellow = Style("33")

  public static func color(red: UInt8, green: UInt8, blue: UInt8) -> Style {
    Style("38;2;\(red);\(green);\(blue)")
  }

  public static func background(red: UInt8, green: UInt8, blue: UInt8) -> Style {
    Style("48;2;\(red);\(green);\(blue)")
  }

  /// Color that is visible on every terminal: as a background, with text in black or white. One of the two has a
  /// contrast of 4.5:1 with the color, so the text or the color stands out on any background.
  public static func filled(red: UInt8, green: UInt8, blue: UInt8) -> Style {
    // Relative luminance of WCAG 2, with the square in place of its power of 2.4.
    let parts = [(red, 0.2126), (green, 0.7152), (blue, 0.0722)]
    let luminance = parts.reduce(0.0) { $0 + $1.1 * Double($1.0) * Double($1.0) / 65_025 }
    let shade: UInt8 = luminance > 0.18 ? 0 : 255
    return .background(red: red, green: green, blue: blue) + .color(red: shade, green: shade, blue: shade)
  }

  public func applied(to text: String) -> String { "\u{1B}[\(parameters)m\(text)\u{1B}[0m" }

  public static func + (a: Style, b: Style) -> Style {
    if a == .plain { return b }
    if b == .plain { return a }
    return Style("\(a.parameters);\(b.parameters)")
  }

  /// Style without colors: bold, underlined and reversed remain.
  public var withoutColor: Style {
    var kept: [Substring] = []
    var rest = parameters.split(separator: ";")[...]
    while let parameter = rest.popFirst() {
      switch Int(parameter) {
      case .some(38), .some(48): rest = rest.dropFirst(rest.first == "2" ? 4 : 2)
      case .some(30...49), .some(90...107): break
      default: kept.append(parameter)
      }
    }
    return Style(kept.joined(separator: ";"))
  }
}
