import Foundation
import JSON
import System
import Terminal
import TestSupport

@testable import Bikes
@testable import Race
@testable import Wordle

extension Driver {
  /// Keys as bytes, window sizes and time, for the screens: they go on, and draw nothing but text.
  static let screens = Driver(name: "screens", round: 20) { _ in
    let samples = try ScreenSamples()
    return Attack(make: ScreenSamples.make, judge: samples.judge)
  }
}

private struct ScreenSamples {
  let scores: [Score]
  let bikes: [Bike]
  let races: [RaceRecording]

  private static let hostile = #"a\u001b[2J\u202eb\u0007\u009b\ud83d\udc69\u200d\ud83d\udc67\ufeff漢字é\n\t"#

  init() throws {
    guard let home = try? ScratchDirectory() else { throw Failure(.storage, "no directory") }
    let list = Ran(["wordle", "scores", "--json"], in: .init(home: home))
    scores = try JSON.parse(list.output).array.prefix(30).compactMap { try? Score($0) }
    var bikes: [Bike] = []
    for number in 0..<40 {
      let text =
        #"{"id":"\#(number)\#(Self.hostile)","name":"\#(Self.hostile)","color":"\#(number % 2 == 0 ? "red" : Self.hostile)","#
        + #""pin":"0420","location":{"latitude":\#(50.11 + Double(number) / 1000),"longitude":8.68},"rented":false}"#
      if let bike = try? Bike(try JSON.parse(text)) { bikes.append(bike) }
    }
    self.bikes = bikes
    races = try RaceRecording.read(MemorySource(Array(ImportSamples.race.joined().utf8)), name: "race")
    if scores.isEmpty || bikes.isEmpty || races.isEmpty {
      throw Failure(.defect, "no samples: \(scores.count) scores, \(bikes.count) bikes, \(races.count) races")
    }
  }

  /// The first byte is the screen. Then: 0xFD a time, 0xFE a window size, 0xFC an answer, anything else is typed.
  static func make(_ random: inout SeededGenerator) -> [UInt8] {
    let typed = [
      "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[H", "\u{1B}[F",
      "\u{1B}OP", "\u{1B}", "\u{1B}[<0;5;5M", "\u{1B}[<0;5;5m", "\u{1B}[<64;99999999999999999999;1M",
      "\u{1B}[<65;0;0M", "\u{1B}[<0;-1;70000M", "\u{1B}]0;title\u{7}", "\u{1B}[99999999999999999999A",
      "\u{1B}[M!!!", "\t", "\r", " ", "+", "-", "/", "?", "q", "n", "N", "p", "r", "a", "c", "f", "s", "l",
      "h", "j", "k", "g", "G", "0", "é", "漢", "😀", "\u{7F}", "\u{8}", "=", "x", "y", "\u{200D}", "e\u{301}",
    ]
    var bytes = [UInt8(random.below(4))]
    for _ in 0..<(1 + random.below(40)) {
      switch random.below(10) {
      case 0: bytes += [0xFE, size(&random), size(&random)]
      case 1, 2: bytes += [0xFD, UInt8(random.below(256))]
      case 3: bytes += [0xFC, UInt8(random.below(256))]
      case 4: bytes.append(UInt8(random.below(252)))
      default: bytes += Array(random.pick(typed).utf8)
      }
    }
    return bytes
  }

  private static func size(_ random: inout SeededGenerator) -> UInt8 {
    random.chance(3) ? UInt8(random.below(5)) : UInt8(random.below(256))
  }

  func judge(_ input: [UInt8]) throws -> String? {
    var rest = input[...]
    switch (rest.popFirst() ?? 0) % 4 {
    case 0:
      var screen = ScoreBrowser(scores, style: CardStyle(color: input.count % 2 == 0), isAnimated: true)
      return try play(&screen, rest) { (_: Never, _) -> Result<Never, Failure> in }
    case 1:
      var screen = MapScreen(Circle(bikes[0].place, meters: 500), you: bikes[1].place, showsRented: false)
      return try play(&screen, rest) { request, byte in
        if case .rent = request { return .success(.refused("\u{1B}[2J\u{202E}no")) }
        return byte % 3 == 0
          ? .failure(Failure(.connection, "gone\u{1B}[2J")) : .success(.bikes(Array(bikes.prefix(Int(byte)))))
      }
    case 2:
      var screen = ReplayScreen(races, speed: 1 + input.count % 1000, slides: input.count % 2 == 0)
      return try play(&screen, rest) { (_: Never, _) -> Result<Never, Failure> in }
    default:
      let bees = races.flatMap(\.events).compactMap(\.bees).last ?? []
      var screen = RaceScreen(
        RaceWatch.Settings(), startsAtOnce: input.count % 3 > 0, slides: input.count % 2 == 0
      ) { _ in }
      return try play(&screen, rest) { request, byte in
        if byte % 5 == 0 {
          let failure = Failure(.connection, "gone\u{1B}[2J", retryable: true)
          return .success(RaceWatch.Reply(number: request.number, result: .failure(failure)))
        }
        let response: RaceWatch.Response =
          switch request.kind {
          case .preview, .duration: .duration(RaceStart(length: .seconds(Int(byte))), nil)
          case .standings: .standings(RaceStandings(bees: bees), nil)
          case .solve: .solved
          }
        return .success(RaceWatch.Reply(number: request.number, result: .success(response)))
      }
    }
  }

  private func play<Screen: InteractiveScreen>(
    _ screen: inout Screen, _ bytes: ArraySlice<UInt8>,
    answer: (Screen.Request, UInt8) -> Result<Screen.Outcome, Failure>
  ) throws -> String? {
    var rest = bytes
    var decoder = KeyDecoder()
    var now = Duration.seconds(100)
    var painter = Painter(color: bytes.count % 3 == 0)
    var size = WindowSize(columns: 80, rows: 24)
    var requests: [Screen.Request] = []
    var events: [ScreenEvent<Screen.Outcome>] = [.resized(size)]
    while true {
      for event in events {
        let next: Next<Screen.Request>
        do throws(Failure) {
          next = try screen.handle(event, at: now)
        } catch {
          // A failure ends the screen, and is the command's.
          return error.kind == .defect ? "\(error)" : nil
        }
        switch next {
        case .leave: return nil
        case .request(let request): requests.append(request)
        case .stay: break
        }
        var canvas = Canvas(size)
        screen.draw(on: &canvas)
        let drawn = canvas.lines.joined(separator: "\n")
        // The painter adds the colors.
        if drawn.utf8.contains(0x1B) { return "an escape sequence is drawn" }
        if let problem = TerminalText.problem(Array(drawn.utf8)) { return "drawn: \(problem)" }
        _ = painter.frame(canvas)
      }
      events = []
      guard let byte = rest.popFirst() else { return nil }
      switch byte {
      case 0xFE:
        size = WindowSize(columns: Int(rest.popFirst() ?? 0), rows: Int(rest.popFirst() ?? 0))
        events = [.resized(size)]
      case 0xFD:
        now += .milliseconds(Int(rest.popFirst() ?? 0) * 40)
        events = decoder.finish().map { .key($0) }
        if let alarm = screen.alarm {
          now = max(now, min(alarm, now + .seconds(60)))
          if alarm <= now { events.append(.tick) }
        }
      case 0xFC:
        let byte = rest.popFirst() ?? 0
        if !requests.isEmpty { events = [.completed(answer(requests.removeFirst(), byte))] }
      default: events = decoder.decode([byte]).map { .key($0) }
      }
    }
  }
}
