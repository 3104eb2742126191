import System

/// A section of the web's square map at a zoom level, in pixels.
struct MercatorView: Sendable {
  static let (width, height, tile) = (960.0, 720.0, 256.0)
  /// Tiles beyond this level have no more details.
  private static let deepest = 18
  private static let margin = 40.0

  let zoom: Int
  /// Upper left corner, in pixels of the whole map at this zoom.
  private let left: Double
  private let top: Double

  /// The deepest section with all places, by the shorter way around the Earth.
  init(showing places: [Place]) {
    let spots = places.map(MercatorView.spot)
    let start = spots.first?.x ?? 0.5
    let east = spots.map { ($0.x - start).remainder(dividingBy: 1) }
    let (west, width) = MercatorView.span(east)
    let (north, height) = MercatorView.span(spots.map(\.y))
    zoom =
      (0...MercatorView.deepest).last { zoom in
        width * MercatorView.world(zoom) <= MercatorView.width - 2 * MercatorView.margin
          && height * MercatorView.world(zoom) <= MercatorView.height - 2 * MercatorView.margin
      } ?? 0
    left = (start + west + width / 2) * MercatorView.world(zoom) - MercatorView.width / 2
    top = (north + height / 2) * MercatorView.world(zoom) - MercatorView.height / 2
  }

  /// The place on the whole map, 0 to 1 from west to east and north to south. The map ends at 85 degrees.
  static func spot(_ place: Place) -> (x: Double, y: Double) {
    let latitude = max(-85.051_128_779_8, min(85.051_128_779_8, place.latitude))
    return (
      (place.longitude + 180) / 360, 0.5 - atanh(sin(latitude * .pi / 180)) / (2 * .pi)
    )
  }

  private static func span(_ values: [Double]) -> (start: Double, length: Double) {
    let start = values.min() ?? 0
    return (start, (values.max() ?? 0) - start)
  }

  /// The width and height of the whole map in pixels.
  private static func world(_ zoom: Int) -> Double { tile * Double(1 << zoom) }

  func position(of place: Place) -> (x: Double, y: Double) {
    let (spot, world) = (MercatorView.spot(place), MercatorView.world(zoom))
    let middle = left + MercatorView.width / 2
    let turned = (spot.x * world - middle).remainder(dividingBy: world)
    return (turned + MercatorView.width / 2, spot.y * world - top)
  }

  /// The tiles of the section with their upper left corners. There are none beyond the poles.
  var tiles: [(column: Int, row: Int, x: Double, y: Double)] {
    func range(_ start: Double, _ length: Double) -> ClosedRange<Int> {
      Int(
        (start / MercatorView.tile).rounded(.down))...Int(
          ((start + length) / MercatorView.tile).rounded(.down))
    }
    let count = 1 << zoom
    return range(top, MercatorView.height).filter { (0..<count).contains($0) }.flatMap { row in
      range(left, MercatorView.width).map { column in
        (
          (column % count + count) % count, row, Double(column) * MercatorView.tile - left,
          Double(row) * MercatorView.tile - top
        )
      }
    }
  }
}
