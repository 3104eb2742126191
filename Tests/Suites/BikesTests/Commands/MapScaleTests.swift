import System
import Terminal
import Testing

@testable import Bikes

/// How much a map shows.
@Suite struct MapScales {
  private let circle = Circle(place(50, 8), meters: 500)

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
