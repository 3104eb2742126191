import Command
import System

extension RaceWatch {
  struct Settings: Sendable {
    var limit = RaceClient.limit
    /// Standings requested this long after the finish still count as final.
    var settle = Duration.seconds(10)
    var captcha = CaptchaMode.wait
    /// Number of retries before the start; later, requests are retried without a limit.
    var retries = 2
    /// With `--no-wait` a rate limit is a failure.
    var waits = true
    var deadline: (after: Duration, failure: Failure)?
  }

  enum Input: Sendable {
    case begin
    case replied(Reply)
    case tick
    /// Polls at once, because the user has solved the CAPTCHA.
    case pollNow
  }

  struct Request: Equatable, Sendable {
    let number: Int
    let kind: Kind

    /// Numbered 0, outside of every race.
    static let preview = Request(number: 0, kind: .preview)

    enum Kind: Equatable, Sendable {
      /// Requests the length before a race, without a reserved call for a finish.
      case preview
      case duration
      /// Requests the standings. Zero uses the call that is reserved for the finish.
      case standings(untilFinish: Duration)
      case solve(CaptchaAddress)
    }
  }

  struct Reply: Sendable {
    let number: Int
    let result: Result<Response, Failure>
    /// The time until the limit is renewed with the next minute of the clock.
    var nextMinute = Duration.seconds(60)
  }

  enum Response: Sendable {
    case duration(RaceStart, PacedEndpoint.Budget?)
    case standings(RaceStandings, PacedEndpoint.Budget?)
    case solved
  }

  struct Backoff: Equatable, Sendable {
    var failure: Failure
    var until: Duration
  }

  struct Step: Sendable {
    var events: [RaceEvent] = []
    var request: Request?
  }
}
