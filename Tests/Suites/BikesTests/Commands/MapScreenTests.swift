import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

/// A map without a terminal: calls in, requests and what is shown out.
private struct MapDriver {
  private static let start = place(50.1, 8.6)
  private var screen = MapScreen(Circle(start, meters: 500), you: start, showsRented: true)
  private var size = WindowSize(columns: 60, rows: 25)
  private var now = Duration.zero
  private var hasLeft = false

  private static let keys: [String: Key] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "tab": .tab,
    "back-tab": .backTab, "enter": .enter, "escape": .escape,
    "wheel-up": .mouse(Mouse(.wheelUp, .none, row: 0, column: 0)),
    "wheel-down": .mouse(Mouse(.wheelDown, .none, row: 0, column: 0)),
  ]

  private static func size(_ text: String) -> WindowSize {
    let sides = text.split(separator: "x").compactMap { Int($0) }
    return WindowSize(columns: sides[0], rows: sides[1])
  }

  /// `ID@NORTH,EAST`, in meters from the start, then `/rented` or the owner.
  private static func bike(_ text: String) -> Bike {
    let parts = text.split(separator: "/").map(String.init)
    let sides = parts[0].split(separator: "@").map(String.init)
    let meters = sides[1].split(separator: ",").compactMap { Double($0) }
    return Bike(
      id: sides[0], name: "N\(sides[0])", color: "00C8E6", pin: nil,
      place: start.moved(north: meters[0], east: meters[1]), isRented: parts.contains("rented"),
      owner: parts.dropFirst().first { $0 != "rented" })
  }

  private static func rented(_ id: String) -> RentedBike {
    var bike = Self.bike("\(id)@0,0")
    bike.pin = Pin("4711")
    return RentedBike(bike, since: Timestamp(seconds: 0), time: FakeClock())
  }

  private mutating func send(_ event: ScreenEvent<MapScreen.Outcome>) throws -> [String] {
    switch try screen.handle(event, at: now) {
    case .stay: return []
    case .leave:
      hasLeft = true
      return ["leaves"]
    case .request(.rent(let id)): return ["asks to rent \(id)"]
    case .request(.ownBikes): return ["asks for own bikes"]
    case .request(.giveBack(let id, let place)): return ["asks to return \(id) at \(place)"]
    case .request(.bikes(let circle)):
      return ["asks for bikes \((circle.meters * 100).rounded() / 100) m around \(circle.place)"]
    }
  }

  mutating func call(_ line: String) throws -> [String] {
    let words = ShellWord.split(line) ?? []
    switch words[0] {
    case "map":
      let options = words.dropFirst().map { $0.split(separator: "=").map(String.init) }
      let values = Dictionary(options.map { ($0[0], $0[1]) }) { $1 }
      self = MapDriver()
      screen = MapScreen(
        Circle(Self.start, meters: values["meters"].flatMap { Double($0) } ?? 500),
        you: values["you"] == nil ? Self.start : nil, showsRented: values["rented"] == nil)
      size = Self.size(values["size"] ?? "60x25")
      return try send(.resized(size))
    case "size":
      size = Self.size(words[1])
      return try send(.resized(size))
    case "bikes": return try send(.completed(.success(.bikes(words.dropFirst().map(Self.bike)))))
    case "rented": return try send(.completed(.success(.rented(Self.rented(words[1])))))
    case "own": return try send(.completed(.success(.ownBikes(words.dropFirst().map(Self.rented)))))
    case "returned": return try send(.completed(.success(.returned(Self.bike("\(words[1])@0,0")))))
    case "refused": return try send(.completed(.success(.refused(words[1]))))
    case "fails":
      let refused = Failure(Failure.Kind(rawValue: words[1]) ?? .defect, words[2])
      do { return try send(.completed(.failure(refused))) } catch let error as Failure {
        return ["fails: \(error.described)"]
      }
    case "press", "release":
      let mouse = Mouse(
        words[0] == "press" ? .press : .release, row: Int(words[1]) ?? 0, column: Int(words[2]) ?? 0)
      return try send(.key(.mouse(mouse)))
    case "at":
      now = .milliseconds(Int(words[1]) ?? 0)
      return try send(.tick)
    case "draw":
      if words.count > 1 { size = Self.size(words[1]) }
      var canvas = Canvas(size)
      screen.draw(on: &canvas)
      return canvas.lines.map { "|\($0)" }
    default: return try words.flatMap { try send(.key(Self.keys[$0] ?? .character($0.first ?? "?"))) }
    }
  }

  var state: String {
    let offset = Self.start.offset(to: screen.view.center)
    func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 + 0 }
    let facts = [
      screen.status, screen.picked.map { "picked \($0)" }, screen.change.map { "waits for \($0)" },
      screen.rented.isEmpty ? nil : "rented \(screen.rented.map(\.id))",
      screen.alarm.map { "alarm \($0)" },
      "north \(rounded(offset.north)) east \(rounded(offset.east)) scale \(screen.view.scale)",
      hasLeft ? "left" : nil,
    ]
    return facts.compactMap(\.self).joined(separator: ", ")
  }
}

@Suite struct MapScreenTests {
  /// Lines of calls (`> `), what each leads to, and the state after the last one.
  @Test func mapsAreAsRecorded() throws {
    var driver = MapDriver()
    var lines: [String] = []
    for line in RecordedText.text("map-screen.txt").split(separator: "\n").map(String.init) {
      if line.hasPrefix("#") { lines.append(line) }
      guard line.hasPrefix("> ") else { continue }
      lines.append(line)
      for call in line.dropFirst(2).split(separator: " ; ") {
        lines += try driver.call(String(call)).map { "  \($0)" }
      }
      lines.append("  \(driver.state)")
    }
    // The last digits of places depend on the functions of the machine.
    let text = lines.map { "\($0.replacing(/(\.\d{6})\d+/) { $0.1 })\n" }.joined()
    try RecordedText.hold("map-screen.txt", to: text)
  }
}
