import System

/// Number of colors of a terminal. hw uses 24-bit colors, which are replaced by the nearest available ones.
public enum ColorDepth: Equatable, Sendable {
  /// The 256 colors of xterm, which every terminal in use has: a cube of six shades each way, and a ramp of grays.
  case palette
  case direct

  public init(_ environment: Environment) {
    let term = environment["TERM"] ?? ""
    self =
      switch environment["COLORTERM"] {
      case "truecolor", "24bit": .direct
      default: term.hasSuffix("-direct") ? .direct : .palette
      }
  }

  /// Replaces the 24-bit colors in the parameters of an SGR sequence by those of the palette.
  static func inPalette(_ parameters: some Sequence<UInt8>) -> String {
    var adapted: [String] = []
    var rest = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    while let parameter = rest.popFirst() {
      let channels = rest.dropFirst().prefix(3).compactMap { UInt8($0) }
      if parameter == "38" || parameter == "48", rest.first == "2", channels.count == 3 {
        adapted.append("\(parameter);5;\(ColorDepth.nearestInPalette(channels.map { Int($0) }))")
        rest = rest.dropFirst(4)
      } else {
        adapted.append(parameter)
      }
    }
    return adapted.joined(separator: ";")
  }

  /// Index of the color in the cube or the ramp of grays that is nearest to red, green and blue.
  static func nearestInPalette(_ channels: [Int]) -> Int {
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
}

/// Whether output is colored: the choice of `--color` or, without it, of the environment.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// `NO_COLOR` and `TERM=dumb` disable color, `CLICOLOR_FORCE` enables it, otherwise only a terminal has color.
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
