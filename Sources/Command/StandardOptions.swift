import Output
import Terminal

/// The options that every command takes, in the groups help lists them in.
public enum StandardOptions {
  public struct Group: Sendable {
    public let title: String
    /// Help lists the group where a command has these needs. Every command takes them all.
    var needs: Needs = []
    public let options: [OptionDeclaration]
  }

  public static let output = Option(
    "output", short: "o", ValueKind<Format>.choice, "Write the answer as FORMAT")
  public static let json = Shorthand("json", for: output, "json", "Write JSON: one array or one object")
  public static let jsonl = Shorthand("jsonl", for: output, "jsonl", "Write JSON lines: one object a line")
  public static let csv = Shorthand("csv", for: output, "csv", "Write comma-separated values (RFC 4180)")
  public static let tsv = Shorthand("tsv", for: output, "tsv", "Write tab-separated values")
  public static let fields = Option(
    "fields", ValueKind<String>.text("LIST", .fields), "Choose fields, comma-separated; 'help' lists them",
    details: """
      Names or dotted paths in the order wanted. A name that several paths begin with stands for them all, \
      and 'all' is every field.
      """)
  public static let header = Option("header", default: true, "Leave out the line of headings")
  public static let null = Option("null", short: "0", "End each record with NUL instead of a newline")

  public static let url = Option(
    "url", ValueKind<String>.text("URL"), setting: true, "Ask the service at URL",
    details: """
      http://, https:// or unix:FILE for a server; 'demo:' for a backend in memory with sample data, 'embedded:' for \
      the durable one on this machine, 'embedded:DIR' for one in another folder.
      """)
  public static let demo = Shorthand("demo", for: url, "demo:", "Use sample data in memory: --url demo:")
  public static let seed = Option("seed", .count(0 ... .max), default: 1, "Invent sample data from N")
  public static let timeout = Option(
    "timeout", ValueKind<Duration>.seconds, default: .seconds(30), setting: true,
    "Give up an attempt after SECONDS")
  public static let deadline = Option(
    "deadline", ValueKind<Duration>.seconds, setting: true, "Give up everything after SECONDS, waits included"
  )
  public static let retries = Option(
    "retries", .count(0...10), default: 2, setting: true, "Try again at most N times")
  static let maxWait = Option(
    "max-wait", ValueKind<Duration>.seconds, default: .seconds(120), setting: true,
    "Wait at most SECONDS before a retry",
    details: "If a service asks for a longer wait, the request fails and the message says how long it is.")
  public static let wait = Option(
    "wait", default: true, setting: true, "Fail at once where a rate limit wants a wait")
  public static let cache = Option(
    "cache", default: true, setting: true, "Neither use nor keep copies of answers")
  public static let maxAge = Option(
    "max-age", ValueKind<Int>.count(0...31_536_000, "SECONDS"), setting: true,
    "Take a copy up to SECONDS old for the answer")
  static let userAgent = Option(
    "user-agent", ValueKind<String>.text("TEXT"), setting: true, "Send TEXT as the User-Agent header field",
    details: "Without it the name and the version of hw are sent, as in 'hw/1.0.0'.")
  static let meta = Option(
    "meta", "Report the source and the time of each response",
    details: """
      One line of JSON on standard error for each response used: 'source' is the address, 'asOf' the time of the \
      response in unix seconds, 'from' is network, cache, embedded or recording, and 'status' that of HTTP.
      """)
  public static let explain = Option(
    "explain", "Print the requests as curl lines, send nothing",
    details: """
      The lines are for bash or zsh: they read a key or token from where it was given. A comment says which requests \
      depend on a response.
      """)
  public static let record = Option(
    "record", ValueKind<String>.folder, setting: true, "Keep every exchange in DIR, for --replay",
    details: """
      One text file per exchange, readable by its owner alone. Its first line, '# hw recording 2', is the version of \
      the format, the second the time. Keys and tokens that were sent are masked, also where a response repeats them; \
      PINs are not.
      """)
  public static let replay = Option(
    "replay", ValueKind<String>.folder, setting: true, "Answer from the exchanges in DIR, send nothing",
    details: """
      No key is needed or read, and the clock starts at the time of the first exchange, with its offset from UTC: the \
      command does the same in every month and time zone. A recording of an earlier version of hw can be replayed; \
      version 1 of the format has no time.
      """)

  public static let color = Option(
    "color", .choice, default: ColorChoice.auto, setting: true, "Colour the output",
    details: """
      'auto' colours on a terminal unless NO_COLOR is set or TERM is 'dumb'; CLICOLOR_FORCE colours pipes as well.
      """)
  public static let configuration = Option("config", default: true, "Read no configuration file")
  public static let pager = Option(
    "pager", default: true, "Show long answers without a pager",
    details: """
      On a terminal a long answer goes through HW_PAGER, PAGER or 'less -FRX', the first that is set; an empty one or \
      'cat' is none. What is still to be asked for is asked for as you scroll.
      """)
  public static let quiet = Option("quiet", short: "q", "Say nothing on standard error but errors")
  static let verbose = Option(
    counting: "verbose", short: "v", "Report requests on standard error; twice: headers and bodies as well")
  public static let help = Option(
    "help", short: "h", "Print help; '-h' is the short form of it")
  public static let version = Option("version", "Print the version")

  /// Declarations, not options: a list of options of many types costs the runtime a look-up for each type.
  public static let groups = [
    Group(
      title: "Output options",
      options: [
        output.declaration, json.declaration, jsonl.declaration, csv.declaration, tsv.declaration,
        fields.declaration, header.declaration, null.declaration,
      ]),
    Group(
      title: "Service options", needs: .network,
      options: [
        url.declaration, demo.declaration, seed.declaration, timeout.declaration, deadline.declaration,
        retries.declaration, maxWait.declaration, wait.declaration, cache.declaration, maxAge.declaration,
        userAgent.declaration, meta.declaration, explain.declaration, record.declaration,
        replay.declaration,
      ]),
    Group(
      title: "Common options",
      options: [
        color.declaration, pager.declaration, configuration.declaration, quiet.declaration,
        verbose.declaration, help.declaration, version.declaration,
      ]),
  ]

  public static let all: [any Declared] = groups.flatMap(\.options)
}

extension Format: ChoiceValue {}

extension ColorChoice: ChoiceValue {
  public var meaning: String {
    switch self {
    case .auto: "on a terminal that has colour"
    case .always: "in pipes and files as well"
    case .never: "not at all"
    }
  }
}
