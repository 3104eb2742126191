import Command
import Output
import System
import Terminal

/// What changed about a bike between two looks.
struct BikeEvent: Row, Equatable {
  enum Kind: String, CaseIterable, Sendable {
    /// It was not in the last answer: the first answer is all of these.
    case appeared
    case moved
    /// Its name, its colour or whether it is rented.
    case changed
    case gone
  }

  let kind: Kind
  let found: FoundBike

  static let fields: Fields<BikeEvent> = [
    Field(
      Column(
        "event", title: "Event", meaning: "what happened to it since the last look",
        type: .choice(Kind.allCases.map(\.rawValue)))
    ) { .text($0.kind.rawValue) },
    .text("id", "Id", "the bike's id") { $0.found.bike.id },
    .text("name", "Name", "what its owner calls it") { $0.found.bike.name },
    .text("color", "Colour", "of the frame") { $0.found.bike.color },
    .integer("distance", "Metres", "from where you are", orNull: { $0.found.metres }),
    .number("location.latitude", "Latitude", "degrees north") { $0.found.bike.place.latitude },
    .number("location.longitude", "Longitude", "degrees east") { $0.found.bike.place.longitude },
    .flag("rented", "Rented", "whether somebody has it out") { $0.found.bike.isRented },
  ]

  /// From one list to the next, in the order of the new one; what is gone comes last.
  static func between(_ old: [FoundBike], _ new: [FoundBike]) -> [BikeEvent] {
    let before = Dictionary(old.map { ($0.bike.id, $0) }) { first, _ in first }
    let after = Set(new.map(\.bike.id))
    let events = new.compactMap { found -> BikeEvent? in
      guard let known = before[found.bike.id] else { return BikeEvent(kind: .appeared, found: found) }
      if known.bike.place != found.bike.place { return BikeEvent(kind: .moved, found: found) }
      var seen = known.bike
      seen.pin = found.bike.pin
      return seen == found.bike ? nil : BikeEvent(kind: .changed, found: found)
    }
    return events + old.filter { !after.contains($0.bike.id) }.map { BikeEvent(kind: .gone, found: $0) }
  }
}

/// Looks again and again; an answer that has not changed costs a line each way.
final class BikeWatch {
  private let client: BikesClient
  private let choice: BikeChoice
  private let context: Context
  private let every: Duration
  private var mark: String?
  private(set) var rows: [FoundBike] = []

  init(_ client: BikesClient, _ choice: BikeChoice, every: Duration, _ context: Context) {
    self.client = client
    self.choice = choice
    self.every = every
    self.context = context
  }

  func run() throws(Failure) {
    let format = try context.output.format(for: FoundBike.self)
    switch format {
    case .jsonl, .csv, .tsv: try stream()
    case .table where context.host.output.isTerminal: try show()
    default:
      throw Failure(
        .usage, "'--watch' writes a list that never ends",
        hint: "use --jsonl, --csv or --tsv, which write what changes; a table wants a terminal")
    }
  }

  /// Looks once; false when nothing has changed.
  private func look() throws(Failure) -> Bool {
    guard let answer = try client.bikes(in: choice.circle, since: mark) else { return false }
    mark = answer.mark
    rows = choice.rows(of: answer.bikes)
    return true
  }

  private func stream() throws(Failure) {
    var isFirst = true
    try context.output.write(each: BikeEvent.self) { out throws(Failure) in
      while true {
        let before = rows
        do throws(Failure) {
          if try look() {
            for event in BikeEvent.between(before, rows) { try out.write(event) }
          }
        } catch {
          // Who watches has time: the service may come back.
          guard error.kind == .connection, !isFirst else { throw error }
          context.messages.report(error.message)
        }
        isFirst = false
        try context.output.outlet.flush()
        try context.time.sleep(for: every)
      }
    }
  }

  private func show() throws(Failure) {
    let context = context
    var screen = WatchedList(every: every) { width in
      let sink = MemorySink()
      var settings = context.output.settings
      settings.screen = Screen(width: width, color: false)
      let output = Output(settings, Outlet(sink))
      // Into memory: nothing can fail there but a field that does not exist, which was refused before.
      try? output.write(self.rows)
      try? output.outlet.flush()
      return sink.text.split(separator: "\n").map(String.init)
    }
    let handed = UncheckedTransfer(self)
    _ = try look()
    try context.show(&screen) { (_: Void) throws(Failure) -> Bool in try handed.value.look() }
  }
}

/// The list in place, with what it shows decided elsewhere.
struct WatchedList: InteractiveScreen {
  private let every: Duration
  /// The lines for a width, made once an answer has come.
  private let lines: (Int) -> [String]
  private var shown: [String] = []
  private var top = 0
  private var size = WindowSize(columns: 80, rows: 24)
  private var status = "q leaves"
  private(set) var alarm: Duration?

  init(every: Duration, lines: @escaping (Int) -> [String]) {
    self.every = every
    self.lines = lines
  }

  mutating func handle(_ event: ScreenEvent<Bool>, at uptime: Duration) -> Next<Void> {
    switch event {
    case .resized(let size):
      self.size = size
      shown = lines(size.columns)
      if alarm == nil { alarm = uptime + every }
    case .tick:
      // The next look begins when this one has its answer.
      alarm = nil
      return .ask(())
    case .answered(let answer):
      alarm = uptime + every
      switch answer {
      case .success(let isNews):
        if isNews { shown = lines(size.columns) }
        status = "q leaves"
      case .failure(let failure): status = failure.message
      }
    case .key(.character("q")), .key(.escape): return .leave
    case .key(.down), .key(.character("j")): top = min(max(0, shown.count - 2), top + 1)
    case .key(.up), .key(.character("k")): top = max(0, top - 1)
    case .key: break
    }
    return .stay
  }

  func draw(on canvas: inout Canvas) {
    let room = max(0, canvas.rows - 2)
    canvas.write(shown.first ?? "", row: 0, column: 0, style: .bold)
    for (row, line) in shown.dropFirst(1 + top).prefix(room).enumerated() {
      canvas.write(line, row: row + 1, column: 0)
    }
    canvas.write(status, row: canvas.rows - 1, column: 0, style: .dim)
  }
}
