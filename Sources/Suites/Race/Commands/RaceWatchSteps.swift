import Command
import HTTP
import System

extension RaceWatch {
  struct Settings: Sendable {
    var limit = RaceClient.limit
    /// Standings requested so long after the finish still count as those of the finish.
    var settle = Duration.seconds(10)
    var captcha = CaptchaMode.wait
    /// Retries before the race has started; after that the number is not limited.
    var retries = 2
    /// False for `--no-wait`: a rate limit is a failure.
    var waits = true
    /// The total time limit, and the failure when it is reached.
    var deadline: (after: Duration, failure: Failure)?
  }

  enum Input: Sendable {
    case begin
    case replied(Reply)
    case tick
    /// The user has solved the CAPTCHA: poll now.
    case pollNow
  }

  struct Request: Equatable, Sendable {
    let number: Int
    let kind: Kind

    /// The number of a request that belongs to no race.
    static let preview = Request(number: 0, kind: .preview)

    enum Kind: Equatable, Sendable {
      /// The length, before the race: no call is reserved for a finish.
      case preview
      case duration
      /// The standings, and the time to the finish; zero for the call that is reserved for the finish.
      case standings(untilFinish: Duration)
      case solve(CaptchaAddress)
    }
  }

  struct Reply: Sendable {
    /// The number of the request.
    let number: Int
    let result: Result<Response, Failure>
    /// How long until the next minute of the clock, in which the limit is renewed.
    var nextMinute = Duration.seconds(60)
  }

  enum Response: Sendable {
    case duration(RaceStart, PacedEndpoint.Budget?)
    case standings(RaceStandings, PacedEndpoint.Budget?)
    case solved
  }

  struct Backoff: Equatable, Sendable {
    var failure: Failure
    /// No request is due before.
    var until: Duration
  }

  /// The result of an input.
  struct Step: Sendable {
    var events: [RaceEvent] = []
    var request: Request?
  }
}
