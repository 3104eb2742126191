import System

/// How many colors a terminal can show. hw paints in 24 bits; where a terminal has fewer, what goes to it is put into
/// the nearest it has.
public enum ColorDepth: Equatable, Sendable {
  /// The sixteen that every terminal with color has, in whatever shades its owner likes.
  case basic
  /// The 256 of xterm: a cube of six shades each way, and a ramp of grays.
  case palette
  /// Any red, green and blue.
  case direct

  /// Reads the color depth from TERM and COLORTERM.
  public init(_ environment: Environment) {
    let term = environment["TERM"] ?? ""
    self =
      switch environment["COLORTERM"] {
      case "truecolor", "24bit": .direct
      default: term.hasSuffix("-direct") ? .direct : term.hasSuffix("256color") ? .palette : .basic
      }
  }

  /// The parameters of an SGR sequence, with colors that there are.
  func adapted(_ parameters: some Sequence<UInt8>) -> String {
    var adapted: [String] = []
    var rest = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    while let parameter = rest.popFirst() {
      let channels = rest.dropFirst().prefix(3).compactMap { UInt8($0) }
      if parameter == "38" || parameter == "48", rest.first == "2", channels.count == 3 {
        let color = (red: channels[0], green: channels[1], blue: channels[2])
        adapted.append(sequence(of: color, isBackground: parameter == "48"))
        rest = rest.dropFirst(4)
      } else {
        adapted.append(parameter)
      }
    }
    return adapted.joined(separator: ";")
  }

  private func sequence(of color: RGB, isBackground: Bool) -> String {
    switch self {
    case .direct: "\(isBackground ? 48 : 38);2;\(color.red);\(color.green);\(color.blue)"
    case .palette: "\(isBackground ? 48 : 38);5;\(ColorDepth.nearestInPalette(color))"
    case .basic:
      {
        let number = ColorDepth.nearestBasic(color)
        return String((number < 8 ? 30 + number : 82 + number) + (isBackground ? 10 : 0))
      }()
    }
  }

  typealias RGB = (red: UInt8, green: UInt8, blue: UInt8)

  /// By the distance in the cube, or on the ramp of grays where that is nearer.
  static func nearestInPalette(_ color: RGB) -> Int {
    let channels = [color.red, color.green, color.blue].map { Int($0) }
    let levels = [0, 95, 135, 175, 215, 255]
    let steps = channels.map { channel in
      levels.indices.reduce(0) { abs(levels[$1] - channel) < abs(levels[$0] - channel) ? $1 : $0 }
    }
    func distance(_ other: [Int]) -> Int {
      zip(channels, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let gray = min(23, (channels.reduce(0, +) / 3 - 3) / 10)
    let shade = 8 + 10 * gray
    return distance([shade, shade, shade]) < distance(steps.map { levels[$0] })
      ? 232 + gray : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  /// By the hue: the shades of the sixteen differ between terminals, and the hue carries the meaning of a color. A pale green
  /// is nearer to gray than to green when distances are measured.
  static func nearestBasic(_ color: RGB) -> Int {
    let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    guard most >= 48 else { return 0 }
    let span = most - least
    // A quarter of the brightness, or it is a gray.
    guard span * 4 >= most else { return most < 160 ? 8 : most < 230 ? 7 : 15 }
    // In sixths of the circle, from red by way of green to blue.
    let sixth: Double =
      if most == red {
        Double(green - blue) / Double(span)
      } else if most == green {
        2 + Double(blue - red) / Double(span)
      } else {
        4 + Double(red - green) / Double(span)
      }
    let hue = (Int(sixth.rounded()) + 6) % 6
    // Red, yellow, green, cyan, blue, magenta, as terminals number them.
    return [1, 3, 2, 6, 4, 5][hue] + (most >= 230 ? 8 : 0)
  }
}
