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
  /// Removes old entries of the history, and from the remaining entries the names of former users; nil without a
  /// history.
  public let prune: @Sendable (Store, Limit) throws(Failure) -> Pruned?

  public init(
    remains: @escaping @Sendable (Store, _ user: String) throws(Failure) -> [String],
    prune: @escaping @Sendable (Store, Limit) throws(Failure) -> Pruned?
  ) {
    self.remains = remains
    self.prune = prune
  }

  public struct Limit {
    /// Entries that ended before this time are removed.
    public let time: Timestamp
    /// Whether a name is that of a user; nil if the store never had users, and then no name is removed. Call it after
    /// the entry with the name was read, or the entry of a user who was added in between would lose its name.
    public let isUser: ((String) throws(Failure) -> Bool)?
    public let isDryRun: Bool

    public init(_ time: Timestamp, isUser: ((String) throws(Failure) -> Bool)?, isDryRun: Bool) {
      self.time = time
      self.isUser = isUser
      self.isDryRun = isDryRun
    }
  }

  public struct Pruned: Sendable {
    public var entries = 0
    public var names: Set<String> = []

    public init() {}
  }
}
