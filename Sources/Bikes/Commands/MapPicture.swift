import System

/// The map as SVG, to be looked at in a browser or printed.
enum MapPicture {
  private static let width = 800.0
  private static let height = 600.0

  /// As the help of the command describes the map: bikes are dots, rented ones rings, and the cross is the user's place.
  static func svg(of bikes: [FoundBike], you: Place?, view: Circle) -> String {
    // A circle without a size is drawn on a map of one metre.
    let radius = max(1, min(Sphere.half, view.metres))
    let scale = 2 * radius / (height - 80)
    func point(_ place: Place) -> (x: String, y: String) {
      let (east, north) = view.place.offset(to: place)
      return (tenth(width / 2 + east / scale), tenth(height / 2 - north / scale))
    }
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" font-family="sans-serif" font-size="12">
      <rect width="800" height="600" fill="#fafaf7"/>
      <circle cx="400" cy="300" r="\(tenth(min(radius, view.metres) / scale))" fill="none" stroke="#ccc" stroke-dasharray="4 4"/>
      <text x="780" y="30" text-anchor="end" font-weight="bold">N ↑</text>

      """
    // Below the bikes, which it must not hide.
    if let you {
      let (x, y) = point(you)
      text += cross(x, y)
    }
    for found in bikes.reversed() {
      let bike = found.bike
      let (x, y) = point(bike.place)
      text += "<g><title>\(escaped(bike.name))</title>"
      text += mark(bike.frameColor?.hex ?? "888888", isRented: bike.isRented, x, y)
      text += "<text x=\"\(x)\" y=\"\(y)\" dx=\"10\" dy=\"4\">\(escaped(bike.id))</text></g>\n"
    }
    let length = round(radius / 2)
    text += "<path d=\"M20 580h\(tenth(length / scale))\" stroke=\"#333\" stroke-width=\"3\"/>"
    text += "<text x=\"20\" y=\"572\">\(length.plain) m</text>\n"
    return text + legend(hasRented: bikes.contains { $0.bike.isRented }, hasCross: you != nil) + "</svg>\n"
  }

  private static func cross(_ x: String, _ y: String) -> String {
    "<path transform=\"translate(\(x) \(y))\" d=\"M-10 0h20M0 -10v20\" stroke=\"#333\" stroke-width=\"2\"/>\n"
  }

  /// A dot, or a ring for a rented bike.
  private static func mark(_ hex: String, isRented: Bool, _ x: String, _ y: String) -> String {
    isRented
      ? "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"6\" fill=\"none\" stroke=\"#\(hex)\" stroke-width=\"3\"/>"
      : "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"7\" fill=\"#\(hex)\" stroke=\"#333\"/>"
  }

  /// What the marks of this map mean, in the lower right corner.
  private static func legend(hasRented: Bool, hasCross: Bool) -> String {
    var entries = [(mark("888888", isRented: false, "700", "0"), "free bike")]
    if hasRented { entries.append((mark("888888", isRented: true, "700", "0"), "rented bike")) }
    if hasCross { entries.append((cross("700", "0"), "you")) }
    var text = ""
    for (index, entry) in entries.enumerated() {
      let y = 580 - 22 * (entries.count - 1 - index)
      text += "<g transform=\"translate(0 \(y))\">\(entry.0)<text x=\"716\" y=\"4\">\(entry.1)</text></g>\n"
    }
    return text
  }

  /// A length that is easy to say: its first digit, then zeros.
  private static func round(_ metres: Double) -> Double {
    var unit = 1.0
    while unit * 10 <= metres { unit *= 10 }
    return max(1, (metres / unit).rounded(.down) * unit)
  }

  private static func tenth(_ number: Double) -> String {
    ((max(-1e7, min(1e7, number)) * 10).rounded() / 10).plain
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      // XML has no way to write these.
      case _ where scalar.value < 0x20: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
