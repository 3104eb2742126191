import System

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

  public var servedSuites: [Suite] { suites.filter(\.hasBackend) }

  public var services: [Service] { servedSuites.compactMap(\.service) }

  var topLevelNames: [String] { suiteNames + tools.commands.map(\.name) }

  /// Returns the suite, or fails (`usage`) with a hint for a mistyped name.
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
