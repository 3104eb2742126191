import Output
import Terminal

public enum StandardOptions {
  public struct Group: Sendable {
    public let title: String
    /// Needs of the commands whose help lists the group. Every command accepts the options of all groups.
    var needs: Needs = []
    public let options: [OptionDeclaration]
  }

  public static let output = Option("output", short: "o", ValueKind<Format>.choice, "Write output as FORMAT")
  public static let json = Shorthand("json", for: output, "json", "Write JSON: one array or one object")
  public static let jsonl = Shorthand("jsonl", for: output, "jsonl", "Write JSON Lines: one object per line")
  public static let csv = Shorthand("csv", for: output, "csv", "Write comma-separated values")
  public static let tsv = Shorthand("tsv", for: output, "tsv", "Write tab-separated values")
  public static let fields = Option(
    "fields", ValueKind<String>.text("LIST", .fields),
    "Select fields, comma-separated; '--fields help' lists them",
    details: """
      Names or dotted paths in output order. A name that is the beginning of several paths selects all of them; 'all' \
      selects every field.
      """)
  public static let header = Option("header", default: true, "Omit the header row")
  public static let null = Option("null", short: "0", "End each record with NUL instead of a newline")

  public static let outputFile = Option(
    "output-file", ValueKind<String>.file, "Write output to FILE when it is complete",
    details: """
      The output goes to a temporary file beside FILE, which replaces FILE after success and a negative result (status \
      0 and 1). After any other failure the old file stays, unless some of several changes were made. A new FILE is \
      readable only by its owner if the output can have PINs or tokens.
      """)

  public static let url = Option(
    "url", ValueKind<String>.text("URL"), setting: .suites, "Use the service at URL",
    details: """
      http://, https:// or unix:FILE is a server. 'demo:' is a backend in memory with sample data. 'embedded:' is a \
      backend with a database on this machine, 'embedded:DIR' one in another directory. 'gbfs:URL' is a bike share \
      feed, which is read-only.
      """)
  public static let demo = Shorthand("demo", for: url, "demo:", "Use sample data in memory: --url demo:")
  public static let timeout = Option(
    "timeout", ValueKind<Duration>.seconds, default: .seconds(30), setting: .suites,
    "Limit each attempt to SECONDS")
  public static let deadline = Option(
    "deadline", ValueKind<Duration>.seconds, setting: .suites,
    "Limit the total time to SECONDS, including waits")
  public static let retries = Option(
    "retries", .count(0...10), default: 2, setting: .suites, "Retry at most N times")
  public static let wait = Option(
    "wait", default: true, setting: .suites, "Fail when rate limited instead of waiting")
  public static let cache = Option(
    "cache", default: true, setting: .suites, "Do not use or store cached responses")
  public static let maxAge = Option(
    "max-age", ValueKind<Int>.seconds(0...31_536_000), setting: .suites,
    "Use cached responses up to SECONDS old", details: "Not for commands that change something.")
  public static let explain = Option(
    "explain", "Print requests as curl commands instead of sending",
    details: """
      The lines are for bash or zsh: they read a key or token from where it was given. A comment says which requests \
      depend on a response.
      """)
  public static let record = Option(
    "record", ValueKind<String>.folder, setting: .suites, "Record requests and responses in DIR",
    details: """
      One text file per exchange, readable only by its owner; an attempt that was retried has none. Its first line, '# \
      hw recording 2', is the version of the format, the second the time. Keys and tokens that were sent are masked, \
      also where a response repeats them; PINs are not. --record and --replay exclude each other.
      """)
  public static let replay = Option(
    "replay", ValueKind<String>.folder, setting: .suites, "Use the responses recorded in DIR, send nothing",
    details: """
      No key is needed or read, and the clock starts at the time of the first exchange, with its offset from UTC: the \
      command does the same in every month and time zone, and local times have no summer time. With HW_REPLAY an \
      address that is typed (--url, --demo) is refused unless --no-replay is given.
      """)

  public static let color = Option(
    "color", .choice, default: ColorChoice.auto, setting: .suites, "Color the output",
    details: """
      'auto' uses color on a terminal unless NO_COLOR is set or TERM is 'dumb', and in pipes if CLICOLOR_FORCE is set.
      """)
  public static let configuration = Option("config", default: true, "Ignore the configuration file")
  public static let pager = Option(
    "pager", default: true, "Do not use a pager for long output",
    details: """
      On a terminal lists, documents and help are shown with HW_PAGER, PAGER or 'less -FRX', the first that is set. An \
      empty value or 'cat' disables the pager. If CI, AI_AGENT or AGENT is set, or TERM is 'dumb', hw uses no pager, \
      shows no screen and asks no question. Further pages of a service are requested as you scroll.
      """)
  public static let quiet = Option("quiet", short: "q", "Omit messages other than errors")
  static let verbose = Option(
    counting: "verbose", short: "v", "Log requests to standard error; -vv: also headers")
  public static let help = Option("help", short: "h", "Print help; '-h' prints a summary")
  public static let version = Option("version", "Print the version")

  /// Declarations, not options: a list of options of many types costs the runtime a look-up for each type.
  public static let groups = [
    Group(
      title: "Output options",
      options: [
        output.declaration, json.declaration, jsonl.declaration, csv.declaration, tsv.declaration,
        fields.declaration, header.declaration, null.declaration, outputFile.declaration,
      ]),
    Group(
      title: "Service options", needs: .network,
      options: [
        url.declaration, demo.declaration, timeout.declaration, deadline.declaration, retries.declaration,
        wait.declaration, cache.declaration, maxAge.declaration, explain.declaration, record.declaration,
        replay.declaration,
      ]),
    Group(
      title: "Common options",
      options: [
        color.declaration, pager.declaration, configuration.declaration, quiet.declaration,
        verbose.declaration, help.declaration, version.declaration,
      ]),
  ]

  public static let all = groups.flatMap(\.options)
}

extension Format: ChoiceValue {}

extension ColorChoice: ChoiceValue {
  public var meaning: String {
    switch self {
    case .auto: "on a terminal with color support"
    case .always: "also in pipes and files"
    case .never: "never"
    }
  }
}
