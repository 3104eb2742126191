import Command
import HTTP
import System
import Testing

@testable import Race

/// Responses of the original service.
extension RaceWatch.Response {
  static func duration(_ length: Duration, _ budget: PacedEndpoint.Budget?) -> RaceWatch.Response {
    .duration(RaceStart(length: length), budget)
  }

  static func standings(_ bees: [Bee], _ budget: PacedEndpoint.Budget?) -> RaceWatch.Response {
    .standings(RaceStandings(bees: bees), budget)
  }
}

/// Drives a watch step by step, with a clock of its own.
struct WatchDriver {
  var watch: RaceWatch
  var now = Duration.seconds(1000)
  var events: [RaceEvent] = []
  var request: RaceWatch.Request?

  static let a = Bee(name: "A", color: "#111111")
  static let b = Bee(name: "B", color: "#222222")

  init(_ change: (inout RaceWatch.Settings) -> Void = { _ in }) {
    var settings = RaceWatch.Settings()
    change(&settings)
    watch = RaceWatch(settings)
    send(.begin)
  }

  /// One that has begun a race of `seconds` and has seen A in front.
  static func race(_ seconds: Int, _ change: (inout RaceWatch.Settings) -> Void = { _ in }) -> WatchDriver {
    var driver = WatchDriver(change)
    driver.answer(.duration(.seconds(seconds), nil))
    driver.answer(.standings([a, b], nil))
    return driver
  }

  mutating func send(_ input: RaceWatch.Input) {
    let step = watch.handle(input, at: now)
    events += step.events
    if let request = step.request { self.request = request }
  }

  mutating func answer(_ answer: RaceWatch.Response) { reply(.success(answer)) }
  mutating func fail(_ failure: Failure) { reply(.failure(failure)) }

  /// The rate limit, without a word on when it ends; the next minute of the clock begins in `nextMinute` seconds.
  mutating func refuse(_ nextMinute: Double) {
    reply(
      .failure(Failure(.rateLimited, "limited")),
      nextMinute: .milliseconds(Int64((nextMinute * 1000).rounded())))
  }

  private mutating func reply(
    _ reply: Result<RaceWatch.Response, Failure>, nextMinute: Duration = .seconds(60)
  ) {
    guard let asked = request else { return }
    request = nil
    send(.replied(.init(number: asked.number, result: reply, nextMinute: nextMinute)))
  }

  /// Lets time pass to the alarm, and says how much that was.
  @discardableResult
  mutating func wait() -> Double {
    guard let alarm = watch.alarm else { return -1 }
    let passed = max(.zero, alarm - now)
    now = max(now, alarm)
    send(.tick)
    return passed.inSeconds
  }

  mutating func pass(_ seconds: Double) {
    now += .milliseconds(Int64(seconds * 1000))
    send(.tick)
  }

  var kinds: [RaceEvent.Kind] { events.map(\.kind) }
  var failure: Failure? { if case .failure(let failure)? = watch.outcome { failure } else { nil } }
  var finish: RaceEvent? { try? watch.outcome?.get() }
}

extension Failure {
  static let offline = Failure(.connection, "'host:80' refused the connection", retryable: true)
  static let garbage = Failure(.invalidData, "expected JSON, got HTML")
  static func limited(_ seconds: Int) -> Failure {
    Failure(.rateLimited, "limited", details: [.init("retryAfter", .integer(seconds))])
  }
  static func captcha(_ url: String = "https://example.org/c") throws -> Failure {
    try CaptchaAddress(url).required
  }
}

@Suite struct AWatchedRace {
  @Test func isAskedForItsLengthOnceAndLookedAtAsPlanned() {
    var race = WatchDriver()
    #expect(race.request == RaceWatch.Request(number: 1, kind: .duration))
    race.answer(.duration(.seconds(10), nil))
    var left: [Double] = []
    while let request = race.request {
      guard case .standings(let untilFinish) = request.kind else { break }
      left.append(untilFinish.inSeconds)
      race.answer(.standings([WatchDriver.a], nil))
      race.wait()
    }
    #expect(left == [10, 7.5, 5, 2.5, 0])
    #expect(race.kinds == [.start, .standings, .finish])
    #expect(race.events.map(\.seq) == [1, 2, 3])
    #expect(race.finish?.winner == "A")
    #expect(race.finish?.isProvisional == false)
    #expect(race.finish?.elapsed == .seconds(10))
    #expect(race.finish?.remaining == .zero)
  }

  @Test func tellsEveryChangeOnceAndCopesWithBeesThatComeAndGo() {
    var race = WatchDriver.race(30)
    let lists: [[Bee]] = [
      [WatchDriver.b, WatchDriver.a], [WatchDriver.b, WatchDriver.a], [WatchDriver.b], [],
      [WatchDriver.a, WatchDriver.a, WatchDriver.b],
    ]
    for list in lists {
      race.wait()
      race.answer(.standings(list, nil))
    }
    #expect(race.events.compactMap(\.bees?.count) == [2, 2, 1, 0, 3])
  }

