import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

/// A made-up program with an option of every shape and operands of every count. Its commands print what they were
/// told, a line each, so that a test is a table of command lines and the values they stand for.
enum Sample {
  enum Size: String, ChoiceValue {
    case small
    case large

    var meaning: String { self == .small ? "fits a pocket" : "fits a shelf" }
  }

  struct Animal: Row {
    var name: String
    var legs: Int?

    static let fields: Fields<Animal> = [
      .text("name", "Name", "what it is called") { $0.name },
      .integer("legs", "Legs", "how many it walks on", orNull: { $0.legs }),
    ]
  }

  static let limit = Option(
    "limit", short: "n", .count(0...100), default: 10, setting: .suites, "Show at most N")
  static let size = Option("size", .choice, default: Size.small, setting: .suites, "Choose a size")
  static let name = Option("name", ValueKind<String>.text("NAME"), "Go by a name")
  static let tag = Option("tag", short: "t", each: ValueKind<String>.text("TAG"), "Add a tag")
  static let force = Option("force", short: "f", setting: .suites, "Do it all the same")
  static let bell = Option("bell", default: true, setting: .suites, "Do without a bell")
  static let loud = Option(counting: "loud", short: "l", setting: .suites, "Speak up")
  static let big = Shorthand("big", for: size, "large", "Choose the large one")

  static let verb = Operand("VERB", ValueKind<String>.text("VERB"), "What to do")
  static let times = Operand(optional: "TIMES", .count(1...9), "How often")
  static let things = Operand(rest: "THING", ValueKind<String>.text("THING"), "To what")

  static let say = Command(
    "say", "Say what was said", operands: [verb, times, things],
    options: [limit, size, name, tag, force, bell, loud, big], output: .plain("Text."),
    examples: [Example("sample zoo say hello", "the smallest")]
  ) { call, context throws(Failure) in
    var lines = [
      "limit \(call[limit])", "size \(call[size].rawValue)", "name \(call[name] ?? "none")",
      "tag \(call[tag].joined(separator: "+"))", "force \(call[force])", "bell \(call[bell])",
      "loud \(call[loud])", "verb \(try call[verb])",
      "times \(try call[times].map(String.init) ?? "-")", "things \(try call[things].joined(separator: "+"))",
    ]
    // The values nobody touched say nothing.
    let quiet = [
      "limit 10", "size small", "name none", "tag ", "force false", "bell true", "loud 0", "verb go",
      "times -", "things ",
    ]
    lines = zip(lines, quiet).filter { $0 != $1 }.map { $0.0 }
    try context.output.outlet.write(lines.joined(separator: " "))
  }

  static let list = Command(
    "list", "List the animals", output: .rows(Animal.self),
    examples: [Example("sample zoo list", "all of them")]
  ) { _, context throws(Failure) in
    try context.output.write([Animal(name: "cat", legs: 4), Animal(name: "snake", legs: nil)])
  }

  static let filter = Command(
    "filter", "Pass input on", operands: [Operand(optional: "FILE", ValueKind<String>.file, "A file")],
    output: .anyRows, needs: [.input], examples: [Example("sample filter", "as it is")]
  ) { _, context throws(Failure) in
    var block = [UInt8](repeating: 0, count: 100)
    var span = block.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = try context.input.read(into: &bytes)
    try context.output.outlet.write(String(decoding: block[..<count], as: UTF8.self))
  }

  static let kind = Operand(
    "KIND", ValueKind<Failure.Kind>("KIND", expects: "a kind of failure") { Failure.Kind(rawValue: $0) },
    "A kind")

  static let fail = Command(
    "fail", "Fail after the first line", operands: [kind], output: .rows(Animal.self, text: "A line."),
    examples: [Example("sample fail no", "says no", exits: 1)]
  ) { call, context throws(Failure) in
    try context.output.outlet.write("begun\n")
    context.messages.report("about to fail")
    context.messages.report("in detail", verbosity: 2)
    context.messages.report("from a service\u{1B}c", verbosity: 3)
    throw Failure(
      try call[kind], "it failed\u{1B}[2J", hint: "mend it", details: [.init("line", .integer(3))])
  }

  static let each = Command(
    "each", "Fail for every name, after its line", operands: [things],
    output: .rows(Animal.self, text: "A line each."),
    examples: [Example("sample each cat", "fails", exits: 4)]
  ) { call, context throws(Failure) in
    let names = try call[things]
    for name in names {
      _ = try context.attempt(oneOf: names.count) { () throws(Failure) in
        try context.output.outlet.write("\(name)\n")
        throw Failure(.conflict, "no \(name)")
      }
    }
  }

  static let decide = Command(
    "decide", "Decide by itself", output: .plain("Nothing."),
    examples: [Example("sample decide", "always no", exits: 1)]
  ) { _, _ in ExitStatus.no }

  /// The program `sample` with these suites and tools only.
  static func program(_ suites: Suite..., tools: [Command] = []) -> Program {
    Program(
      "sample", version: "1", "Test", suites: suites.map { suite in .init(suite.name, suite) },
      tools: Suite("", "Tools", commands: tools))
  }

  static let program = Program(
    "sample", version: "9.8.7", "A program for tests",
    suites: [
      .init("zoo", Suite("zoo", "Animals", discussion: "They are many.", commands: [say, list])),
      .init("farm", Suite("farm", "Other animals", commands: [list])),
    ], tools: Suite("", "Tools", discussion: "Tools of no suite.", commands: [filter, fail, each, decide]))
}

extension Ran {
  /// Runs the sample program as a shell would.
  init(_ line: String, environment: [String: String] = [:], terminal: Set<Stream> = [], columns: Int? = nil) {
    let words = line.split(separator: " ").map(String.init)
    self.init(Sample.program, words, environment: environment, terminal: terminal, columns: columns)
  }
}

extension Context {
  /// A context on doubles of everything outside it. Its output is discarded.
  init(
    _ call: Invocation, of program: Program = Sample.program, environment: [String: String] = [:],
    time: any TimeKeeper = FakeClock(), terminal: Set<Ran.Stream> = [], errors: MemorySink = MemorySink()
  ) {
    let host = Host(
      environment: Environment(environment), time: time,
      input: Host.InputStream(MemorySource([]), isTerminal: terminal.contains(.input)),
      output: Host.OutputStream(MemorySink(), isTerminal: terminal.contains(.output)),
      errors: ErrorStream(errors, isTerminal: terminal.contains(.errors)))
    self.init(program: program, call: call, host: host, output: Output(.init(), Outlet(MemorySink())))
  }
}

extension Invocation {
  /// The same call with `-q` (-1) or with as many `-v`.
  func told(_ verbosity: Int) -> Invocation {
    var call = self
    if verbosity < 0 { call.set(StandardOptions.quiet.declaration, to: true) }
    for _ in 0..<max(0, verbosity) { call.count(StandardOptions.verbose.declaration) }
    return call
  }
}
