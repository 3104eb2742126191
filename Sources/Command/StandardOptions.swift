import Output
import Terminal

/// The options that every command takes, in the groups help lists them in.
public enum StandardOptions {
  public struct Group: Sendable {
    public let title: String
    public let options: [any Declared]
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

  public static let color = Option(
    "color", .choice, default: ColorChoice.auto, setting: true, "Colour the output",
    details: """
      'auto' colours on a terminal unless NO_COLOR is set or TERM is 'dumb'; CLICOLOR_FORCE colours pipes as well.
      """)
  public static let quiet = Option("quiet", short: "q", "Say nothing on standard error but errors")
  public static let verbose = Option(
    counting: "verbose", short: "v", "Tell on standard error what is being done; twice: in detail")
  public static let help = Option(
    "help", short: "h", "Print help; '-h' is the short form of it")
  public static let version = Option("version", "Print the version")

  public static let groups = [
    Group(title: "Output options", options: [output, json, jsonl, csv, tsv, fields, header, null]),
    Group(title: "Common options", options: [color, quiet, verbose, help, version]),
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
