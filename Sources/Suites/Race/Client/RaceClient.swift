import Command
import HTTP
import JSON
import System

struct RaceClient {
  let endpoint: Endpoint
  let time: any TimeKeeper

  /// The service accepts 30 calls in each minute of the clock from all callers together.
  static let limit = RateLimit.fixed(30, per: .seconds(60), isShared: true)

  static let service = Service(
    "race", address: "https://rtest.proxy.beeceptor.com", limit: limit,
    reason: "all clients share one race")

  /// The length of the race, and the remaining time if the service sends it.
  func start(next: String? = nil) throws(Failure) -> RaceStart {
    try endpoint.get("/bees/race/duration", next: next, serviceError: serviceError, RaceStart.init)
  }

  func standings() throws(Failure) -> RaceStandings {
    var age: Int64?
    var standings = try endpoint.get(
      "/bees/race/status",
      serviceError: { response in
        // Called for every response, so it can also read the age: `RaceStandings` is made of the JSON alone.
        age = response.age
        return serviceError(response)
      }, RaceStandings.init)
    standings.age = .seconds(age ?? 0)
    return standings
  }

  func captchaTest() throws(Failure) -> CaptchaAddress {
    let response = try endpoint.send(.get, "/captchaTest")
    if let failure = serviceError(response) {
      guard let address = failure.captchaAddress else { throw failure }
      return address
    }
    guard !response.isSuccess else {
      throw Failure(.invalidData, "'/captchaTest' requires no CAPTCHA: it returned \(response.status)")
    }
    throw response.failure(for: endpoint.request(.get, "/captchaTest"))
  }

  /// Failures of this service: a CAPTCHA, and the rate limit. A 403 without an address is an ordinary failure.
  private func serviceError(_ response: ReceivedResponse) -> Failure? {
    switch response.status {
    case 403:
      guard let json = try? JSON.parse(response.body), let text = try? json["captchaUrl"].string else {
        return nil
      }
      do throws(Failure) { return try CaptchaAddress(text).unsolved } catch { return error }
    case 429:
      let refusal = Failure(
        .rateLimited, "the rate limit of '\(endpoint.base.authority)' is reached",
        hint: "all clients share this limit: retry in a few seconds, or in \(time.nextMinute.tenths)",
        retryable: true)
      return RetryAfter.wait(response.response, now: time.now()).map(refusal.retryable(in:)) ?? refusal
    default: return nil
    }
  }
}

extension Failure {
  /// Adds the time until the next call is accepted, in whole seconds and at most a day.
  func retryable(in wait: Duration) -> Failure {
    let seconds = Int(max(0, min(wait, .seconds(86_400)).milliseconds + 999)) / 1000
    var failure = self
    failure.hint = "retry in \(seconds) s"
    failure.details = [.init("retryAfter", .integer(seconds))]
    return failure
  }

  /// The time until the next call is accepted, from the service or the shared ledger; nil if unknown.
  var retryAfter: Duration? {
    guard case .integer(let seconds) = detail("retryAfter") else { return nil }
    return .seconds(max(0, min(seconds, 86_400)))
  }
}

extension TimeKeeper {
  /// The time until the next minute of the clock, when the limit is renewed.
  var nextMinute: Duration {
    let now = now()
    return .seconds(60 - now.seconds % 60) - .nanoseconds(Int64(now.nanoseconds))
  }
}

extension Race {
  static var checks: [Check] {
    [
      Check("the length of the race", "/bees/race/duration", tolerated: tolerated) { json throws(Failure) in
        _ = try RaceStart(json)
      },
      Check("the standings", "/bees/race/status", tolerated: tolerated) { json throws(Failure) in
        _ = try RaceStandings(json)
      },
      Check("the CAPTCHA to test with", "/captchaTest", status: 403, read: captchaResponse),
    ]
  }

  /// The service can require a CAPTCHA at any time.
  private static let tolerated = [
    Check.ToleratedResponse(403, "it requires a CAPTCHA", read: captchaResponse)
  ]
  private static let captchaResponse: Check.Read = { json throws(Failure) in
    _ = try CaptchaAddress(try json["captchaUrl"].string)
  }
}