  @Test func theWinnerIsTheFinishsNotALookBefore() {
    var race = WatchDriver.race(5)
    race.wait()
    // The look before the finish takes so long that its answer comes after it.
    race.now += .seconds(4)
    race.answer(.standings([WatchDriver.a], nil))
    #expect(!race.watch.isOver)
    #expect(race.request?.kind == .standings(untilFinish: .zero))
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.finish?.winner == "B")
    #expect(race.finish?.isProvisional == false)
  }

  @Test func lateAnswersAreNotTakenForNewerOnes() {
    var race = WatchDriver.race(20)
    race.wait()
    let old = race.request?.number ?? 0
    race.answer(.standings([WatchDriver.b], nil))
    race.send(.replied(.init(number: old, result: .success(.standings([WatchDriver.a], nil)))))
    race.send(.replied(.init(number: 999, result: .success(.standings([WatchDriver.a], nil)))))
    race.send(.replied(.init(number: 0, result: .failure(.offline))))
    #expect(race.watch.bees == [WatchDriver.b])
    var next = RaceWatch(.init(), after: race.watch)
    let request = next.handle(.begin, at: race.now).request
    #expect((request?.number ?? 0) > old)
  }

  @Test func aReplyToAnOldRequestIsIgnoredWhileANewOneIsInFlight() throws {
    var race = WatchDriver.race(20)
    race.wait()
    race.answer(.standings([WatchDriver.b], nil))
    race.wait()
    let request = try #require(race.request)
    let (watch, events) = (race.watch, race.events)
    for number in [request.number - 1, request.number + 1, 0] {
      race.send(.replied(.init(number: number, result: .success(.standings([WatchDriver.a], nil)))))
      race.send(.replied(.init(number: number, result: .failure(.offline))))
      race.send(.replied(.init(number: number, result: .success(.duration(.seconds(5), nil)))))
    }
    #expect(race.events == events)
    #expect(race.request == request)
    #expect(race.watch.finish == watch.finish)
    race.answer(.standings([WatchDriver.a], nil))
    #expect(race.watch.bees == [WatchDriver.a])
  }

  @Test func aReplyToAFormerAttemptIsIgnored() throws {
    var race = WatchDriver { $0.deadline = (after: .seconds(5), failure: .offline) }
    let old = try #require(race.request)
    race.pass(5)
    #expect(race.failure == .offline)
    var next = RaceWatch(.init(), after: race.watch)
    let request = try #require(next.handle(.begin, at: race.now).request)
    let step = next.handle(
      .replied(.init(number: old.number, result: .success(.duration(.seconds(9), nil)))), at: race.now)
    #expect(step.events.isEmpty)
    #expect(next.length == nil)
    let started = next.handle(
      .replied(.init(number: request.number, result: .success(.duration(.seconds(8), nil)))), at: race.now)
    #expect(started.events.map(\.seq) == [1])
    #expect(next.length == .seconds(8))
  }

  @Test func beesOfOneNameAreToldApartByTheirColor() {
    let (red, blue) = (Bee(name: "Twin", color: "#ff0000"), Bee(name: "Twin", color: "#0000ff"))
    var race = WatchDriver.race(30)
    for list in [[red, blue], [red, blue], [blue, red], [blue, blue]] {
      race.wait()
      race.answer(.standings(list, nil))
    }
    #expect(race.events.dropFirst(2).compactMap(\.bees) == [[red, blue], [blue, red], [blue, blue]])
  }

  @Test func aClockThatGoesBackStandsStill() {
    var race = WatchDriver.race(20)
    let before = race.now
    race.now = .seconds(5)
    race.send(.tick)
    race.now = before
    race.wait()
    race.answer(.standings([WatchDriver.b], nil))
    #expect(zip(race.events, race.events.dropFirst()).allSatisfy { $0.elapsed <= $1.elapsed })
  }

  @Test func aLaptopThatSleptInTheRaceGoesOnWithoutABurst() {
    var race = WatchDriver.race(120)
    race.pass(60)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.request == nil)
    #expect(race.wait() > 1)
  }

  @Test func aDeadlineGivesEverythingUp() {
    var race = WatchDriver.race(60) { $0.deadline = (after: .seconds(7), failure: .offline) }
    while !race.watch.isOver {
      race.wait()
      if !race.watch.isOver { race.answer(.standings([WatchDriver.a], nil)) }
    }
    #expect(race.failure == .offline)
    #expect(race.events.last?.elapsed == .seconds(7))
  }

  @Test func afterTheEndNothingHappens() {
    var race = WatchDriver.race(1)
    race.wait()
    race.answer(.standings([WatchDriver.a], nil))
    let count = race.events.count
    for input in [RaceWatch.Input.tick, .begin, .pollNow] { race.send(input) }
    #expect(race.events.count == count)
    #expect(race.request == nil)
    #expect(race.watch.alarm == nil)
  }

  @Test func afterTheDeadlineNothingIsAwaited() {
    for seconds in [5.0, 7] {
      var race = WatchDriver.race(60) { $0.deadline = (after: .seconds(seconds), failure: .offline) }
      // Just before the deadline of the first a request is sent, and one is due after that of the second.
      race.wait()
      if seconds == 7 { race.answer(.standings([WatchDriver.b], nil)) }
      race.pass(seconds - 2.5)
      #expect(race.failure == .offline)
      #expect(race.watch.inFlight == nil && race.watch.nextPoll == nil)
    }
  }
}

