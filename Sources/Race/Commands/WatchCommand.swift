import Command
import System

extension Race {
  static let interval = Option(
    "interval", ValueKind<Duration>.seconds, setting: true,
    "Ask for the standings every SECONDS, where the limit allows it",
    details: """
      Usually as often as leaves a fifth of the limit: 2.5 in a long race, 1 in a short one if enough calls are left. \
      Less than that is raised to it.
      """)
  static let settle = Option(
    "settle", ValueKind<Duration>.seconds, default: .seconds(10),
    "Take standings for those of the finish up to SECONDS after it",
    details: "Longer if the service says when it accepts calls again, at most 120 seconds after the finish.")
  static let plan = Option("plan", "Print when the race would be looked at, and do not watch it")
  static let start = Option("start", "Begin at once, without asking for Enter")
  static let save = Option(
    "save", ValueKind<String>.file, "Write the race to FILE as it happens, for replay",
    details: "One event per line, as JSON. In the first line 'version' is the version of the format.")
  static let keepsHistory = Option(
    "history", default: true, setting: true, "Do not keep the race in the history")
  static let bell = Option(
    "bell", setting: true, "Ring the terminal's bell when the lead changes, and at the end")
  static let animation = Option(
    "animation", default: true, setting: true, "Show what changes at once, without an animation")

  static let watch = Command(
    withStatus: "watch", "Follow a race to its winner",
    discussion: """
      Asks once how long the race is, counts down by a clock that nobody can set, and looks at the standings as often \
      as the limit allows, always at the finish. The winner is the bee in front in standings that were asked for at \
      the finish or at most --settle seconds later. If there are none, no winner is reported: the last standings are \
      marked as provisional, and the status is that of the reason: 9 for an unsolved CAPTCHA, 8 for the rate limit, \
      5 without a connection.

      On a terminal it is a screen: Enter starts, the arrow keys scroll, 'q' leaves (status 1), 'r' tries again after \
      a failure. Elsewhere each change of the standings is a line; with --jsonl every event is one, written at once; \
      with --quiet the winner's name is all. An empty race at the finish is status 1.

      A rate limit is waited for, and the countdown goes on meanwhile. If the service names no time, a request is \
      retried after 2, 4 and 8 seconds and right after the next full minute. Other failures of the network are \
      reported and retried.

      Several watchers share a race if they start while it runs: 'hw serve' tells each the whole length, and the order \
      of the finish stands until somebody starts the next race. A watcher that comes late counts down past the finish.
      """ + "\n\n" + captchaDiscussion,
    options: [
      interval, settle, plan, start, save, keepsHistory, bell, animation, captchaMode, browser, onlyHost,
      Service.tokenFile,
    ],
    output: .rows(
      RaceEvent.self, text: "A line for the start, each change of the standings, and the winner."),
    needs: [.network, .store],
    examples: [
      Example("hw race watch --plan", "when it would be looked at"),
      Example("hw serve --race-seconds 2 -- hw race watch -q", "the winner of a short one, tried out"),
      Example(
        "hw serve --race-seconds 2 --captcha-after 1 -- hw race watch --captcha fail",
        "what a script sees of a CAPTCHA", exits: 9),
    ],
    failures: [.no, .captcha, .invalidData, .rateLimited, .connection]
  ) { call, context throws(Failure) in
    let session = RaceSession(call, context)
    if call[plan] {
      try session.printPlan()
      return .success
    }
    return try session.run()
  }
}
