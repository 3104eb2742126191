import Command
import Output
import System

extension Race {
  static let plan = Command(
    "plan", "Print the polling schedule of a race",
    discussion: """
      'hw race watch' polls at these times if the rest of the rate limit is free. The length of the race is requested; the \
      race does not have to be watched.
      """,
    options: [interval, Service.tokenFile],
    output: .rows(PlannedPoll.self),
    needs: [.network],
    examples: [
      Example("hw race plan", "when the standings are requested"),
      Example("hw race plan --interval 5 --csv", "with a request every five seconds"),
    ],
    failures: [.captcha]
  ) { call, context throws(Failure) in
    let service = try context.pacedEndpoint(RaceClient.service, timeout: .seconds(10)) { _ in }
    let length = try RaceClient(endpoint: context.endpoint(RaceClient.service), time: context.time).duration()
    let plan = RacePlan(length: length, interval: call[interval], budget: try service.budget())
    try context.output.write(
      plan.instants.lazy.enumerated().map { PlannedPoll(number: $0 + 1, at: $1, length: length) })
  }
}
