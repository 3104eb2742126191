import Command
import System

/// Sends the requests of a watch to the service, and shows CAPTCHAs. Its calls block, so it works on a thread of its
/// own, which is the only one that uses it.
struct RaceWorker {
  private let service: PacedEndpoint
  private let client: RaceClient
  /// Sends the call that is reserved for the finish.
  private let finishClient: RaceClient
  private let solve: (CaptchaAddress) throws(Failure) -> Void

  init(
    _ service: PacedEndpoint, time: any TimeKeeper,
    solve: @escaping (CaptchaAddress) throws(Failure) -> Void
  ) {
    self.service = service
    client = RaceClient(endpoint: service.endpoint, time: time)
    finishClient = RaceClient(endpoint: service.reserved, time: time)
    self.solve = solve
  }

  /// The worker as a function for a background thread. `service` belongs to that thread from then on: its transports
  /// have no locks, and the compiler cannot check that the caller does not use it again.
  static func onBackgroundThread(
    _ service: PacedEndpoint, time: any TimeKeeper,
    solve: @escaping @Sendable (CaptchaAddress) throws(Failure) -> Void
  ) -> @Sendable (RaceWatch.Request) -> RaceWatch.Reply {
    let worker = UncheckedTransfer(RaceWorker(service, time: time, solve: solve))
    return { worker.value.reply(to: $0) }
  }

  func reply(to request: RaceWatch.Request) -> RaceWatch.Reply {
    RaceWatch.Reply(
      number: request.number,
      result: Result { () throws(Failure) in
        switch request.kind {
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
