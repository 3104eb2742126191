import System

/// Setting without an option: its declaration, and the key of its value in a call. `call[seed]` is an `Int`. Variables
/// and the configuration set it. An option is for what changes from call to call, a setting for what few people change,
/// and then once.
public struct Setting<Value: Sendable>: Declared {
  @usableFromInline let option: Option<Value>

  public init(
    _ name: String, _ kind: ValueKind<Value>, default fallback: Value, scope: SettingScope = .suites,
    _ summary: String, details: String = ""
  ) {
    option = Option(name, kind, default: fallback, setting: scope, summary, details: details)
  }

  /// A setting without a default: nil if it is not set.
  public init<Wrapped>(
    _ name: String, _ kind: ValueKind<Wrapped>, scope: SettingScope = .suites, _ summary: String,
    details: String = ""
  ) where Value == Wrapped? {
    option = Option(name, kind, setting: scope, summary, details: details)
  }

  /// A setting that is on or off. The summary describes the value that is not the default.
  public init(
    _ name: String, default fallback: Bool = false, scope: SettingScope = .suites, _ summary: String,
    details: String = ""
  ) where Value == Bool {
    option = Option(name, default: fallback, setting: scope, summary, details: details)
  }

  public var declaration: OptionDeclaration { option.declaration }
}

/// Variables and lines of the configuration that set an option or a setting.
public enum SettingScope: Equatable, Sendable {
  case none
  /// Variables and lines of the configuration for all suites and for one suite.
  case suites
  /// Variable and line of one tool: `HW_SERVE_LISTEN`, `serve.listen`.
  case tool(String)

  /// Scope of `hw serve`, to which suites add options and settings.
  public static let serve = SettingScope.tool("serve")
}

public enum StandardSettings {
  public static let seed = Setting(
    "seed", .count(0 ... .max), default: 1, "Use N as the seed for sample data")
  static let maxWait = Setting(
    "max-wait", ValueKind<Duration>.seconds, default: .seconds(120), "Wait at most SECONDS before a retry",
    details: "If a service asks for a longer wait, the request fails and the message says how long it is.")
  static let userAgent = Setting(
    "user-agent", ValueKind<String>.fieldText("TEXT"), "Send TEXT as the User-Agent header field",
    details: "The default is the name and the version of hw, as in 'hw/1.0.0'.")
  static let meta = Setting(
    "meta", "Report the source and the time of each response",
    details: """
      One line of JSON on standard error for each response used: 'source' is the address, 'asOf' the time of the \
      response in unix seconds, 'from' is network, cache, embedded or recording, and 'status' that of HTTP.
      """)

  static let plainHTTP = Setting(
    "plain-http", "Send keys and tokens over plain http to other machines",
    details: "Without it they are sent over https, to this machine and to Unix sockets only.")

  public static let all = [
    plainHTTP.declaration, seed.declaration, maxWait.declaration, userAgent.declaration, meta.declaration,
  ]
}

extension OptionDeclaration {
  /// Meaning of the value in a variable or the configuration, in one phrase.
  var settingMeaning: String {
    // The summary of a flag describes the value that is not the default.
    guard case .flag(let startsOn) = kind else { return summary }
    return "'\(startsOn ? "off" : "on")': \(summary.lowercasedFirst)"
  }

  func settingItem(suite: String?) -> Item {
    let choices = value.flatMap { $0.choices.isEmpty ? nil : ": \($0.valueName)" } ?? ""
    let fallback = defaultText.map { " (default \($0))" } ?? ""
    return Item(
      keys(suite: suite)[0], settingMeaning + choices + fallback,
      details: [value?.details ?? "", details].filter { !$0.isEmpty }.joined(separator: " "))
  }
}
