import System
import Terminal
import Testing

@testable import Bikes

/// How far a key moves the map: an eighth of what is shown, on any scale.
@Suite struct MapStepTests {
  @Test(arguments: [500.0, 5000])
  func anEighthOfTheWidth(metres: Double) {
    let start = place(50.1, 8.6)
    var screen = MapScreen(Circle(start, metres: metres), you: nil, showsRented: false)
    _ = screen.handle(.resized(WindowSize(columns: 82, rows: 200)), at: .zero)
    let width = Double(82) * screen.view.scale
    _ = screen.handle(.key(.right), at: .zero)
    #expect(abs(start.distance(to: screen.view.centre) - width / 8) < width / 1000)
  }
}
