import Command
import Output
import System
import Terminal

extension Race {
  static let speed = Option("speed", .count(1...1000), default: 1, "Replay N times as fast")
  static let source = Operand(
    "RACE", ValueKind<String>.text("RACE", .files), "A race of the history, or a file of events")

  static let replay = Command(
    "replay", "Watch a race again",
    discussion: """
      A race of the history by its number or as 'latest', or a file that 'hw race watch' saved or printed as JSON lines; '-' is standard input. On a terminal \
      it is the screen of 'hw race watch': space halts it, 'q' leaves. Elsewhere its events come as they came then.
      """,
    operands: [source], options: [speed, animation],
    output: .rows(
      RaceEvent.self, text: "A line for the start, each change of the standings, and the winner."),
    needs: [.store],
    examples: [
      Example(
        "hw serve --race-seconds 1 -- hw race watch --jsonl | hw race replay - --speed 10",
        "a race, and the same once more"),
      Example("hw race replay 999", "one that was not watched", exits: 3),
    ],
    failures: [.notFound, .invalidData]
  ) { call, context throws(Failure) in
    let attempts = try attempts(try call[source], context)
    if context.host.hasScreen, context.output.settings.format == nil, !call[StandardOptions.quiet] {
      var screen = ReplayScreen(attempts, speed: call[speed], slides: call[animation])
      try context.show(&screen)
      // Who leaves before the end does not want to know it.
      if screen.isOver, let finish = attempts.last?.finish {
        try context.output.outlet.write("\(finish.verdict.terminalSafe)\n")
      }
      return
    }
    let lines = RaceReport(
      output: context.output, messages: context.messages, isBrief: call[StandardOptions.quiet])
    try lines.write { report throws(Failure) in
      for attempt in attempts {
        var shown = Duration.zero
        for event in attempt.events {
          if event.elapsed > shown { try context.time.sleep(for: (event.elapsed - shown) / call[speed]) }
          shown = event.elapsed
          try report([event])
        }
      }
    }
  }

  /// One race of the history, or all attempts in a file.
  private static func attempts(_ source: String, _ context: Context) throws(Failure) -> [RaceRecording] {
    if source == "latest" {
      let history = try RaceHistory(context.raceStore)
      return [try history.recording(history.latest())]
    }
    if let id = Int(source), id >= 0 {
      return [try RaceHistory(context.raceStore).recording(id)]
    }
    return try RaceRecording.read(
      try context.open(source), name: source == "-" ? "standard input" : source)
  }
}

/// The screen of `hw race replay`: that of the race, driven by recordings, one after the other.
struct ReplayScreen: InteractiveScreen {
  private var recording: RaceRecording
  private var following: ArraySlice<RaceRecording>
  private let speed: Int
  private let slides: Bool
  private var board = RaceBoard()
  private var next = 0
  private var size = WindowSize(columns: 80, rows: 24)
  private var now = Duration.zero
  /// Time in the race, not on the clock.
  private var elapsed = Duration.zero
  private var isHalted = false
  private var hasBegun = false
  private var note: (text: String, style: Style)?

  init(_ attempts: [RaceRecording], speed: Int, slides: Bool) {
    recording = attempts.first ?? RaceRecording(events: [])
    following = attempts.dropFirst()
    self.speed = speed
    self.slides = slides
  }

  mutating func handle(_ event: ScreenEvent<Never>, at uptime: Duration) -> Next<Never> {
    if hasBegun, !isHalted, !isOver { elapsed += (uptime - now) * speed }
    now = uptime
    hasBegun = true
    switch event {
    case .resized(let size): self.size = size
    case .key(.character("q")), .key(.escape): return .leave
    case .key(.enter) where isOver: return .leave
    case .key(.character(" ")) where !isOver: isHalted.toggle()
    case .key(let key): _ = board.scroll(by: key)
    case .tick, .completed: break
    }
    while !isOver, recording.events[next].elapsed <= elapsed {
      show(recording.events[next])
      next += 1
      if isOver, let attempt = following.popFirst() {
        recording = attempt
        next = 0
        elapsed = .zero
        board = RaceBoard()
      }
    }
    board.fit(size, height: RaceView.boardHeight(size))
    return .stay
  }

  private mutating func show(_ event: RaceEvent) {
    if let bees = event.bees { board.show(bees, at: now, slides: slides && event.kind == .standings) }
    note = (event.note ?? event.message).map { ($0, .yellow) }
  }

  var isOver: Bool { next >= recording.events.count }

  var alarm: Duration? {
    if board.isSliding(at: now) { return now + .milliseconds(50) }
    guard !isOver, !isHalted else { return nil }
    let wait = max(.milliseconds(5), (recording.events[next].elapsed - elapsed) / speed)
    return now + min(wait, .milliseconds(500))
  }

  func draw(on canvas: inout Canvas) {
    var view = RaceView(
      title: isHalted ? "Replay (halted)" : speed == 1 ? "Replay" : "Replay ×\(speed)", elapsed: elapsed,
      length: recording.duration, note: note, keys: "space halt  ↑↓ scroll  q leave")
    if isOver {
      view.elapsed = recording.duration ?? elapsed
      view.title = recording.finish?.title ?? "The recording ends here"
      view.isOver = true
      view.keys = "↑↓ scroll  Enter leave"
    }
    view.draw(on: &canvas, board, at: now)
  }
}
