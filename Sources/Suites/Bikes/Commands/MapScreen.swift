import Command
import System
import Terminal

/// The interactive map: moves, zooms, selects a bike and rents it.
struct MapScreen: InteractiveScreen {
  enum Request: Sendable {
    case bikes(Circle)
    case rent(String)
  }

  enum Outcome: Sendable {
    case bikes([Bike])
    case rented(RentedBike)
    /// The bike was rented by somebody else, or the service failed: the map stays open.
    case refused(String)
  }

  private(set) var view: MapView
  private(set) var found: [FoundBike] = []
  private(set) var picked: String?
  private(set) var rented: [RentedBike] = []
  /// The bike whose rental has no response yet.
  private(set) var renting: String?
  /// The message about a rental whose response is pending; nil without one.
  private var activity: String?
  /// A result that has to be read: it stays until the next key.
  private var notice: String?
  /// Why the bikes could not be read; nil after a success.
  private var problem: String?
  /// When the bikes are requested again after a failure.
  private(set) var alarm: Duration?
  private var failures = 0
  /// The bikes are those of the section that is shown.
  private var isCurrent = false
  /// The service has returned bikes at least once.
  private var hasLoaded = false
  private let you: Place?
  private let showsRented: Bool
  private var size = WindowSize(columns: 80, rows: 24)
  /// The size is that of the window.
  private var hasSize = false
  private let circle: Circle
  /// A request for bikes is in flight; if the map has moved meanwhile, another follows.
  private var isLoading = false
  private var isStale = false
  private var isQuitting = false

  private static let longestWait = 30

  /// The text below the map: the most urgent message.
  var status: String {
    if let text = notice ?? activity ?? problem { return text }
    if let selected { return MapScreen.description(of: selected) }
    guard isCurrent else { return "looking …" }
    return found.count == 1 ? "1 bike" : "\(found.count) bikes"
  }

  private var selected: FoundBike? { found.first { $0.bike.id == picked } }

  init(_ circle: Circle, you: Place?, showsRented: Bool) {
    self.circle = circle
    self.you = you
    self.showsRented = showsRented
    view = MapView(of: circle, on: size)
  }

  mutating func handle(
    _ event: ScreenEvent<Outcome>, at uptime: Duration
  ) throws(Failure) -> Next<Request> {
    switch event {
    case .resized(let size):
      // The first size decides the scale; later ones show more or less of the same.
      if !hasSize { view = MapView(of: circle, on: MapScreen.map(size)) }
      self.size = size
      hasSize = true
      return loadBikes()
    case .tick:
      guard let due = alarm, due <= uptime else { return .stay }
      alarm = nil
      return loadBikes()
    case .completed(let result): return try complete(result, at: uptime)
    case .key(let key):
      // A click is on the map as it was drawn.
      let map = mapSize(size)
      notice = nil
      return press(key, on: map)
    }
  }

  private mutating func press(_ key: Key, on map: WindowSize) -> Next<Request> {
    switch key {
    case .character("q"), .escape: return quit()
    case .up, .character("k"): return move(north: 1, east: 0)
    case .down, .character("j"): return move(north: -1, east: 0)
    case .left, .character("h"): return move(north: 0, east: -1)
    case .right, .character("l"): return move(north: 0, east: 1)
    case .character("+"), .character("="): return zoom(0.5)
    case .character("-"): return zoom(2)
    case .tab, .character("n"): return selectNext(1)
    case .backTab, .character("p"): return selectNext(-1)
    case .character("0"), .home:
      view = MapView(of: circle, on: MapScreen.map(size))
      return loadBikes()
    case .enter, .character("r"): return rent()
    case .mouse(let mouse): return click(mouse, on: map)
    default: return .stay
    }
  }

  /// Waits for the response to a rental: without it the bike would be rented and its PIN unknown.
  private mutating func quit() -> Next<Request> {
    guard let renting else { return .leave }
    isQuitting = true
    activity = "waiting for the response about \(renting) …"
    return .stay
  }

  private mutating func move(north: Double, east: Double) -> Next<Request> {
    let step = Double(size.columns) / 8 * view.scale
    view.center = view.center.moved(north: north * step, east: east * step)
    return loadBikes()
  }

  private mutating func zoom(_ factor: Double) -> Next<Request> {
    view.scale = max(MapView.smallestScale, min(100_000, view.scale * factor))
    return loadBikes()
  }

  private mutating func selectNext(_ step: Int) -> Next<Request> {
    guard !found.isEmpty else { return .stay }
    let at = found.firstIndex { $0.bike.id == picked }
    let next = at.map { ($0 + step + found.count) % found.count } ?? (step > 0 ? 0 : found.count - 1)
    picked = found[next].bike.id
    return .stay
  }

