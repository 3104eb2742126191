import Command
import HTTP
import JSON
import System

/// The service's contract, as calls.
struct RaceClient {
  let endpoint: Endpoint
  let time: any TimeKeeper

  /// 30 calls a minute by the clock, one bucket for the whole host.
  static let limit = RateLimit.fixed(30, per: .seconds(60))

  static let service = Service("race", address: "https://rtest.proxy.beeceptor.com", limit: limit)

  /// How long the race lasts: a second to a day.
  func duration() throws(Failure) -> Duration {
    try endpoint.get("/bees/race/duration", refusal: refusal) { json throws(Failure) in
      let seconds = try json["timeInSeconds"].int
      guard (1...86_400).contains(seconds) else {
        throw json["timeInSeconds"].invalid("expected 1 to 86400 seconds, found \(seconds)")
      }
      return .seconds(seconds)
    }
  }

  /// The bees in the order of the race.
  func standings() throws(Failure) -> [Bee] {
    try endpoint.get("/bees/race/status", refusal: refusal) { json throws(Failure) in
      try [Bee](json["beeList"])
    }
  }

  /// The address of a CAPTCHA to try the flow with: the route answers with nothing else.
  func captchaTest() throws(Failure) -> CaptchaAddress {
    let response = try endpoint.send(.get, "/captchaTest")
    if let failure = refusal(response) {
      guard let address = failure.captchaAddress else { throw failure }
      return address
    }
    guard !response.isSuccess else {
      throw Failure(.invalidData, "'/captchaTest' wants no CAPTCHA: it was answered \(response.status)")
    }
    throw response.failure(answering: endpoint.request(.get, "/captchaTest"))
  }

  /// What this service refuses in its own words: a CAPTCHA, the rate limit. A 403 without an address is a refusal like
  /// any other service's.
  private func refusal(_ response: Response) -> Failure? {
    switch response.status {
    case 403:
      guard let json = try? JSON.parse(response.body), let text = try? json["captchaUrl"].string else {
        return nil
      }
      do throws(Failure) { return try CaptchaAddress(text).wanted } catch { return error }
    case 429:
      let now = time.now()
      // Without a word on how long, the window is the minute by the clock.
      let wait = RetryAfter.wait(response.headers, now: now) ?? .seconds(60 - now.seconds % 60)
      let seconds = Int(min(wait, .seconds(86_400)).milliseconds + 999) / 1000
      return Failure(
        .rateLimited, "the rate limit of '\(endpoint.base.authority)' is reached: \(RaceClient.limit)",
        hint: "try again in \(seconds) s", retryable: true,
        details: [.init("retryAfter", .integer(seconds))])
    default: return nil
    }
  }
}