@Suite struct ARaceInTrouble {
  @Test func aRateLimitIsWaitedForAndTheCountdownGoesOn() {
    var race = WatchDriver.race(60)
    race.wait()
    race.fail(.limited(20))
    #expect(race.events.last?.kind == .rateLimited)
    #expect(race.events.last?.wait == .seconds(20))
    #expect(race.request == nil)
    #expect(race.wait() >= 20)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.watch.finish == race.watch.start.map { $0 + .seconds(60) })
    #expect(race.watch.bees == [WatchDriver.b])
  }

  @Test func aRateLimitToTheEndLeavesWhatWasKnown() {
    var race = WatchDriver.race(10)
    race.wait()
    race.fail(.limited(599))
    // The call that is kept for the finish.
    #expect(race.wait() == 7.5)
    #expect(race.request?.kind == .standings(untilFinish: .zero))
    race.fail(.limited(591))
    #expect(race.failure?.kind == .rateLimited)
    #expect(race.failure?.retryAfter == .seconds(591))
    #expect(race.failure?.hint == "retry in 591 s")
    #expect(race.events.last?.winner == nil && race.events.last?.leader == "A")
    #expect(race.events.last?.isProvisional == true)
    // At the finish, and not one request more.
    #expect(race.events.last?.elapsed == .seconds(10))
    #expect(race.request == nil)
  }

  @Test func aRateLimitThatEndsBeforeTheSettlingDoesStillGivesTheWinner() {
    var race = WatchDriver.race(10)
    race.wait()
    race.fail(.limited(15))
    race.wait()
    race.fail(.limited(8))
    #expect(race.wait() == 8)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.finish?.winner == "B")
    #expect(race.finish?.isProvisional == false)
  }

  @Test func theSettlingLastsUntilTheServiceAcceptsCallsAgain() {
    var race = WatchDriver.race(10) { $0.settle = .seconds(1) }
    race.wait()
    race.fail(.limited(59))
    #expect(race.wait() == 7.5)
    race.fail(.limited(51))
    #expect(race.events.last?.wait == .seconds(51))
    #expect(race.wait() == 51)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.finish?.winner == "B")
    #expect(race.finish?.isProvisional == false)
  }

