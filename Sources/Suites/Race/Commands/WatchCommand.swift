import Command
import System

extension Race {
  static let settle = Option(
    "settle", ValueKind<Duration>.seconds, default: .seconds(10),
    "Accept standings up to SECONDS after the finish",
    details: "If the rate limit, of the service or of hw, ends later, SECONDS is extended to at most 120.")
  static let start = Option("start", "Start without waiting for Enter")
  static let keepsHistory = Option(
    "history", default: true, setting: .suites, "Do not add the race to the history")
  static let animation = Setting("animation", default: true, "Do not animate changes")

  static let watch = Command(
    withStatus: "watch", "Watch a race until its finish",
    discussion: """
      Requests the length of the race and counts down with the monotonic clock. The standings are polled as often as \
      the rate limit allows, with a fifth left for others, and always at the finish. The winner is the leader of \
      standings that were requested at the finish or at most --settle seconds later. Without such standings the result \
      is provisional: 'winner' is null, and 'leader' is the first bee of the last standings. The exit status is that \
      of the cause: 9 for an unsolved CAPTCHA, 8 for the rate limit, 5 for a connection error. It is 1 if the \
      standings at the finish cannot be trusted: a cache kept them since before the finish, they are of another race, \
      or the first bee has no name or was in no earlier standings.

      On a terminal a screen is shown: Enter starts, the arrow keys scroll, 'q' quits (status 1), 'r' retries after \
      a failure. In a pipe each change of the standings is a line. With --jsonl each event is a line, written \
      immediately. With --quiet the text output is only the name of the winner. If the race has no bees at the finish, \
      the status is 1.

      When the rate limit is reached, the command waits, and the countdown continues. If the service announces no \
      time, a request is retried after 2, 4 and 8 seconds and after the next full minute. Network failures are \
      reported and retried. With -v the polling schedule is reported on standard error, and again when it changes.

      Several watchers share a race if they start while it runs. 'hw serve' sends the id of the race and the time that \
      remains: a late watcher counts down what remains, and standings of another race do not decide. The original \
      service sends neither, so a late watcher counts down past the finish and may report the winner of another race.
      """ + "\n\n" + captchaDiscussion,
    options: [settle, start, keepsHistory, captchaMode, browser, Service.tokenFile],
    settings: [animation],
    output: .rows(
      RaceEvent.self, text: "A line for the start, each change of the standings, and the winner."
    )
    .schemaVersion(2),
    needs: [.network, .store],
    examples: [
      Example(
        "hw serve --race-seconds 2 -- hw race watch -q", "the winner of a short race on a local server")
    ],
    failures: [.no, .captcha]
  ) { call, context throws(Failure) in
    try RaceSession(call, context).run()
  }
}
