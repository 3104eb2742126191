import Command
import System

/// Puts a watch's questions to the service, and to the person in front of a CAPTCHA. It is used on one thread at a time,
/// and not the one that keeps the time.
final class RaceCourier {
  private let service: PacedEndpoint
  private let client: RaceClient
  /// Its calls go on the one that is kept for the finish.
  private let finishClient: RaceClient
  private let solve: (CaptchaAddress) throws(Failure) -> Void

  init(
    _ service: PacedEndpoint, time: any TimeKeeper, solve: @escaping (CaptchaAddress) throws(Failure) -> Void
  ) {
    self.service = service
    client = RaceClient(endpoint: service.endpoint, time: time)
    finishClient = RaceClient(endpoint: service.reserved, time: time)
    self.solve = solve
  }

  func answer(_ question: RaceWatch.Question) -> RaceReply {
    RaceReply(
      number: question.number,
      answer: Result { () throws(Failure) in
        switch question.kind {
        case .duration:
          let length = try client.duration()
          try service.reserve(ahead: length)
          return .duration(length, try service.budget())
        case .standings(untilFinish: .zero): return .standings(try finishClient.standings(), nil)
        case .standings(let left):
          try service.reserve(ahead: left)
          let bees = try client.standings()
          return .standings(bees, try service.budget())
        case .solve(let address):
          try solve(address)
          return .solved
        }
      })
  }
}

/// An answer, and the number of the question that it belongs to.
struct RaceReply: Sendable {
  let number: Int
  let answer: Result<RaceWatch.Answer, Failure>
}
