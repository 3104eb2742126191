import Command
import HTTP
import Output
import Server
import System

/// The race suite.
public enum Race {
  public static let suite = Suite(
    "race", "Bee races: live standings, CAPTCHAs, history, replay",
    discussion: """
      Follows a race of bees. The service takes 30 calls in each minute by the clock, from everybody together: all hw \
      processes share a ledger of their calls, and none goes over the limit. It may want a CAPTCHA at any time.
      """,
    service: RaceClient.service,
    backend: { settings, options throws(Failure) in
      try RaceBackend(settings, RaceServerSettings(options)).backend
    },
    serverOptions: RaceServerSettings.options,
    checks: checks,
    commands: [duration, status, watch, captcha, history, show, replay, stats]
  )

  static let duration = Command(
    "duration", "Show how long the race lasts",
    output: .one(RaceLength.self, text: "The seconds, a line."),
    needs: [.network],
    examples: [
      Example("hw race duration", "its seconds: 26"),
      Example("hw race duration --json", "as the service has it"),
    ],
    failures: [.captcha, .invalidData]
  ) { call, context throws(Failure) in
    let length = try RaceClient(endpoint: context.endpoint(RaceClient.service), time: context.time).duration()
    try context.output.write(RaceLength(length: length))
  }

  static let status = Command(
    "status", "Show the standings now",
    discussion: "One request: the bees in the order of the race. An empty list is a race that nobody is in.",
    output: .list(Standing.self, order: "by position"),
    needs: [.network],
    examples: [
      Example("hw race status", "places, medals, names and colours"),
      Example("hw race status --json | head -c 60", "for a program"),
    ],
    failures: [.captcha, .invalidData]
  ) { call, context throws(Failure) in
    let client = RaceClient(endpoint: try context.endpoint(RaceClient.service), time: context.time)
    try context.output.write(Standing.all(try client.standings()))
  }
}