  private static func description(of found: FoundBike) -> String {
    let bike = found.bike
    let parts = [
      "\(bike.id) \(bike.name)", bike.frameColor?.name ?? bike.color, bike.owner.map { "of \($0)" },
      found.meters.map { "\($0) m away" }, "at \(bike.place)",
    ]
    let text = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    if let offer = bike.offer {
      return "\(text): \(offer.available.map { "\($0)" } ?? "unknown number") available"
        + (offer.rentalURL.map { ", \($0)" } ?? "")
    }
    return "\(text): \(bike.isFree ? "Enter rents it" : bike.condition)"
  }

  private mutating func click(_ mouse: Mouse, on map: WindowSize) -> Next<Request> {
    switch mouse.action {
    case .wheelUp: return zoom(0.5)
    case .wheelDown: return zoom(2)
    case .press:
      // The nearest within two columns or a row.
      let near = found.map { bike in
        let spot = view.position(of: bike.bike.place, on: map)
        return (bike, abs(spot.column - mouse.column) + 2 * abs(spot.row - mouse.row))
      }.min { $0.1 < $1.1 }
      if let near, near.1 <= 3 { picked = near.0.bike.id }
    case .release: break
    }
    return .stay
  }

  private mutating func rent() -> Next<Request> {
    guard renting == nil else { return .stay }
    guard let chosen = selected else {
      notice = "select a bike first: Tab, or a click"
      return .stay
    }
    guard chosen.bike.isFree else {
      notice = "\(chosen.bike.id) \(chosen.bike.name) is \(chosen.bike.condition)"
      return .stay
    }
    activity = "renting \(chosen.bike.id) …"
    renting = chosen.bike.id
    return .request(.rent(chosen.bike.id))
  }

  private mutating func loadBikes() -> Next<Request> {
    isCurrent = false
    // After a failure the alarm decides.
    guard !isLoading, alarm == nil else {
      isStale = true
      return .stay
    }
    isLoading = true
    isStale = false
    let half = view.scale * Double(max(size.columns, 2 * size.rows))
    return .request(.bikes(Circle(view.center, meters: half)))
  }

  private mutating func complete(
    _ result: Result<Outcome, Failure>, at uptime: Duration
  ) throws(Failure) -> Next<Request> {
    switch result {
    case .success(.bikes(let bikes)):
      isLoading = false
      hasLoaded = true
      (problem, failures) = (nil, 0)
      found = FoundBike.sorted(bikes.filter { showsRented || $0.isFree }, from: you ?? view.center)
      if selected == nil { picked = nil }
      isCurrent = !isStale
      return isStale ? loadBikes() : .stay
    case .success(.rented(let bike)):
      (renting, activity) = (nil, nil)
      rented.append(bike)
      notice = "\(bike.id) \(bike.name) is yours: PIN \(bike.pin?.digits ?? "not shown")"
    case .success(.refused(let reason)):
      (renting, activity) = (nil, nil)
      // The reason must be read before the map closes.
      isQuitting = false
      notice = reason
    case .failure(let failure):
      // As in a watched list: what the next attempt will not change ends the map, which prints the rented bikes.
      guard hasLoaded, failure.mayEndByItself else { throw failure }
      isLoading = false
      let wait = min(MapScreen.longestWait, 1 << min(failures, 5))
      failures += 1
      problem = "\(failure.message); next attempt in \(wait) s"
      alarm = uptime + .seconds(wait)
      return .stay
    }
    return isQuitting ? .leave : loadBikes()
  }

  func draw(on canvas: inout Canvas) {
    let lines = panel(canvas.size)
    view.draw(found, you: you, picked: picked, on: &canvas, rows: mapSize(canvas.size).rows)
    for (index, line) in lines.enumerated() {
      let row = canvas.rows - 1 - lines.count + index
      // In a low window the map has this row too.
      canvas.fill(row: row, column: 0, width: canvas.columns)
      canvas.write(line, row: row, column: 0, style: .bold)
    }
    let keys = MapScreen.keys.first { $0.count <= canvas.columns } ?? ""
    canvas.write(keys, row: canvas.rows - 1, column: 0, style: .dim)
  }

  /// The lines that say what is selected, or what has happened. What does not fit is left out.
  private func panel(_ size: WindowSize) -> [String] {
    let most = size.rows < 8 ? 1 : size.rows < 12 ? 2 : 3
    return Array(WordWrap.lines(status, width: size.columns).prefix(most))
  }

  /// The part of the screen that has the map.
  private func mapSize(_ size: WindowSize) -> WindowSize {
    WindowSize(columns: size.columns, rows: max(1, size.rows - 1 - panel(size).count))
  }

  /// The longest that fits is shown.
  private static let keys = [
    "arrows move  + - zoom  Tab picks  Enter rents  0 back  q quits",
    "arrows + - 0  Tab Enter rents  q quits", "Tab Enter rents  q quits", "q quits",
  ]

  /// The canvas without one line for the state and one for the keys: it decides the scale.
  private static func map(_ size: WindowSize) -> WindowSize {
    WindowSize(columns: size.columns, rows: size.rows - 2)
  }
}
