import Command
import System
import Terminal

struct MapScreen: InteractiveScreen {
  enum Request: Sendable {
    case bikes(Circle)
    case ownBikes
    case rent(String)
    case giveBack(String, Place)
  }

  enum Outcome: Sendable {
    case bikes([Bike])
    case ownBikes([RentedBike])
    case rented(RentedBike)
    case returned(Bike)
    /// Somebody else rented the bike, or the service failed. The map stays open.
    case refused(String)
  }

  private(set) var view: MapView
  private(set) var found: [FoundBike] = []
  /// The id of the selected bike.
  private(set) var picked: String?
  /// Bikes rented on this map and not returned.
  private(set) var rented: [RentedBike] = []
  /// The rental or return whose response is outstanding.
  private(set) var change: Request?
  /// All rentals of the user, while one is chosen for its return; `pickedOwn` is its index.
  private var ownRentals: [RentedBike]?
  private var pickedOwn = 0
  private var confirmation: (text: String, activity: String, request: Request)?
  private var showsHelp = false
  private var activity: String?
  /// A result that is shown until the next key.
  private var notice: String?
  private var problem: String?
  /// The time of the next refresh; nil during one.
  private(set) var alarm: Duration?
  private var failures = 0
  private var isViewLoaded = false
  private var hasLoadedOnce = false
  private let you: Place?
  private let showsRented: Bool
  private var size = WindowSize(columns: 80, rows: 24)
  /// False until the window reports its size.
  private var hasSize = false
  private let circle: Circle
  /// A request for bikes is in flight. If the map moves meanwhile, another one follows.
  private var isLoading = false
  private var isStale = false
  private var isQuitting = false

  private static let longestWait = 30
  private static let refreshInterval = Duration.seconds(15)

  init(_ circle: Circle, you: Place?, showsRented: Bool) {
    self.circle = circle
    self.you = you
    self.showsRented = showsRented
    view = MapView(of: circle, on: size)
  }

  var status: String {
    if let text = confirmation?.text ?? notice ?? activity ?? problem { return text }
    if let ownRentals {
      return ownRentals.count == 1 ? "your rented bike" : "your \(ownRentals.count) rented bikes"
    }
    if let selected {
      let facts = selected.facts.map { "\($0.name.lowercased()) \($0.value)" }.joined(separator: ", ")
      let hint = selected.bike.isFree && selected.bike.offer == nil ? ". Enter rents it" : ""
      return "\(selected.bike.label): \(facts)\(hint)"
    }
    guard isViewLoaded else { return "looking …" }
    return visible.count == 1 ? "1 bike" : "\(visible.count) bikes"
  }

  private var selected: FoundBike? { found.first { $0.bike.id == picked } }

  mutating func handle(_ event: ScreenEvent<Outcome>, at uptime: Duration) throws(Failure) -> Next<Request> {
    switch event {
    case .resized(let size):
      self.size = size
      // The first size determines the scale; later ones show more or less.
      if !hasSize { view = MapView(of: circle, on: layout.map) }
      hasSize = true
      return loadBikes()
    case .tick:
      guard let due = alarm, due <= uptime else { return .stay }
      alarm = nil
      return loadBikes(hasMoved: false)
    case .completed(let result): return try complete(result, at: uptime)
    case .key(let key):
      notice = nil
      return press(key)
    }
  }

  // MARK: Keys

  private mutating func press(_ key: Key) -> Next<Request> {
    let asked = confirmation
    confirmation = nil
    if key == .character("q") { return quit() }
    if showsHelp {
      showsHelp = false
      return .stay
    }
    switch key {
    case .enter:
      guard let asked else { return ask() }
      (change, activity) = (asked.request, asked.activity)
      return .request(asked.request)
    case .escape where asked != nil: break
    case .escape where ownRentals == nil: picked = nil
    case .character("r") where ownRentals == nil && activity == nil:
      activity = "looking for your bikes …"
      return .request(.ownBikes)
    case .escape, .character("r"): ownRentals = nil
    case .character("?"): showsHelp = true
    case .tab, .character("n"): selectNext(1)
    case .backTab, .character("p"): selectNext(-1)
    case .down where ownRentals != nil: selectNext(1)
    case .up where ownRentals != nil: selectNext(-1)
    default: return ownRentals == nil ? move(by: key) : .stay
    }
    return .stay
  }

  private mutating func move(by key: Key) -> Next<Request> {
    switch key {
    case .up, .character("k"): return move(north: 1, east: 0)
    case .down, .character("j"): return move(north: -1, east: 0)
    case .left, .character("h"): return move(north: 0, east: -1)
    case .right, .character("l"): return move(north: 0, east: 1)
    case .character("+"), .character("="): return zoom(0.5)
    case .character("-"): return zoom(2)
    case .character("0"), .home:
      view = MapView(of: circle, on: layout.map)
      return loadBikes()
    case .mouse(let mouse): return click(mouse)
    default: return .stay
    }
  }