  @Test func aRefusalWithoutATimeIsRetriedAfterTwoFourAndEightSecondsAndInTheNextMinute() {
    var race = WatchDriver.race(200)
    race.wait()
    var waits: [Double] = []
    var nextMinute = 55.0
    for _ in 0..<6 {
      race.refuse(nextMinute)
      waits.append(race.wait())
      #expect(race.events.last?.wait?.inSeconds == waits.last)
      nextMinute = (nextMinute - (waits.last ?? 0) + 60).truncatingRemainder(dividingBy: 60)
    }
    #expect(waits == [2, 4, 8, 41.5, 2, 4])
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.watch.bees == [WatchDriver.b])
    race.wait()
    race.refuse(50)
    #expect(race.wait() == 2)
  }

  @Test func aNewMinuteIsNotWaitedPast() {
    var race = WatchDriver.race(200)
    race.wait()
    race.refuse(30)
    race.wait()
    race.refuse(1)
    #expect(race.wait() == 1.5)
  }

  @Test("One refusal at the finish does not cost it", arguments: [0.3, 1, 10])
  func refusedAtTheFinish(settle: Double) {
    var refused = WatchDriver.race(4) { $0.settle = .milliseconds(Int64(settle * 1000)) }
    refused.wait()
    #expect(refused.request?.kind == .standings(untilFinish: .zero))
    refused.refuse(40)
    refused.wait()
    guard settle > 0.5 else {
      #expect(refused.failure?.kind == .rateLimited)
      return
    }
    refused.answer(.standings([WatchDriver.b], nil))
    #expect(refused.finish?.winner == "B")
    #expect(refused.finish?.isProvisional == false)
  }

  @Test func aRefusalInTheRaceDoesNotKeepItFromAskingAtTheFinish() {
    var race = WatchDriver.race(5)
    race.wait()
    race.refuse(50)
    #expect(race.wait() == 2)
    race.refuse(48)
    // Before the four seconds are over.
    #expect(race.wait() == 0.5)
    #expect(race.request?.kind == .standings(untilFinish: .zero))
  }

  @Test func aRateLimitAtTheFirstCallIsWaitedFor() {
    var race = WatchDriver()
    race.fail(.limited(30))
    #expect(race.wait() == 30)
    #expect(race.request?.kind == .duration)
    race.answer(.duration(.seconds(5), nil))
    #expect(race.kinds == [.rateLimited, .start])
    #expect(race.events.first?.remaining == nil)
  }

  @Test(
    "Trouble that lasts to the end is what it ends with, and what was known is told",
    arguments: [
      Failure.offline, .garbage,
    ])
  func lost(failure: Failure) {
    var race = WatchDriver.race(20)
    while !race.watch.isOver {
      if race.request == nil { race.wait() }
      race.fail(failure)
    }
    #expect(race.failure == failure)
    #expect(race.kinds.suffix(2) == [.error, .finish])
    #expect(race.events.last?.winner == nil && race.events.last?.leader == "A")
    #expect(race.events.last?.isProvisional == true)
    #expect(race.events.last?.elapsed ?? .zero <= .seconds(31))
  }

  @Test func aRaceThatWasNeverSeenIsAFailure() {
    var race = WatchDriver()
    race.answer(.duration(.seconds(5), nil))
    while !race.watch.isOver {
      if race.request == nil { race.wait() }
      race.fail(.offline)
    }
    #expect(race.failure == .offline)
    #expect(race.events.last?.kind == .error)
  }

  @Test func whoBeginsWhenLittleIsLeftLeavesTheFirstLookToOthers() {
    var race = WatchDriver()
    race.answer(.duration(.seconds(10), .init(left: 20, renewal: .seconds(60))))
    #expect(race.request == nil)
    #expect(race.wait() == 2.5)
    var early = WatchDriver()
    early.answer(.duration(.seconds(10), .init(left: 21, renewal: .seconds(60))))
    #expect(early.request != nil)
  }

  @Test func aBudgetThatOthersUseUpMakesTheLooksRarer() {
    var race = WatchDriver()
    race.answer(.duration(.seconds(50), .init(left: 29, renewal: .seconds(60))))
    race.answer(.standings([WatchDriver.a], .init(left: 3, renewal: .seconds(58))))
    // Two looks, and one for the finish.
    var waits: [Double] = []
    while !race.watch.isOver {
      waits.append(race.wait())
      race.answer(.standings([WatchDriver.a], nil))
    }
    #expect(waits.count <= 3)
    #expect(waits.allSatisfy { $0 > 15 })
    #expect(race.finish?.isProvisional == false)
  }

  @Test func aBudgetThatSufficesLeavesThePlanAsItIs() {
    var race = WatchDriver()
    race.answer(.duration(.seconds(10), nil))
    race.answer(.standings([WatchDriver.a], .init(left: 28, renewal: .seconds(60))))
    #expect(race.wait() == 2.5)
  }

  @Test func afterARefusalTheBudgetOfBeforeDoesNotCount() {
    var race = WatchDriver()
    race.answer(.duration(.seconds(50), .init(left: 3, renewal: .seconds(60))))
    #expect(race.wait() == 25)
    race.fail(.limited(5))
    #expect(race.wait() == 5)
    race.answer(.standings([WatchDriver.a], nil))
    #expect(race.wait() == 2.5)
  }
}

