import HTTP
import Server
import Store
import System

/// Commands of one service, or those of the program itself. A class, made once and passed on without a copy.
public final class Suite: Sendable {
  public let name: String
  public let summary: String
  public let discussion: String
  public var service: Service? { declaredService() }
  private let declaredService: @Sendable () -> Service?
  private let declaredCommands: @Sendable () -> [Command]
  private let declaredChecks: @Sendable () -> [Check]
  private let declaredServerOptions: @Sendable () -> [any Declared]
  private let declaredServerSettings: @Sendable () -> [any Declared]
  private let declaredDatabases: @Sendable () -> [Migrations]
  private let declaredReplacements: @Sendable () -> [Replacement]
  private let declaredPersonalData: @Sendable () -> PersonalData?
  private let makeBackend: MakeBackend?
  let feed: FeedTranslation?

  public typealias MakeBackend = @Sendable (BackendSettings, ServerOptions) throws(Failure) -> any Backend

  /// Commands are made on first use: `hw --version` makes none.
  public init(
    _ name: String, _ summary: String, discussion: String = "",
    service: @autoclosure @escaping @Sendable () -> Service? = nil,
    replacements: @autoclosure @escaping @Sendable () -> [Replacement] = [],
    backend: MakeBackend? = nil, feed: FeedTranslation? = nil,
    serverOptions: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    serverSettings: @autoclosure @escaping @Sendable () -> [any Declared] = [],
    databases: @autoclosure @escaping @Sendable () -> [Migrations] = [],
    personalData: @autoclosure @escaping @Sendable () -> PersonalData? = nil,
    checks: @autoclosure @escaping @Sendable () -> [Check] = [],
    commands: @autoclosure @escaping @Sendable () -> [Command]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    declaredService = service
    declaredCommands = commands
    declaredChecks = checks
    declaredServerOptions = serverOptions
    declaredServerSettings = serverSettings
    declaredDatabases = databases
    declaredPersonalData = personalData
    declaredReplacements = replacements
    makeBackend = backend
    self.feed = feed
  }

  public var commands: [Command] { declaredCommands() }

  var replacements: [Replacement] { declaredReplacements() }

  public var checks: [Check] { declaredChecks() }

  /// Contract of the service, or of the files of a feed, at an address.
  public func checks(at address: URL) -> [Check] { address.scheme == .gbfs ? feed?.checks() ?? [] : checks }

  public var serverOptions: [any Declared] { declaredServerOptions() }

  public var serverSettings: [any Declared] { declaredServerSettings() }

  public var databases: [Migrations] { declaredDatabases() }

  public var personalData: PersonalData? { declaredPersonalData() }

  public var hasBackend: Bool { makeBackend != nil }

  /// Backend of the service, for `demo:`, `embedded:` and `hw serve`.
  public func backend(
    _ settings: BackendSettings, _ options: ServerOptions = ServerOptions()
  ) throws(Failure) -> any Backend {
    guard let makeBackend else { throw Failure(.defect, "suite '\(name)' has no backend") }
    return try makeBackend(settings, options)
  }
}

/// Values of a suite's server options and settings: those of `hw serve`, or the defaults without a server.
public struct ServerOptions: Sendable {
  private let call: Invocation?

  public init(_ call: Invocation? = nil) { self.call = call }

  public subscript<Value>(_ option: Option<Value>) -> Value { call?[option] ?? option.fallback }

  public subscript<Value>(_ setting: Setting<Value>) -> Value { self[setting.option] }
}

public struct Program: Sendable {
  public let name: String
  public let version: String
  public let summary: String
  private let entries: @Sendable () -> [Entry]
  private let toolbox: @Sendable () -> Suite
  private let writtenGuides: @Sendable () -> [Topic]

  /// Suite by its name, made on first use to keep start-up fast.
  public struct Entry: Sendable {
    let name: String
    private let makeSuite: @Sendable () -> Suite

    public init(_ name: String, _ suite: @autoclosure @escaping @Sendable () -> Suite) {
      self.name = name
      makeSuite = suite
    }

    public var suite: Suite { makeSuite() }
  }

