import System

/// The map as SVG, to be looked at in a browser or printed.
enum MapPicture {
  private static let width = 800.0
  private static let height = 600.0

  static func svg(of bikes: [FoundBike], view: Circle) -> String {
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
      <path d="M390 300h20M400 290v20" stroke="#333" stroke-width="2"/>
      <text x="780" y="30" text-anchor="end" font-weight="bold">N ↑</text>

      """
    for found in bikes.reversed() {
      let bike = found.bike
      let (x, y) = point(bike.place)
      let hex = bike.frameColor?.hex ?? "888888"
      let opacity = bike.isRented ? " opacity=\"0.35\"" : ""
      text += "<g\(opacity)><title>\(escaped(bike.name))</title>"
      text += "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"7\" fill=\"#\(hex)\" stroke=\"#333\"/>"
      text += "<text x=\"\(x)\" y=\"\(y)\" dx=\"10\" dy=\"4\">\(escaped(bike.id))</text></g>\n"
    }
    let length = round(radius / 2)
    text += "<path d=\"M20 580h\(tenth(length / scale))\" stroke=\"#333\" stroke-width=\"3\"/>"
    text += "<text x=\"20\" y=\"572\">\(length.plain) m</text>\n</svg>\n"
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