@Suite struct ACaptchaInTheRace {
  @Test func stopsTheQuestionsAndNotTheCountdown() throws {
    var race = WatchDriver.race(60) { $0.captcha = .browser }
    race.wait()
    try race.fail(.captcha())
    #expect(race.request?.kind == .solve(try CaptchaAddress("https://example.org/c")))
    race.pass(30)
    race.send(.pollNow)
    // Nothing was asked while it was open.
    #expect(race.request?.number == race.watch.inFlight?.number)
    race.answer(.solved)
    #expect(race.request?.kind == .standings(untilFinish: .milliseconds(27_500)))
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.kinds == [.start, .standings, .captcha, .resumed, .standings])
    #expect(race.events.last?.remaining == .milliseconds(27_500))
  }

  @Test func mayComeAgainAtOnce() throws {
    var race = WatchDriver.race(60) { $0.captcha = .browser }
    race.wait()
    try race.fail(.captcha())
    race.answer(.solved)
    try race.fail(.captcha("https://example.org/again"))
    #expect(race.request?.kind == .solve(try CaptchaAddress("https://example.org/again")))
    race.answer(.solved)
    race.answer(.standings([WatchDriver.a, WatchDriver.b], nil))
    #expect(race.kinds == [.start, .standings, .captcha, .resumed])
  }

  @Test func isMetBeforeTheRaceToo() throws {
    var race = WatchDriver { $0.captcha = .browser }
    try race.fail(.captcha())
    race.answer(.solved)
    #expect(race.request?.kind == .duration)
    race.answer(.duration(.seconds(5), nil))
    #expect(race.kinds == [.captcha, .resumed, .start])
  }

  @Test func isAFailureForWhoWantsOne() throws {
    var race = WatchDriver.race(60) { $0.captcha = .fail }
    race.wait()
    try race.fail(.captcha())
    #expect(race.failure?.kind == .captcha)
    #expect(race.failure?.captchaAddress?.text == "https://example.org/c")
    #expect(race.kinds.suffix(2) == [.captcha, .error])
    #expect(race.events.last?.captchaUrl == "https://example.org/c")
  }

  @Test func isWaitedForWithoutABrowser() throws {
    var race = WatchDriver.race(60) { $0.captcha = .browser }
    race.wait()
    try race.fail(.captcha())
    race.fail(Failure(.connection, "cannot start the browser"))
    #expect(race.events.last?.kind == .retry)
    #expect(race.events.last?.message == "cannot start the browser")
    #expect(race.events.last?.captchaUrl == "https://example.org/c" && race.events.last?.wait == .seconds(10))
    #expect(race.wait() == 10)
    guard case .standings? = race.request?.kind else { Issue.record("not asked"); return }
    // No browser is started again.
    try race.fail(.captcha())
    #expect(race.wait() == 10)
    guard case .standings? = race.request?.kind else { Issue.record("not asked again"); return }
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.failure == nil && race.events.last?.kind == .standings)
  }

  @Test("In the last second: what was known is provisional", arguments: [CaptchaMode.browser, .wait])
  func late(mode: CaptchaMode) throws {
    var race = WatchDriver.race(5) { $0.captcha = mode }
    race.wait()
    race.answer(.standings([WatchDriver.a], nil))
    race.wait()
    while !race.watch.isOver {
      if race.request == nil { race.wait() }
      if case .standings? = race.request?.kind { try race.fail(.captcha()) } else { race.wait() }
    }
    #expect(race.failure?.kind == .captcha)
    #expect(race.events.last?.winner == nil && race.events.last?.leader == "A")
    #expect(race.events.last?.isProvisional == true)
    #expect(race.events.last?.elapsed == .seconds(15))
  }

  @Test func withoutAnyStandingsIsWhatItEndsWith() throws {
    var race = WatchDriver { $0.captcha = .wait }
    race.answer(.duration(.seconds(5), nil))
    while !race.watch.isOver {
      if race.request == nil { race.wait() }
      try race.fail(.captcha())
    }
    #expect(race.failure?.kind == .captcha)
  }
}

@Suite struct TheWinnerOfARace {
  static let x = Bee(name: "X", color: "#333333")
  static let nameless = Bee(name: " ", color: "#111111")

  static func standings(
    _ bee: Bee, race: String? = nil, remaining: Duration? = nil, age: Duration = .zero
  ) -> RaceStandings {
    RaceStandings(bees: [bee], moment: RaceMoment(race: race, remaining: remaining), age: age)
  }

