import System
import Terminal
import Testing

@testable import Bikes

/// How far a key moves the map: an eighth of what is shown, on any scale.
@Suite struct MapStepTests {
  @Test(arguments: [500.0, 5000])
  func anEighthOfTheWidth(meters: Double) throws {
    let start = place(50.1, 8.6)
    var screen = MapScreen(Circle(start, meters: meters), you: nil, showsRented: false)
    _ = try screen.handle(.resized(WindowSize(columns: 82, rows: 200)), at: .zero)
    let width = Double(82) * screen.view.scale
    _ = try screen.handle(.key(.right), at: .zero)
    #expect(abs(start.distance(to: screen.view.center) - width / 8) < width / 1000)
  }

  /// Before the terminal has reported its size.
  @Test func theFirstMapHas80ColumnsAnd24Rows() throws {
    let start = place(50.1, 8.6)
    var screen = MapScreen(Circle(start, meters: 500), you: nil, showsRented: false)
    #expect(screen.view.center == start && screen.view.scale == 25)
    _ = try screen.handle(.key(.right), at: .zero)
    #expect(abs(start.distance(to: screen.view.center) - 250) < 0.01)
  }

  @Test func withoutASelectionNothingIsRented() throws {
    var screen = MapScreen(Circle(place(50.1, 8.6), meters: 500), you: nil, showsRented: false)
    _ = try screen.handle(.resized(WindowSize(columns: 82, rows: 24)), at: .zero)
    _ = try screen.handle(.completed(.success(.bikes([]))), at: .zero)
    guard case .stay = try screen.handle(.key(.enter), at: .zero) else {
      Issue.record("the map is left, or something is requested")
      return
    }
    #expect(screen.status == "select a bike first: Tab, or a click" && screen.change == nil)
  }

  /// Tab begins with the nearest bike, Shift-Tab with the farthest; both go round.
  @Test(arguments: [
    (Key.tab, ["1", "2", "3", "1"]), (.character("n"), ["1", "2", "3", "1"]),
    (.backTab, ["3", "2", "1", "3"]),
    (.character("p"), ["3", "2", "1", "3"]),
  ])
  func theNextBike(key: Key, ids: [String]) throws {
    let start = place(50.1, 8.6)
    var screen = MapScreen(Circle(start, meters: 500), you: start, showsRented: false)
    let bikes = (1...3).map { number in
      Bike(
        id: "\(number)", name: "", color: "", pin: nil,
        place: start.moved(north: Double(number) * 50, east: 0),
        isRented: false, owner: nil)
    }
    _ = try screen.handle(.resized(WindowSize(columns: 82, rows: 24)), at: .zero)
    _ = try screen.handle(.completed(.success(.bikes(bikes))), at: .zero)
    for id in ids {
      _ = try screen.handle(.key(key), at: .zero)
      #expect(screen.picked == id)
    }
  }
}
