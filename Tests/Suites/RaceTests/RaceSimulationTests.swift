import HTTP
import System
import TestSupport
import Testing

@testable import Command
@testable import HTTP
@testable import Race

extension SplitMix64: RandomNumberGenerator {}

extension FakeClock {
  /// Milliseconds since the start of the simulation: the uptime begins at zero.
  var passed: Int64 { uptime().milliseconds }
  /// The service's calendar in milliseconds since 1970. It stays right when the watcher's is set.
  var trueTime: Int64 { FakeClock.start.milliseconds + passed }

  func pass(_ milliseconds: Int64) { advance(by: .milliseconds(milliseconds)) }
}

/// The service with faults: slow, lost and malformed responses, calls of others, CAPTCHAs.
final class SimulatedService: Transport {
  let time: FakeClock
  let limit: Int
  let length: Int
  var faults: Faults
  var random: SplitMix64
  private(set) var finish: Int64?
  /// The watcher's calls, and everybody's, by the minute by the service's clock.
  private(set) var ours: [Int64: Int] = [:]
  private var all: [Int64: Int] = [:]
  private(set) var refusals = 0
  var captchaIsOpen = false
  /// Calls that came while a CAPTCHA was being solved.
  var isBeingSolved = false
  private(set) var callsMeanwhile = 0

  struct Faults {
    var lost = 0.0
    var garbage = 0.0
    var captcha = 0.0
    /// Calls of others in a minute that are not in the ledger.
    var foreign = 0
    var slowest: Int64 = 400
  }

