import Command
import Output
import System
import Terminal

extension Race {
  static let source = Operand(
    "RACE", ValueKind<String>.text("RACE", .wordsOrFiles(raceIDs)).orInput,
    "The id of a race, 'latest', or a file; '-' is standard input")
  static let play = Option(
    "play", "Replay the race with its original timing",
    details: """
      On a terminal the screen of 'hw race watch' is shown: space pauses, q quits. In a pipe each event is printed \
      at its time.
      """)
  static let speed = Option("speed", .count(1...1000), default: 1, "Replay N times as fast, with --play")

  /// Shell code before an example, which adds a race to the history.
  static let raceToShow = "hw serve --race-seconds 1 -- hw race watch -q >/dev/null; "

  static let show = Command(
    "show", "Show or play a watched race",
    discussion: """
      RACE is a race of the history, or a file of events from 'hw race watch --jsonl' or 'hw race show --jsonl'. Each \
      event is a line. --quiet prints only the name of the winner of each race. The status is then 1 if the last race \
      has no winner.
      """,
    operands: [source], options: [play, speed], settings: [animation],
    output: .rows(
      RaceEvent.self, text: "One line for the start, for each change of the standings, and for the winner."
    )
    .schemaVersion(2),
    needs: [.store],
    examples: [
      Example("hw race show latest", "the events of the latest race", after: raceToShow),
      Example("hw race show latest --play --speed 10", "replay it ten times as fast", after: raceToShow),
    ],
    failures: [.no, .notFound, .invalidData]
  ) { call, context throws(Failure) in
    guard call[play] || !call.isGiven(speed) else {
      throw Failure(.usage, "'--speed' requires '--play'", hint: "add '--play'")
    }
    let attempts = try attempts(try call[source], context)
    if call[play], context.showsRaceScreen(call) {
      var screen = ReplayScreen(attempts, speed: call[speed], slides: call[animation])
      try context.show(&screen)
      // A user who leaves early does not want the result.
      if screen.isOver, let finish = attempts.last?.finish {
        try context.output.outlet.write("\(finish.verdict.terminalSafe)\n")
      }
      return
    }
    let lines = RaceReport(
      output: context.output, messages: context.messages, isBrief: call[StandardOptions.quiet],
      isRecorded: true)
    try lines.write { report throws(Failure) in
      for attempt in attempts {
        // A watch can join a race in the middle.
        var shown = attempt.events.first?.elapsed ?? .zero
        for event in attempt.events {
          if call[play], event.elapsed > shown {
            try context.time.sleep(for: (event.elapsed - shown) / call[speed])
          }
          shown = event.elapsed
          try report([event])
        }
      }
    }
    if attempts.last?.events.last?.end == nil {
      context.messages.report("the recording ends before the finish")
    }
    guard call[StandardOptions.quiet], attempts.last?.finish?.winner == nil else { return }
    throw Failure(.no, "the recording has no winner")
  }

  /// Reads a race of the history, or all attempts in a file.
  private static func attempts(_ source: String, _ context: Context) throws(Failure) -> [RaceRecording] {
    guard let race = RaceReference(source) else {
      return try RaceRecording.read(try context.open(source), name: source == "-" ? "standard input" : source)
    }
    let history = try context.readableRaceHistory()
    return [try history.recording(race.id(in: history))]
  }
}

/// The screen of `hw race show --play`. Replays recordings one after the other.
struct ReplayScreen: InteractiveScreen {
  private var recording: RaceRecording
  private var following: ArraySlice<RaceRecording>
  private let speed: Int
  private let slides: Bool
  private var board = RaceBoard()
  private var next = 0
  private var size: WindowSize?
  private var now = Duration.zero
  private var elapsed = Duration.zero
  private var isPaused = false
  private var hasBegun = false
  private var note: (text: String, style: Style)?

  init(_ attempts: [RaceRecording], speed: Int, slides: Bool) {
    recording = attempts.first ?? RaceRecording(events: [])
    elapsed = recording.events.first?.elapsed ?? .zero
    following = attempts.dropFirst()
    self.speed = speed
    self.slides = slides
  }

  mutating func handle(_ event: ScreenEvent<Never>, at uptime: Duration) -> Next<Never> {
    if hasBegun, !isPaused { elapsed += (uptime - now) * speed }
    now = uptime
    hasBegun = true
    switch event {
    case .resized(let size): self.size = size
    case .key(.character("q")), .key(.escape): return .leave
    case .key(.enter) where isOver: return .leave
    case .key(.character(" ")) where !isOver: isPaused.toggle()
    case .key(let key): board.scroll(by: key)
    case .tick, .completed: break
    }
    while !isOver, recording.events[next].elapsed <= elapsed {
      show(recording.events[next])
      next += 1
      if isOver, let attempt = following.popFirst() {
        recording = attempt
        next = 0
        elapsed = attempt.events.first?.elapsed ?? .zero
        board = RaceBoard()
      }
    }
    if let size { RaceView.fit(&board, to: size, hasWinner: hasWinner) }
    return .stay
  }

  private mutating func show(_ event: RaceEvent) {
    if let bees = event.bees { board.show(bees, at: now, slides: slides && event.kind == .standings) }
    note = (event.note ?? event.message).map { ($0, .yellow) }
  }

  var isOver: Bool { next >= recording.events.count }
  private var hasWinner: Bool { isOver && recording.finish?.winner != nil }

  var alarm: Duration? {
    if board.isSliding(at: now) { return now + .milliseconds(50) }
    guard !isOver, !isPaused else { return nil }
    let wait = max(.milliseconds(5), (recording.events[next].elapsed - elapsed) / speed)
    return now + min(wait, .milliseconds(500))
  }

  func draw(on canvas: inout Canvas) {
    var view = RaceView(
      title: isPaused ? "Replay (paused)" : speed == 1 ? "Replay" : "Replay ×\(speed)", elapsed: elapsed,
      length: recording.duration, note: note, keys: "space pause  ↑↓ scroll  q quit")
    if isOver {
      view.elapsed = recording.duration ?? elapsed
      view.title = recording.finish?.title ?? "End of the recording"
      view.isOver = true
      view.hasWinner = hasWinner
      view.keys = "↑↓ scroll  Enter quit"
    }
    view.draw(on: &canvas, board, at: now)
  }
}
