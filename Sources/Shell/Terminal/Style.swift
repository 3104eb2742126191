/// How a piece of text looks on a terminal: the parameters of one SGR sequence.
public struct Style: Equatable, Sendable {
  public let parameters: String

  public init(_ parameters: String) {
    self.parameters = parameters
  }

  public static let bold = Style("1")
  public static let dim = Style("2")
  public static let underlined = Style("4")
  public static let red = Style("31")
  public static let green = Style("32")
  public static let yellow = Style("33")

  /// A true-color foreground.
  public static func color(red: UInt8, green: UInt8, blue: UInt8) -> Style {
    Style("38;2;\(red);\(green);\(blue)")
  }

  public func applied(to text: String) -> String {
    "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

/// Whether output is colored: the choice of `--color` or, without it, of the environment.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// `NO_COLOR` and `TERM=dumb` say no, `CLICOLOR_FORCE` says yes, otherwise a terminal has color and a pipe has none.
  public func isOn(terminal: Bool, noColor: String?, force: String?, term: String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      if noColor != nil {
        false
      } else if let force, force != "0" {
        true
      } else {
        terminal && term != nil && term != "dumb"
      }
    }
  }
}

extension Style {
  public static let plain = Style("")
  public static let reversed = Style("7")

  /// A true-color background.
  public static func background(red: UInt8, green: UInt8, blue: UInt8) -> Style {
    Style("48;2;\(red);\(green);\(blue)")
  }

  /// Both at once: `.bold + .red`.
  public static func + (a: Style, b: Style) -> Style {
    if a == .plain { return b }
    if b == .plain { return a }
    return Style("\(a.parameters);\(b.parameters)")
  }

  /// Style without colors, for a screen that has none: bold, underlined and reversed remain.
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