  public init(
    _ name: String, version: String, _ summary: String,
    suites: @autoclosure @escaping @Sendable () -> [Entry],
    tools: @autoclosure @escaping @Sendable () -> Suite,
    guides: @autoclosure @escaping @Sendable () -> [Topic] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    entries = suites
    toolbox = tools
    writtenGuides = guides
  }

  public var suites: [Suite] { entries().map { $0.suite } }

  public var suiteNames: [String] { entries().map { $0.name } }

  public func suite(named name: String) -> Suite? { entries().first { $0.name == name }?.suite }

  public var tools: Suite { toolbox() }

  func tool(named name: String) -> Command? { tools.commands.first { $0.name == name } }

  public var guides: [Topic] { writtenGuides() }

  public var allCommands: [(name: String, command: Command)] {
    suites.flatMap { suite in suite.commands.map { ("\(suite.name) \($0.name)", $0) } }
      + tools.commands.map { ($0.name, $0) }
  }

  public var services: [Suite] { suites.filter(\.hasBackend) }

  public func suite(_ name: String) throws(Failure) -> Suite {
    if let suite = suite(named: name) { return suite }
    throw Failure(
      .usage, "'\(name)' is not a suite of \(self.name)",
      hint: hint(forCommand: name) ?? Suggestion.phrase(for: name, among: suiteNames)
        ?? "suites: \(suiteNames.joined(separator: ", "))")
  }

  func hint(forCommand name: String) -> String? {
    let found = suites.filter { $0.commands.contains { $0.name == name } }.map { "'\($0.name) \(name)'" }
    return found.isEmpty ? nil : "did you mean \(found.joined(separator: " or "))?"
  }

  /// Command with that name: `nodes top`, `rows`.
  public func command(_ words: [String]) throws(Failure) -> Command {
    guard let first = words.first else {
      throw Failure(.usage, "missing operand COMMAND", hint: "'\(name) help' lists the commands")
    }
    let tool = tool(named: first)
    let length = tool == nil ? 2 : 1
    guard words.count <= length else { throw Failure(.usage, "unexpected operand '\(words[length])'") }
    if let tool { return tool }
    let suite = try suite(first)
    guard words.count == 2 else {
      throw Failure(
        .usage, "missing the name of a command of '\(first)'",
        hint: "commands: \(suite.commands.map(\.name).joined(separator: ", "))")
    }
    return try suite.command(words[1], in: self)
  }
}

extension Suite {
  public func command(_ name: String, in program: Program) throws(Failure) -> Command {
    let commands = commands
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw Failure(
      .usage, "'\(name)' is not a command of '\(program.name) \(self.name)'",
      hint: UsageHint.command(name, of: self, in: program)
        ?? Suggestion.phrase(for: name, among: commands.map(\.name))
        ?? "commands: \(commands.map(\.name).joined(separator: ", "))")
  }
}

/// Data of a suite about the users of a server, besides their names and tokens.
public struct PersonalData: Sendable {
  /// Sentences about data that remains when a user is deleted, each with the command that deletes it.
  public let remains: @Sendable (Store, _ user: String) throws(Failure) -> [String]
  /// Removes old entries of the history, and the names of former users from the others; nil without a history.
  public let prune: @Sendable (Store, Limit) throws(Failure) -> Pruned?

  public init(
    remains: @escaping @Sendable (Store, _ user: String) throws(Failure) -> [String],
    prune: @escaping @Sendable (Store, Limit) throws(Failure) -> Pruned?
  ) {
    self.remains = remains
    self.prune = prune
  }

  public struct Limit: Sendable {
    /// Entries that ended before are removed.
    public let time: Timestamp
    /// Names of the users; nil if the store never had users, and then no name is removed.
    public let users: Set<String>?
    public let isDryRun: Bool

    public init(_ time: Timestamp, users: Set<String>?, isDryRun: Bool) {
      self.time = time
      self.users = users
      self.isDryRun = isDryRun
    }
  }

  public struct Pruned: Sendable {
    public var entries = 0
    public var names: Set<String> = []

    public init() {}
  }
}