  init(_ time: FakeClock, limit: Int, length: Int, _ faults: Faults, _ random: SplitMix64) {
    self.time = time
    self.limit = limit
    self.length = length
    self.faults = faults
    self.random = random
  }

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    ReceivedResponse(try response(to: request))
  }

  private func response(to request: Request) throws(Failure) -> Response {
    time.pass(Int64.random(in: 5...faults.slowest, using: &random) / 2)
    defer { time.pass(Int64.random(in: 5...faults.slowest, using: &random) / 2) }
    if isBeingSolved { callsMeanwhile += 1 }
    let minute = time.trueTime / 60_000
    ours[minute, default: 0] += 1
    all[minute, default: faults.foreign == 0 ? 0 : Int.random(in: 0...faults.foreign, using: &random)] += 1
    if all[minute] ?? 0 > limit {
      refusals += 1
      return Response(
        429, headers: Bool.random(using: &random) ? ["X-RateLimit-Reset": "\((minute + 1) * 60)"] : [:])
    }
    if random.fraction() < faults.lost { throw Failure(.connection, "lost", retryable: true) }
    if random.fraction() < faults.garbage { return Response(200, body: Array("<html>".utf8)) }
    if captchaIsOpen || random.fraction() < faults.captcha {
      captchaIsOpen = true
      return Response(403, body: Array(#"{"captchaUrl":"https://example.org/c"}"#.utf8))
    }
    if request.url.path.hasSuffix("duration") {
      finish = time.passed + Int64(length) * 1000
      return Response(200, body: Array(#"{"timeInSeconds":\#(length)}"#.utf8))
    }
    let bees = order.map { ##"{"name":"\##($0)","color":"#123456"}"## }.joined(separator: ",")
    return Response(200, body: Array("{\"beeList\":[\(bees)]}".utf8))
  }

  /// Changes every second until the finish.
  private var order: [String] { SimulatedService.order(at: min(time.passed, finish ?? 0) / 1000) }
  var winner: String { SimulatedService.order(at: (finish ?? 0) / 1000)[0] }

  private static func order(at second: Int64) -> [String] {
    var random = SplitMix64(seed: UInt64(second))
    return ["A", "B", "C", "D", "E"].shuffled(using: &random)
  }
}

/// One race with everything drawn from a seed, driven by the requests and alarms of the watch.
struct Simulation {
  let time = FakeClock(uptime: .zero)
  let service: SimulatedService
  var events: [RaceEvent] = []
  var watch: RaceWatch
  let hasFaults: Bool
  private(set) var wasSteady = true

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    time.pass(Int64.random(in: 0..<120_000, using: &random))
    hasFaults = seed % 4 != 0
    var faults = SimulatedService.Faults()
    if hasFaults {
      faults.lost = [0, 0.05, 0.3].randomElement(using: &random) ?? 0
      faults.garbage = [0, 0.05].randomElement(using: &random) ?? 0
      faults.captcha = [0, 0.02].randomElement(using: &random) ?? 0
      faults.foreign = [0, 10, 40].randomElement(using: &random) ?? 0
      faults.slowest = [400, 3000].randomElement(using: &random) ?? 0
    }
    let count = [30, 30, 60, 10].randomElement(using: &random) ?? 30
    service = SimulatedService(
      time, limit: count, length: Int.random(in: 1...180, using: &random), faults, random)
    var settings = RaceWatch.Settings()
    settings.limit = .fixed(count, per: .seconds(60), isShared: true)
    settings.captcha = .browser
    settings.retries = 5
    watch = RaceWatch(settings)
    run(&random)
  }

  private mutating func run(_ random: inout SplitMix64) {
    // No folder can be made there: each simulated process counts alone, in memory.
    let limited = RateLimitingTransport(
      service, limit: watch.settings.limit, ledgersIn: "/dev/null/none",
      deadline: nil,
      time: time, report: { _ in })
    let (time, service) = (time, service)
    let paced = PacedEndpoint(URL(scheme: .https, host: "race.example"), [:], limited)
    let worker = RaceWorker(service: paced, time: time) { _ throws(Failure) in
      service.isBeingSolved = true
      time.pass(7000)
      service.isBeingSolved = false
      service.captchaIsOpen = false
      return .passed
    }
    var input = RaceWatch.Input.begin
    for _ in 0..<5000 where !watch.isOver {
      let step = watch.handle(input, at: time.uptime())
      events += step.events
      if let request = step.request {
        let reply = worker.reply(to: request)
        // Whatever the alarm was, it has rung meanwhile.
        if let alarm = watch.alarm, alarm <= time.uptime() {
          events += watch.handle(.tick, at: time.uptime()).events
        }
        input = .replied(reply)
      } else if let alarm = watch.alarm {
        time.advance(by: max(.milliseconds(1), alarm - time.uptime()))
        jump(&random)
        input = .tick
      } else {
        break
      }
    }
  }

  /// The clock is set, or the machine is suspended.
  private mutating func jump(_ random: inout SplitMix64) {
    guard hasFaults, random.fraction() < 0.01 else { return }
    if Bool.random(using: &random) {
      time.pass(Int64.random(in: 1000...60_000, using: &random))
    } else {
      time.setCalendar(forward: .milliseconds(Int64.random(in: -90_000...90_000, using: &random)))
      wasSteady = false
    }
  }
}

@Suite struct AThousandRaces {
  @Test(arguments: 0..<20)
  func neverOverLimitRightWinnerEveryEventInOrder(part: UInt64) {
    for seed in part * 50..<part * 50 + 50 {
      let run = Simulation(seed: seed)
      let (events, service) = (run.events, run.service)
      let about: Comment = "seed \(seed)"
      #expect(run.watch.isOver, about)
      #expect(service.ours.values.allSatisfy { $0 <= service.limit }, about)
      #expect(service.callsMeanwhile == 0, about)
      #expect(events.map(\.seq) == Array(1...max(1, events.count)), about)
      #expect(zip(events, events.dropFirst()).allSatisfy { $0.elapsed <= $1.elapsed }, about)
      #expect(events.count { $0.kind == .start } <= 1, about)
      #expect(events.count { $0.kind == .finish } <= 1, about)
      #expect(events.count { $0.kind == .captcha } >= events.count { $0.kind == .resumed }, about)
      switch run.watch.outcome {
      case .success(let finish)?:
        #expect(events.last == finish, about)
        if finish.isProvisional == false { #expect(finish.winner == service.winner, about) }
        if !run.hasFaults { #expect(finish.isProvisional == false, about) }
      case .failure?:
        #expect(run.hasFaults, about)
        #expect(events.contains { $0.kind == .error }, about)
      case nil: break
      }
      // Where nobody else calls, and the clocks are right, the ledger alone keeps it from ever being refused.
      if service.faults.foreign == 0, run.wasSteady { #expect(service.refusals == 0, about) }
    }
  }

  @Test func mostFaultyRacesEndWithRightWinner() {
    let runs = (0..<200).map { Simulation(seed: UInt64($0)) }
    let right = runs.count { $0.watch.outcome.flatMap { try? $0.get() }?.winner == $0.service.winner }
    #expect(right > 140, "\(right)")
  }
}