  @Test(
    "A winner is named only of standings that can be of the finish of this race",
    arguments: [
      (nil, standings(WatchDriver.b), "B", nil),
      (nil, standings(x), nil, "'X' was in no earlier standings of this race"),
      (nil, standings(x, race: "7"), nil, "'X' was in no earlier standings of this race"),
      ("7", standings(x), nil, "'X' was in no earlier standings of this race"),
      ("7", standings(x, race: "7"), "X", nil),
      ("7", standings(x, race: "7", remaining: .zero), "X", nil),
      ("7", standings(nameless, race: "7"), nil, "the first bee has no name"),
      (nil, standings(nameless), nil, "the first bee has no name"),
      ("7", standings(WatchDriver.b, race: "8"), nil, "the service shows another race already"),
      (
        nil, standings(WatchDriver.b, age: .seconds(11)), nil,
        "the service returns standings from before the finish"
      ),
    ] as [(String?, RaceStandings, String?, String?)])
  func winner(race: String?, standings: RaceStandings, winner: String?, doubt: String?) {
    var watch = WatchDriver()
    let start = RaceStart(length: .seconds(4), moment: RaceMoment(race: race))
    watch.answer(.duration(start, nil))
    watch.answer(.standings(Self.standings(WatchDriver.b, race: race), nil))
    while !watch.watch.isOver {
      if watch.request == nil { watch.wait() } else { watch.answer(.standings(standings, nil)) }
    }
    #expect(watch.finish?.winner == winner)
    #expect(watch.finish?.isProvisional == (winner == nil))
    #expect(watch.finish?.message == doubt.map { "the winner is unknown: \($0)" })
    #expect(
      watch.finish?.leader == (race == "7" && standings.moment.race == "8" ? "B" : standings.bees[0].name))
    #expect(watch.finish?.race == race && watch.events.first?.race == race)
  }

  @Test func aWatchOfTheFinishAloneTrustsTheIdOfTheRaceOnly() {
    for (race, winner) in [(nil, nil), ("7", "B")] as [(String?, String?)] {
      var watch = WatchDriver()
      watch.answer(.duration(RaceStart(length: .seconds(4), moment: RaceMoment(race: race)), nil))
      watch.now += .seconds(4)
      watch.fail(.offline)
      watch.wait()
      watch.answer(.standings(Self.standings(WatchDriver.b, race: race), nil))
      #expect(watch.finish?.winner == winner && watch.finish?.leader == "B")
    }
  }

  @Test func standingsOfACacheAreRequestedAgainUntilTheyAreOfTheFinish() {
    var watch = WatchDriver.race(4)
    watch.wait()
    watch.answer(.standings(Self.standings(WatchDriver.a, age: .seconds(1)), nil))
    #expect(watch.wait() == 1)
    watch.answer(.standings(Self.standings(WatchDriver.b, age: .seconds(1)), nil))
    #expect(watch.finish?.winner == "B" && watch.finish?.elapsed == .seconds(5))
  }

  @Test func aLateWatchCountsDownTheTimeThatRemains() {
    var watch = WatchDriver()
    let moment = RaceMoment(race: "7", remaining: .seconds(2))
    watch.answer(.duration(RaceStart(length: .seconds(5), moment: moment), nil))
    #expect(watch.events[0].elapsed == .seconds(3) && watch.events[0].remaining == .seconds(2))
    #expect(watch.events[0].sentence == "3.0 s  start: 0:02 to go")
    watch.answer(.standings(Self.standings(WatchDriver.a, race: "6"), nil))
    #expect(watch.watch.bees == nil, "of the former race")
    #expect(watch.wait() == 2)
    watch.answer(.standings(Self.standings(WatchDriver.b, race: "7"), nil))
    #expect(watch.finish?.winner == "B" && watch.finish?.elapsed == .seconds(5))
  }

  @Test func standingsBeforeTheFinishOfTheServiceDoNotDecide() {
    var watch = WatchDriver.race(4)
    watch.wait()
    watch.answer(.standings(Self.standings(WatchDriver.a, remaining: .milliseconds(300)), nil))
    #expect(!watch.watch.isOver && watch.wait() == 1)
    watch.answer(.standings(Self.standings(WatchDriver.b, remaining: .zero), nil))
    #expect(watch.finish?.winner == "B")
  }

  @Test func aCaptchaAtTheFinishKeepsTheLastStandingsAsProvisional() throws {
    var watch = WatchDriver.race(4) { $0.captcha = .fail }
    watch.wait()
    try watch.fail(.captcha())
    #expect(watch.failure?.kind == .captcha)
    #expect(watch.kinds.suffix(3) == [.captcha, .error, .finish])
    let finish = watch.events.last
    #expect(finish?.isProvisional == true && finish?.winner == nil && finish?.leader == "A")
  }
}