  /// Waits for the response to a change: without it the PIN of a rented bike would be unknown.
  private mutating func quit() -> Next<Request> {
    guard change != nil else { return .leave }
    if !isQuitting { activity = activity.map { "waiting for the response: \($0)" } }
    isQuitting = true
    return .stay
  }

  private mutating func move(north: Double, east: Double) -> Next<Request> {
    let step = Double(size.columns) / 8 * view.scale
    view.center = view.center.moved(north: north * step, east: east * step)
    return loadBikes()
  }

  private mutating func zoom(_ factor: Double) -> Next<Request> {
    // A map that began wider can become as wide again.
    let widest = max(100_000, view.scale, MapView(of: circle, on: layout.map).scale)
    view.scale = max(MapView.smallestScale, min(widest, view.scale * factor))
    return loadBikes()
  }

  private mutating func selectNext(_ step: Int) {
    if let ownRentals {
      pickedOwn = (pickedOwn + step + ownRentals.count) % ownRentals.count
    } else if case let bikes = visible, !bikes.isEmpty {
      let at = bikes.firstIndex { $0.bike.id == picked }
      let next = at.map { ($0 + step + bikes.count) % bikes.count } ?? (step > 0 ? 0 : bikes.count - 1)
      picked = bikes[next].bike.id
    }
  }

  private mutating func click(_ mouse: Mouse) -> Next<Request> {
    switch mouse.action {
    case .wheelUp: return zoom(0.5)
    case .wheelDown: return zoom(2)
    case .press:
      // The nearest bike within two columns or a row.
      let near = found.map { bike in
        let spot = view.position(of: bike.bike.place, on: layout.map)
        return (bike, abs(spot.column - mouse.column) + 2 * abs(spot.row - mouse.row))
      }.min { $0.1 < $1.1 }
      if let near, near.1 <= 3 { picked = near.0.bike.id }
    case .release: break
    }
    return .stay
  }

  // MARK: Renting and returning

  private mutating func ask() -> Next<Request> {
    // The result of another request would end a change that begins now.
    guard activity == nil else { return .stay }
    if let bike = ownRentals?[pickedOwn] {
      let place = you ?? view.center
      let name = you == nil ? "the middle of the map" : "your place"
      confirmation = (
        "Return \(bike.label) at \(place.shown), \(name)? Enter returns it, Esc cancels",
        "returning \(bike.id) …",
        .giveBack(bike.id, place)
      )
    } else if let bike = selected?.bike, bike.isFree, bike.offer == nil {
      confirmation = (
        "Rent \(bike.label)? Enter rents it, Esc cancels", "renting \(bike.id) …", .rent(bike.id)
      )
    } else if let bike = selected?.bike {
      notice = bike.offer == nil ? "\(bike.label) is \(bike.condition)" : "the operator of the feed rents it"
    } else {
      notice = "select a bike first: Tab, or a click"
    }
    return .stay
  }

  private mutating func loadBikes(hasMoved: Bool = true) -> Next<Request> {
    if hasMoved { isViewLoaded = false }
    // After a failure the alarm determines the time.
    guard !isLoading, failures == 0 || alarm == nil else {
      isStale = true
      return .stay
    }
    (isLoading, isStale, alarm) = (true, false, nil)
    let radius = view.scale * Double(max(size.columns, 2 * size.rows))
    return .request(.bikes(Circle(view.center, meters: radius)))
  }

  private mutating func complete(
    _ result: Result<Outcome, Failure>, at uptime: Duration
  ) throws(Failure) -> Next<Request> {
    switch result {
    case .success(.bikes(let bikes)):
      (isLoading, hasLoadedOnce, problem, failures) = (false, true, nil, 0)
      found = FoundBike.sorted(bikes.filter { showsRented || $0.isFree }, from: you ?? view.center)
      if selected == nil { picked = nil }
      isViewLoaded = !isStale
      alarm = uptime + MapScreen.refreshInterval
      return isStale ? loadBikes() : .stay
    case .success(.ownBikes(let bikes)):
      // A demo keeps no rentals.
      let bikes = bikes.isEmpty ? rented : bikes
      (activity, ownRentals, pickedOwn) = (nil, bikes.isEmpty ? nil : bikes, 0)
      if bikes.isEmpty { notice = "you have no rented bike" }
      return .stay
    case .success(.rented(let bike)):
      rented.append(bike)
      notice = "\(bike.label) is yours: PIN \(bike.pin?.digits ?? "not shown")"
    case .success(.returned(let bike)):
      ownRentals = nil
      rented.removeAll { $0.id == bike.id }
      notice = "\(bike.label) is returned"
    case .success(.refused(let reason)):
      // The reason must be read before the map closes.
      isQuitting = false
      notice = reason
    case .failure(let failure):
      // As in a watched list, a permanent failure ends the map, which prints the rented bikes.
      guard hasLoadedOnce, failure.mayEndByItself else { throw failure }
      isLoading = false
      let wait = min(MapScreen.longestWait, 1 << min(failures, 5))
      failures += 1
      problem = "\(failure.message); next attempt in \(wait) s"
      alarm = uptime + .seconds(wait)
      return .stay
    }
    (change, activity) = (nil, nil)
    return isQuitting ? .leave : loadBikes(hasMoved: false)
  }

