import HTTP
import System
import TestSupport

@testable import Command

/// Made-up programs of the recorded sessions, each with declarations of one kind. Text `recorded/sessions/NAME.txt` is
/// a session with `programs["NAME"]`.
enum SamplePrograms {
  static let all = [
    "sample": Sample.program, "run": run, "feed": feed, "draw": draw, "lists": lists, "shop": shop,
    "garden": garden, "days": days, "hints": hints, "box": box, "cup": cup,
  ]

  /// Another command line after `--`.
  private static let run: Program = {
    let size = Operand("SIZE", ValueKind<Sample.Size>.choice, "How large")
    let other = Operand(afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "What")
    let run = Command(
      "run", "Run another command", operands: [size, other], options: [Sample.force],
      output: .plain("Text."), examples: []
    ) { call, context throws(Failure) in
      let words = try call[other].joined(separator: "+")
      try context.output.outlet.write("\(try call[size].rawValue) \(call[Sample.force]) \(words)")
    }
    return Sample.program(tools: [run])
  }()

  /// The same for each of its operands. A name that is a kind of failure fails.
  private static let feed: Program = {
    let names = Operand(rest: "NAME", ValueKind<String>.text("NAME"), "Which")
    let feed = Command(
      "feed", "Feed them", operands: [names], output: .rows(Sample.Animal.self), examples: []
    ) { call, context throws(Failure) in
      try context.writeEach(try call[names]) { name throws(Failure) in
        if let kind = Failure.Kind(rawValue: name) { throw Failure(kind, "no \(name)") }
        return Sample.Animal(name: name, legs: nil)
      }
    }
    return Sample.program(tools: [feed])
  }()

  /// Options and operands that exclude each other.
  private static let draw: Program = {
    let files = Operand(rest: "FILE", ValueKind<String>.text("FILE"), "A file")
    let wide = Option("wide", short: "w", "Draw it wide")
    let draw = Command(
      "draw", "Draw the animals", operands: [files],
      options: [wide, Sample.limit, Sample.force, Sample.tag, Sample.bell],
      exclusions: [
        Exclusion(wide, Sample.limit, files),
        Exclusion(Sample.force, from: Sample.tag, StandardOptions.output, hint: "draw twice"),
        Exclusion(Sample.bell, Sample.tag),
      ], output: .rows(Sample.Animal.self), examples: [Example("sample draw", "the animals")]
    ) { _, _ in }
    return Sample.program(tools: [draw])
  }()

  /// Lists with and without a key, and one that is limited.
  private static let lists: Program = {
    @Sendable func list(_ name: String, _ output: CommandOutput) -> Command {
      Command(name, "List them", output: output, examples: []) { _, context throws(Failure) in
        try context.output.write([
          Sample.Animal(name: "dog", legs: 4), Sample.Animal(name: "cat", legs: 4),
          Sample.Animal(name: "emu", legs: 2),
        ])
      }
    }
    return Sample.program(tools: [
      list("list", .list(Sample.Animal.self, order: "as they came")),
      list("keyed", .list(Sample.Animal.self, order: "as they came", key: "name")),
      list("limited", .list(Sample.Animal.self, order: "as they came", limit: 2)),
    ])
  }()

  /// Lists and what they list, of which one can be named.
  private static let shop: Program = {
    let list = CommandOutput.list(Sample.Animal.self, order: "by name")
    @Sendable func command(_ name: String, _ output: CommandOutput, _ operands: [any DeclaredOperand] = [])
      -> Command
    {
      Command(
        name, name.hasSuffix("s") ? "List them" : "Show it", operands: operands, output: output, examples: []
      ) { _, _ in }
    }
    let things = command("things", list)
    return Sample.program(
      Suite(
        "shop", "A shop",
        commands: [
          things, command("thing", .plain("Text."), [Sample.verb]), command("parts", .plain("Text.")),
          command("part", .plain("Text.")),
        ]), Suite("farm", "A farm", commands: [Sample.list, things]))
  }()

  /// Former names.
  private static let garden: Program = {
    let list = Command(
      "list", "List them", options: [Sample.size], output: .plain("Text."), examples: []
    ) { _, _ in }
    return Sample.program(
      Suite(
        "garden", "A garden",
        replacements: [
          Replacement("get", "use 'sample garden list'"), Replacement("dig"),
          Replacement("list --big", "use '--size large'"), Replacement("--tag"),
        ], commands: [list]))
  }()