/// What happens exactly at an instant, and just before and after it.
@Suite struct TheInstantsOfARace {
  @Test(
    "Standings of the last instant of the settling are those of the finish",
    arguments: [(29_999, false), (30_000, false), (30_001, true)])
  func lastInstant(milliseconds: Int, isProvisional: Bool) {
    var race = WatchDriver.race(20)
    race.now += .milliseconds(milliseconds)
    race.send(.tick)
    #expect(race.request?.kind == .standings(untilFinish: .zero))
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.watch.finishEvent?.isProvisional == isProvisional)
    #expect(race.watch.finishEvent?.leader == "B")
    #expect((race.failure == nil) == !isProvisional)
  }

  @Test func standingsThatAreTooLateSayHowToAllowMoreTime() {
    var race = WatchDriver.race(20)
    race.pass(31)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(
      race.failure?.described
        == "connection: the winner is unknown: the standings arrived too late after the finish; "
        + "hint: allow more time with --settle SECONDS; retryable")
    #expect(race.kinds == [.start, .standings, .standings, .error, .finish])
  }

  @Test func standingsOfTheFinishCountThoughTheyComeAfterTheDeadline() {
    var race = WatchDriver.race(10) { $0.deadline = (after: .seconds(12), failure: .offline) }
    race.pass(10)
    race.now += .seconds(3)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.finish?.winner == "B" && race.failure == nil)
    #expect(race.kinds == [.start, .standings, .standings, .finish])
  }

  /// The countdown ticks while a slow service answers.
  @Test func standingsOfTheFinishAreAwaitedPastTheSettling() {
    var race = WatchDriver.race(4) { $0.settle = .seconds(1) }
    #expect(race.wait() == 4)
    race.pass(3)
    #expect(!race.watch.isOver)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.finish?.winner == "B" && race.finish?.isProvisional == false)
  }

  @Test func aRequestBeforeTheFinishThatFailsAfterTheSettlingIsNotTheLast() {
    var race = WatchDriver.race(5)
    race.wait()
    race.now += .seconds(20)
    race.fail(.offline)
    #expect(race.request?.kind == .standings(untilFinish: .zero))
  }

  /// A laptop slept until after the settling.
  @Test func nothingIsAskedAfterTheSettlingWhileTheServiceIsKnownToRefuse() throws {
    var solving = WatchDriver.race(20) { $0.captcha = .wait }
    solving.wait()
    try solving.fail(.captcha())
    solving.pass(60)
    #expect(solving.request == nil && solving.failure?.kind == .captcha)
    for (seconds, isAsked) in [(499.999, false), (500, true)] {
      var limited = WatchDriver.race(20)
      limited.wait()
      limited.fail(.limited(500))
      limited.pass(seconds)
      #expect((limited.request != nil) == isAsked, "\(seconds)")
      #expect((limited.failure?.kind == .rateLimited) == !isAsked, "\(seconds)")
    }
  }

  @Test func aWaitOfNoTimeIsHalfASecondAndOneAfterTheFinish() {
    var race = WatchDriver.race(60)
    race.wait()
    race.fail(.limited(0))
    #expect(race.watch.backoff?.until == .milliseconds(1_003_000))
    #expect(race.events.last?.wait == .milliseconds(2500))
    var finish = WatchDriver.race(4)
    finish.wait()
    finish.fail(.limited(0))
    #expect(finish.wait() == 1)
    #expect(finish.request?.kind == .standings(untilFinish: .zero))
  }

  @Test func theLongestExtensionOfTheSettlingCounts() {
    var race = WatchDriver.race(10)
    race.wait()
    race.fail(.limited(59))
    #expect(race.wait() == 7.5)
    race.fail(.limited(5))
    while !race.watch.isOver {
      race.wait()
      race.fail(.offline)
    }
    // Two seconds after the time that was named first.
    #expect(race.events.last?.elapsed == .milliseconds(63_500))
  }

  @Test func nothingIsDueWhileStandingsAreAwaitedButTheDeadline() throws {
    var race = WatchDriver.race(60)
    #expect(race.watch.alarm == .milliseconds(1_002_500))
    race.wait()
    #expect(race.watch.alarm == nil)
    var limited = WatchDriver.race(60) { $0.deadline = (after: .seconds(90), failure: .offline) }
    limited.wait()
    #expect(limited.watch.alarm == .seconds(1090))
    #expect(WatchDriver().watch.alarm == nil)
    let early = WatchDriver { $0.deadline = (after: .seconds(5), failure: .offline) }
    #expect(early.watch.alarm == .seconds(1005))
    // A person solves a CAPTCHA no longer than the settling lasts.
    var solving = WatchDriver.race(60) { $0.captcha = .browser }
    solving.wait()
    try solving.fail(.captcha())
    #expect(solving.watch.alarm == .seconds(1070))
  }

  @Test func aWishToAskIsGrantedASecondAfterTheLastRequest() throws {
    var race = WatchDriver.race(60) { $0.captcha = .wait }
    race.send(.pollNow)
    #expect(race.request == nil && race.watch.alarm == .milliseconds(1_002_500), "there is no CAPTCHA")
    race.wait()
    try race.fail(.captcha())
    #expect(race.watch.alarm == .milliseconds(1_012_500))
    race.send(.pollNow)
    #expect(race.request == nil && race.watch.alarm == .milliseconds(1_003_500))
    #expect(race.wait() == 1)
    #expect(race.request?.kind == .standings(untilFinish: .milliseconds(56_500)))
    race.send(.pollNow)
    #expect(race.watch.nextPoll == nil, "a request is in flight")
  }

  @Test func theSettlingIsExtendedToTwoMinutesAfterTheFinishAtMost() {
    func atTheFinish() -> WatchDriver {
      var race = WatchDriver.race(10)
      for _ in 0..<3 {
        race.wait()
        race.answer(.standings([WatchDriver.a], nil))
      }
      race.wait()
      return race
    }
    var race = atTheFinish()
    #expect(race.request?.kind == .standings(untilFinish: .zero))
    race.fail(.limited(120))
    #expect(race.wait() == 120)
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.finish?.winner == "B" && race.finish?.isProvisional == false)
    var late = atTheFinish()
    late.fail(.limited(121))
    #expect(late.failure?.kind == .rateLimited && late.failure?.retryAfter == .seconds(121))
  }

  @Test func refusalsAfterTheFinishAreRetriedUntilTheSettlingEnds() {
    var race = WatchDriver.race(4)
    #expect(race.wait() == 4)
    var waits: [Double] = []
    for nextMinute in [40, 38, 34, 30.1] {
      race.refuse(nextMinute)
      waits.append(race.wait())
    }
    // The last attempt is a tenth of a second before the end.
    #expect(waits == [2, 4, 3.9, 0.1])
    #expect(race.events.filter { $0.kind == .rateLimited }.map(\.wait?.inSeconds) == [2, 4, 3.9, 0.5])
    #expect(race.failure?.kind == .rateLimited)
    #expect(race.events.last?.elapsed == .seconds(14))
  }

  @Test(
    "A retry is due before the settling ends, unless that is over",
    arguments: [(0, 0.9), (400, 0.5), (999, 0.5), (1000, 1), (1001, 1)])
  func retryAfterTheFinish(milliseconds: Int, wait: Double) {
    var race = WatchDriver.race(4) { $0.settle = .seconds(1) }
    race.wait()
    race.now += .milliseconds(milliseconds)
    race.fail(.offline)
    #expect(race.events.first { $0.kind == .retry }?.wait?.inSeconds == wait)
    #expect((race.failure == .offline) == (milliseconds >= 1000))
  }

  @Test func failuresInTheRaceAreRetriedAtTheNextPollAfterOneTwoFourEightAndTenSeconds() {
    var race = WatchDriver.race(120)
    race.wait()
    var waits: [Double] = []
    for _ in 0..<6 {
      race.fail(.offline)
      waits.append(race.wait())
    }
    #expect(waits == [2.5, 2.5, 4, 8, 10, 10])
    #expect(race.kinds.filter { $0 == .retry }.count == 6)
    // From the beginning after a success.
    race.answer(.standings([WatchDriver.b], nil))
    #expect(race.kinds.last == .standings && race.watch.backoff == nil)
    #expect(race.wait() == 0.5)
    race.fail(.offline)
    #expect(race.wait() == 2.5)
  }

  @Test func failuresBeforeTheRaceAreRetriedAfterOneTwoFourEightAndTenSeconds() {
    var race = WatchDriver { $0.retries = 6 }
    var waits: [Double] = []
    for _ in 0..<6 {
      race.fail(.offline)
      waits.append(race.wait())
    }
    #expect(waits == [1, 2, 4, 8, 10, 10])
    #expect(race.events.map(\.wait?.inSeconds) == [1, 2, 4, 8, 10, 10])
    race.fail(.offline)
    #expect(race.failure == .offline)
  }

  @Test func aCaptchaAfterTheFinishIsAskedAboutEveryThreeSecondsUntilTheSettlingEnds() throws {
    var race = WatchDriver.race(5) { $0.captcha = .wait }
    race.wait()
    race.answer(.standings([WatchDriver.a], nil))
    race.wait()
    var waits: [Double] = []
    for _ in 0..<5 {
      try race.fail(.captcha())
      waits.append(race.wait())
    }
    #expect(waits == [3, 3, 3, 0.9, 0.1])
    #expect(race.failure?.kind == .captcha)
    #expect(race.events.last?.elapsed == .seconds(15))
  }

  @Test func requestsDuringACaptchaAreCountedForEachCaptcha() throws {
    var race = WatchDriver.race(120) { $0.captcha = .wait }
    race.wait()
    var counts: [Int] = []
    for _ in 0..<3 {
      try race.fail(.captcha())
      counts.append(race.watch.unsolvedRequests)
      race.wait()
    }
    race.answer(.standings([WatchDriver.b], nil))
    race.wait()
    try race.fail(.captcha())
    counts.append(race.watch.unsolvedRequests)
    #expect(counts == [0, 1, 2, 0])
  }

  @Test func aCaptchaEndsTheWaitForTheLimit() throws {
    var race = WatchDriver.race(60) { $0.captcha = .wait }
    race.wait()
    race.fail(.limited(20))
    #expect(race.watch.backoff?.until == .milliseconds(1_022_500))
    race.wait()
    try race.fail(.captcha())
    #expect(race.watch.backoff == nil)
  }

  @Test(
    "Which failures end a race: of the request for its length, for standings, and of the browser",
    arguments: [
      (Failure.Kind.interrupted, true, true, true), (.defect, true, true, true),
      (.storage, true, true, false), (.captcha, true, true, true), (.invalidData, true, false, false),
      (.notFound, true, false, false), (.connection, false, false, false),
      (.rateLimited, false, false, false),
    ])
  func ends(kind: Failure.Kind, length: Bool, standings: Bool, browser: Bool) throws {
    // A CAPTCHA without an address cannot be shown.
    let failure = Failure(kind, "it failed")
    var beginning = WatchDriver()
    beginning.fail(failure)
    #expect(beginning.watch.isOver == length)
    // A person who stops a race gets no report of a failure.
    #expect(beginning.events.isEmpty == (kind == .interrupted))
    var race = WatchDriver.race(60)
    race.wait()
    race.fail(failure)
    #expect(race.watch.isOver == standings)
    var solving = WatchDriver.race(60) { $0.captcha = .browser }
    solving.wait()
    try solving.fail(.captcha())
    solving.fail(failure)
    #expect(solving.watch.isOver == browser)
    for watch in [beginning.watch, race.watch, solving.watch] where watch.isOver {
      #expect(throws: failure) { try watch.outcome?.get() }
    }
  }
}
