import System
import Terminal
import Testing

@testable import Bikes

/// What the picture says of a bike, and how much a map shows.
@Suite struct MapLabelTests {
  private let circle = Circle(place(50, 8), metres: 500)

  @Test func aBikeHasItsNumberBesideIt() throws {
    let bike = Bike(
      id: "17", name: "Hans", color: "00C8E6", pin: nil, place: place(50, 8), isRented: false, owner: nil)
    let picture = MapPicture.svg(of: [FoundBike(bike, from: nil)], you: nil, view: circle)
    #expect(picture.contains(#"<text x="400" y="300" dx="10" dy="4">17</text></g>"#), "\(picture)")
  }

  /// The circle touches the edge that is nearer: columns count once and rows twice, without the margin.
  @Test func theScaleIsThatOfTheCircle() {
    #expect(MapView(of: circle, on: WindowSize(columns: 102, rows: 200)).scale == 10)
    #expect(MapView(of: circle, on: WindowSize(columns: 400, rows: 54)).scale == 10)
    // Without room beside the margin as with room for one column or row.
    for rows in 1...5 {
      #expect(MapView(of: circle, on: WindowSize(columns: 102, rows: rows)).scale == 500)
    }
    for columns in 1...3 {
      #expect(MapView(of: circle, on: WindowSize(columns: columns, rows: 54)).scale == 1000)
    }
  }
}
