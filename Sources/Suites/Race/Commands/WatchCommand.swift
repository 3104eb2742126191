import Command
import System

extension Race {
  static let settle = Option(
    "settle", ValueKind<Duration>.seconds, default: .seconds(10),
    "Wait up to SECONDS after the finish for standings",
    details: "Waits up to 120 s for a rate limit.")
  static let start = Option("start", "Start without waiting for Enter")
  static let keepsHistory = Option(
    "history", default: true, setting: .suites, "Do not add the race to the history")
  static let animation = Setting("animation", default: true, "Do not animate changes")

  private static let shortRace = "hw() { command hw serve --race-seconds 1 -- hw \"$@\"; }; "

  static let watch = Command(
    "watch", "Watch a race until its finish",
    discussion: """
      Counts down and polls the standings as often as the rate limit allows, always at the finish. The winner is the \
      leader of standings that were requested at the finish, or at most --settle seconds later; where the rate limit \
      is reached, up to 120 seconds later. Otherwise the result is provisional: winner is null, and the status tells \
      why. It is 9 for an unsolved CAPTCHA, 8 for the rate limit, 5 for a connection error, and 1 for standings that \
      cannot be trusted. A race without bees has no winner (status 1).

      On a terminal a screen is shown: Enter starts, arrows scroll, q quits (status 1), r retries after a failure. In \
      a pipe each change of the standings is a line, with --jsonl each event. --quiet prints only the name of the \
      winner.

      At the rate limit the command waits, and the countdown continues. Network failures are reported and retried. A \
      request is limited to 10 seconds unless --timeout is typed. With -v the polling schedule is reported on standard \
      error.

      Several watchers can share a race. 'hw serve' sends its id and the remaining time, so a late watcher ends with \
      it. The original service sends neither: a late watcher ends after the finish and may report the winner of \
      another race.

      While a CAPTCHA is unsolved, the countdown continues. The window of 'browser' has a temporary profile and closes \
      when it is solved. Close it to end the command (status 9).
      """,
    options: [settle, start, keepsHistory, captchaMode, browser, Service.tokenFile],
    settings: [animation],
    output: .rows(RaceEvent.self, text: "A line for the start, each change of the standings, and the winner.")
      .schemaVersion(2),
    needs: [.network, .store],
    examples: [
      Example("hw race watch --jsonl >race.jsonl", "watch a race and save its events", after: shortRace),
      Example("hw race watch -q", "only the name of the winner", after: shortRace),
    ],
    failures: [.no, .captcha]
  ) { call, context throws(Failure) -> ExitStatus in
    try RaceSession(call: call, context: context).run()
  }
}