  /// Options that take the same text.
  private static let days: Program = {
    let days = Command(
      "days", "Count them",
      options: [
        Option("year", ValueKind<Int>.count(0...9999), "Of the year N"),
        Option("since", ValueKind<DayValue>.day, "From DAY on"),
        Option("until", ValueKind<DayValue>.day, "Up to DAY"),
        Option("key-file", ValueKind<String>.file, "Read the key from FILE"),
        Option("token-file", ValueKind<String>.file, "Read the token from FILE"),
        Option("leap-year", ValueKind<Sample.Size>.choice, "Of a leap year"),
      ], output: .plain("Text."), examples: []
    ) { _, _ in }
    return Sample.program(tools: [days])
  }()

  static let keyFile = Option("key-file", ValueKind<String>.inputFile, "The key")

  /// A failure whose hint is typed.
  private static let hints: Program = {
    let hint = Operand("HINT", ValueKind<String>.text("HINT"), "What to try")
    let fail = Command(
      "fail", "Fail", operands: [hint], options: [Service.tokenFile, keyFile], output: .plain("Text."),
      needs: [.network], examples: []
    ) { call, _ throws(Failure) in throw Failure(.conflict, "failed", hint: try call[hint]) }
    let count = Command("count", "Count", output: .plain("Text."), examples: []) { _, _ in }
    let service = Service(
      "box", address: "embedded:", credential: Credential(header: "X-Key", setting: "key", file: keyFile),
      reason: "")
    return .only(
      "box",
      Suite(
        "box", "Boxes", service: service, backend: { _, _ in ScriptedBackend("box", routes: []) },
        commands: [fail, count]))
  }()

  // MARK: Secrets

  private static let rate = Option("rate", .count(1...1000), setting: .suites, "Send N requests per minute")

  /// A service with a key, which is local without it and elsewhere with it.
  static let keyedService = Service(
    "box", address: "http://127.0.0.1:1", live: "https://live.test", limit: .sliding(5, per: .seconds(60)),
    rate: rate,
    credential: Credential(
      header: "X-Key", setting: "key", variables: ["BOX_KEY"], file: keyFile, hint: "get a key",
      embedded: "sample-key"), reason: "")

  static let showKey = Command(
    "show", "Show what is sent", options: [keyFile, rate, Service.tokenFile], output: .plain("Text."),
    needs: [.network], examples: []
  ) { _, context throws(Failure) in
    let endpoint = try context.endpoint(keyedService)
    let headers = endpoint.request(.get, "x").headers
    let limit = try context.ownLimit(of: keyedService).map { "\($0)" } ?? "none"
    try context.output.explain(
      """
      at \(endpoint.base), key \(headers["X-Key"] ?? "-"), token \(headers["X-Authorization"] ?? "-")
      limit \(limit), missing \(try context.missingSecret(of: keyedService) ?? "-")

      """)
  }

  private static let box = Sample.program(
    Suite(
      "box", "Boxes", service: keyedService,
      backend: { _, _ throws(Failure) in throw Failure(.defect, "no backend") }, commands: [showKey]))

  /// A service whose secret is the token of a user: it is local until there is one. Prints what is sent, also as a line
  /// of curl.
  private static let cup: Program = {
    let service = Service(
      "cup", address: "embedded:", live: "https://cup.test",
      credential: Credential(
        header: "X-Authorization", setting: Service.token, file: Service.tokenFile, hint: "sign in"),
      reason: "")
    let show = Command(
      "show", "Show what is sent", options: [Service.tokenFile], output: .plain("Text."),
      needs: [.network], examples: []
    ) { _, context throws(Failure) in
      let endpoint = try context.endpoint(service)
      let token = endpoint.request(.get, "x").headers["X-Authorization"] ?? "-"
      try context.output.explain("at \(endpoint.base), token \(token)\n")
      _ = try context.response { () throws(Failure) in try endpoint.send(.get, "x") }
    }
    return Sample.program(Suite("cup", "Cups", service: service, commands: [show]))
  }()
}
