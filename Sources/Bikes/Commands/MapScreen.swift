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
  private(set) var status = MapScreen.loading
  private let you: Place?
  private let wantsRented: Bool
  private var size = WindowSize(columns: 80, rows: 24)
  private let circle: Circle
  /// A request for bikes is in flight; if the map has moved meanwhile, another follows.
  private var isLoading = false
  private var isStale = false
  private var isQuitting = false

  private static let loading = "looking …"
  private var count: String { "\(found.count) bikes" }

  init(_ circle: Circle, you: Place?, wantsRented: Bool) {
    self.circle = circle
    self.you = you
    self.wantsRented = wantsRented
    view = MapView(of: circle, on: size)
  }

  mutating func handle(_ event: ScreenEvent<Outcome>, at uptime: Duration) -> Next<Request> {
    switch event {
    case .resized(let size):
      // The first size decides the scale; later ones show more or less of the same.
      if found.isEmpty, !isLoading { view = MapView(of: circle, on: MapScreen.map(size)) }
      self.size = size
      return loadBikes()
    case .tick: return .stay
    case .completed(let result): return complete(result)
    case .key(let key): return press(key)
    }
  }

  private mutating func press(_ key: Key) -> Next<Request> {
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
    case .mouse(let mouse): return click(mouse)
    default: return .stay
    }
  }

  /// Waits for the response to a rental: without it the bike would be rented and its PIN unknown.
  private mutating func quit() -> Next<Request> {
    guard let renting else { return .leave }
    isQuitting = true
    status = "waiting for the answer about \(renting) …"
    return .stay
  }

  private mutating func move(north: Double, east: Double) -> Next<Request> {
    let step = Double(size.columns) / 8 * view.scale
    view.centre = view.centre.moved(north: north * step, east: east * step)
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
    choose(found[next])
    return .stay
  }

  private mutating func choose(_ chosen: FoundBike) {
    picked = chosen.bike.id
    let way = chosen.metres.map { ", \($0) m away" } ?? ""
    let next = chosen.bike.isRented ? "rented" : "Enter rents it"
    status = "\(chosen.bike.id) \(chosen.bike.name)\(way): \(next)"
  }

  private mutating func click(_ mouse: Mouse) -> Next<Request> {
    switch mouse.action {
    case .wheelUp: return zoom(0.5)
    case .wheelDown: return zoom(2)
    case .press:
      // The nearest within two columns or a row.
      let near = found.map { bike in
        let spot = view.position(of: bike.bike.place, on: MapScreen.map(size))
        return (bike, abs(spot.column - mouse.column) + 2 * abs(spot.row - mouse.row))
      }.min { $0.1 < $1.1 }
      if let near, near.1 <= 3 { choose(near.0) }
    case .release: break
    }
    return .stay
  }

  private mutating func rent() -> Next<Request> {
    guard renting == nil else { return .stay }
    guard let picked, let chosen = found.first(where: { $0.bike.id == picked }) else {
      status = "pick a bike first: Tab, or a click"
      return .stay
    }
    guard !chosen.bike.isRented else {
      status = "\(picked) \(chosen.bike.name) is rented"
      return .stay
    }
    status = "renting \(picked) …"
    renting = picked
    return .request(.rent(picked))
  }

  private mutating func loadBikes() -> Next<Request> {
    guard !isLoading else {
      isStale = true
      return .stay
    }
    isLoading = true
    isStale = false
    // The count belongs to the previous position.
    if status == count { status = MapScreen.loading }
    let half = view.scale * Double(max(size.columns, 2 * size.rows))
    return .request(.bikes(Circle(view.centre, metres: half)))
  }

  private mutating func complete(_ result: Result<Outcome, Failure>) -> Next<Request> {
    switch result {
    case .success(.bikes(let bikes)):
      isLoading = false
      found = FoundBike.sorted(bikes.filter { wantsRented || !$0.isRented }, from: you ?? view.centre)
      if !found.contains(where: { $0.bike.id == picked }) { picked = nil }
      if picked == nil, rented.isEmpty { status = count }
      return isStale ? loadBikes() : .stay
    case .success(.rented(let bike)):
      renting = nil
      rented.append(bike)
      status = "\(bike.id) \(bike.name) is yours: PIN \(bike.pin?.digits ?? "not shown")"
    case .success(.refused(let reason)):
      renting = nil
      // The reason must be read before the map closes.
      isQuitting = false
      status = reason
    case .failure(let failure):
      isLoading = false
      status = failure.message
    }
    return isQuitting && renting == nil ? .leave : loadBikes()
  }

  func draw(on canvas: inout Canvas) {
    view.draw(found, you: you, picked: picked, on: &canvas, rows: MapScreen.map(canvas.size).rows)
    canvas.write(status, row: canvas.rows - 2, column: 0, style: .bold)
    let keys = MapScreen.keys.first { $0.count <= canvas.columns } ?? ""
    canvas.write(keys, row: canvas.rows - 1, column: 0, style: .dim)
  }

  /// The longest that fits is shown.
  private static let keys = [
    "arrows move  + - zoom  Tab picks  Enter rents  0 back  q quits",
    "arrows + - 0  Tab Enter rents  q quits", "Tab Enter rents  q quits", "q quits",
  ]

  /// The canvas without the two lines at the bottom.
  private static func map(_ size: WindowSize) -> WindowSize {
    WindowSize(columns: size.columns, rows: max(1, size.rows - 2))
  }
}