  // MARK: Drawing

  /// The areas of the screen: map, list beside or below it, panel, and keys in the last row.
  private struct Layout {
    let map: WindowSize
    let list: WindowSize
    let listOrigin: Canvas.Position
    let panel: Int

    init(_ size: WindowSize) {
      panel = size.rows < 8 ? 1 : 2
      let rows = max(1, size.rows - 1 - panel)
      if size.columns >= 72 {
        list = WindowSize(columns: min(40, size.columns / 3), rows: rows)
        map = WindowSize(columns: size.columns - list.columns - 1, rows: rows)
        listOrigin = Canvas.Position(row: 0, column: map.columns + 1)
      } else {
        list = WindowSize(columns: size.columns, rows: rows < 8 ? 0 : rows / 4)
        map = WindowSize(columns: size.columns, rows: rows - list.rows)
        listOrigin = Canvas.Position(row: map.rows, column: 0)
      }
    }
  }

  private var layout: Layout { Layout(size) }

  private var visible: [FoundBike] {
    let map = layout.map
    return found.filter { map.contains(view.position(of: $0.bike.place, on: map)) }
  }

  func draw(on canvas: inout Canvas) {
    guard !showsHelp else {
      let top = max(0, (canvas.rows - MapScreen.help.count) / 2)
      for (line, text) in MapScreen.help.enumerated() { canvas.write(text, row: top + line, column: 1) }
      return
    }
    let layout = Layout(canvas.size)
    view.draw(
      found, you: you, picked: picked, labels: .counts, on: &canvas, rows: layout.map.rows,
      columns: layout.map.columns)
    drawList(on: &canvas, layout)
    let top = canvas.rows - 1 - layout.panel
    // A low window draws the map in these rows, too.
    canvas.fill(row: top, column: 0, width: canvas.columns, height: layout.panel)
    for (index, line) in WordWrap.lines(status, width: canvas.columns).prefix(layout.panel).enumerated() {
      canvas.write(line, row: top + index, column: 0, style: .bold)
    }
    let keys =
      (ownRentals == nil ? MapScreen.keys : MapScreen.ownKeys).first { $0.count <= canvas.columns } ?? ""
    canvas.write(keys, row: canvas.rows - 1, column: 0, style: .dim)
  }

  private func drawList(on canvas: inout Canvas, _ layout: Layout) {
    let (origin, size) = (layout.listOrigin, layout.list)
    for row in 0..<(origin.column > 0 ? size.rows : 0) {
      canvas.write("│", row: row, column: origin.column - 1, style: .dim)
    }
    let entries: [(sign: String, style: Style, text: String, end: String)] =
      ownRentals?.map { ("●", .plain, $0.label, "PIN \($0.pin?.digits ?? "-")") }
      ?? visible.map { ($0.bike.sign, $0.bike.style, $0.bike.label, $0.meters.map(Sphere.text) ?? "") }
    let chosen = ownRentals == nil ? visible.firstIndex { $0.bike.id == picked } : pickedOwn
    let start = max(0, (chosen ?? 0) - size.rows + 1)
    for (line, entry) in entries.dropFirst(start).prefix(size.rows).enumerated() {
      let (row, column) = (origin.row + line, origin.column)
      canvas.fill(row: row, column: column, width: size.columns)
      canvas.write(entry.sign, row: row, column: column, style: entry.style)
      canvas.write(
        entry.text, row: row, column: column + 2, style: start + line == chosen ? .reversed : .plain,
        limit: size.columns - entry.end.count - 3)
      canvas.write(entry.end, row: row, column: column + size.columns - entry.end.count)
    }
  }

  private static let help = [
    "arrows  move the map", "+ -     zoom", "0       back to the start", "Tab     select the next bike",
    "Enter   rent the selected bike", "r       return one of your bikes", "Esc     go back",
    "?       this page", "q       quit",
  ]

  /// The longest that fits is shown.
  private static let keys = [
    "arrows move  + - zoom  Tab select  Enter rent  r return  ? keys  q quit",
    "Tab select  Enter rent  r return  ? keys  q quit", "Tab  Enter rent  ? keys  q quit", "q quit",
  ]
  private static let ownKeys = [
    "Tab select  Enter return  Esc back  q quit", "Enter return  q quit", "q quit",
  ]
}

extension RentedBike {
  fileprivate var label: String { note.name.isEmpty ? id : "\(id) \(note.name)" }
}
