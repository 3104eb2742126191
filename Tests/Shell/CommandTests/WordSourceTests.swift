import Foundation
import System
import Terminal
import TestSupport
import Testing

@testable import Command

/// What a completion script is told about a line that is still being typed.
@Suite struct WordSourceTests {
  private static let tokenTaker = Command(
    "take", "Take it", options: [Service.tokenFile], output: .plain("Text."), examples: []
  ) { _, _ in }
  private static let plain = Command("plain", "Do it", output: .plain("Text."), examples: []) { _, _ in }
  private static let program = Sample.program(Suite("zoo", "Animals", commands: [tokenTaker, plain]))

  /// A context of `completions`, which was called with an address of its own.
  private func context(_ environment: [String: String] = [:], configuration: String = "") throws -> Context {
    var call = Invocation(Self.plain, suite: nil)
    call.set(StandardOptions.url.declaration, to: "http://own.test", text: "http://own.test")
    call.configuration = try Configuration(Array(configuration.utf8), path: "file")
    return Context(call, of: Self.program, environment: environment)
  }

  private func words(_ source: WordSource, _ context: Context, on line: String = "") throws -> [String] {
    try context.words(of: source, on: line.split(separator: " ").map(String.init)).map {
      $0.meaning.isEmpty ? $0.name : "\($0.name): \($0.meaning)"
    }
  }

  private static let address = WordSource { context, _ in
    let call = context.call
    let parts = [call[StandardOptions.url] ?? "none", "\(call.configuration["timeout"]?.value ?? "-")"]
    return [Choice(parts.joined(separator: "|"), "")]
  }

  @Test(arguments: [
    ("", "none|9"), ("zoo plain --url http://h.test", "http://h.test|9"),
    ("--url=http://h.test?a=b zoo", "http://h.test?a=b|9"), ("zoo --demo", "demo:|9"),
    ("--url http://a.test --url http://b.test", "http://b.test|9"),
    ("--limit 3 --demo x", "demo:|9"), ("-- --demo", "none|9"), ("--no-config", "none|-"),
    ("--config --demo", "demo:|9"), ("--no-config --config", "none|9"),
    // The value of another option.
    ("--output --demo", "none|9"), ("-o --demo", "none|9"), ("--output=json --demo", "demo:|9"),
    ("-ojson --demo", "demo:|9"), ("-q --demo", "demo:|9"), ("--unknown --demo", "demo:|9"),
    // Standard input is the terminal; the last value is missing.
    ("--url - --no-config", "none|-"), ("--url=-", "none|9"), ("--url", "none|9"),
    // The shell has not expanded it.
    ("--url=~/x", "/home/ann/x|9"), ("--url ~/x", "/home/ann/x|9"), ("--url ~x", "~x|9"),
  ])
  func addressOnLineIsUsed(words line: String, found: String) throws {
    let context = try context(["HOME": "/home/ann"], configuration: "timeout = 9")
    #expect(try words(Self.address, context, on: line) == [found])
  }

  /// The same name can mean something else in another command.
  @Test(arguments: [
    ("zoo take --token-file t", "t"), ("zoo take --token-file=~/t", "~/t"), ("zoo plain --token-file t", "-"),
    ("zoo --token-file t", "-"), ("--token-file t zoo take", "t"),
    // An empty value is one, and refused. The source can read the option nevertheless.
    ("zoo take --token-file= t", "-"), ("zoo take --token-file=", "-"),
  ])
  func ownOptions(line: String, file: String) throws {
    let source = WordSource { context, _ in
      [Choice(context.call[Service.tokenFile] ?? "-", "")]
    }
    #expect(try words(source, context(), on: line) == [file])
  }

  private static let keyFile = Option("key-file", ValueKind<String>.file, "Read the key from FILE")
  private static let open = Command(
    "open", "Open it", options: [keyFile, Service.tokenFile], output: .plain("Text."), examples: []
  ) { _, _ in }
  private static let keyed = Program(
    "sample", version: "1", "Test",
    suites: [
      .init(
        "box",
        Suite(
          "box", "Boxes",
          service: Service(
            "box", address: "demo:", credential: Credential(header: "X-Key", setting: "key", file: keyFile),
            reason: ""), backend: { _, _ in ScriptedBackend("box", routes: []) }, commands: [open]))
    ], tools: Suite("", "Tools", commands: []))

  @Test func theFileOfEverySecretIsTaken() throws {
    let source = WordSource { context, _ in
      [Choice("\(context.call[Self.keyFile] ?? "-") \(context.call[Service.tokenFile] ?? "-")", "")]
    }
    let context = Context(Invocation(Self.plain, suite: nil), of: Self.keyed)
    #expect(try words(source, context, on: "box open --key-file k --token-file t") == ["k t"])
    #expect(try words(source, context, on: "box open --key-file=k") == ["k -"])
  }

  @Test func wordsWithControlCharactersAreLeftOut() throws {
    let source = WordSource { _, after in
      [Choice("", "nothing"), Choice("a\u{1B}b", "x"), Choice("a\nb", "x"), Choice("ok", "one\ntwo\u{1B}")]
        + (after.map { [Choice($0, "")] } ?? [])
    }
    let found = try context().words(of: source, on: ["before"])
    #expect(found.map(\.name) == ["ok", "before"])
    #expect(!found[0].meaning.contains { $0 == "\n" || $0 == "\u{1B}" })
    #expect(found[0].meaning.hasPrefix("one"))
  }

  @Test func aliasesAndPlugIns() throws {
    let scratch = try ScratchDirectory()
    for name in ["sample-greet", "sample-sing", "sample-zoo", "other"] { try scratch.writeScript(name) }
    try scratch.write("", to: "sample-plain")
    let context = try context(
      ["PATH": scratch.path], configuration: "alias.greet = zoo take\nalias.b = sing 'a b'")
    #expect(
      try words(.ownCommands, context) == [
        "b: an alias: sample sing 'a b'", "greet: an alias: sample zoo take", "sing: a plug-in",
      ])
    withExtendedLifetime(scratch) {}
  }

  /// The options before the name of a plug-in are those of the program.
  @Test func versionBeforePlugInIsOfTheProgram() throws {
    let scratch = try ScratchDirectory()
    try scratch.writeScript("sample-greet")
    let ran = Ran("--version greet", environment: ["PATH": scratch.path])
    #expect(ran.output == "sample 9.8.7\n" && ran.status == 0)
    let wrong = Ran("--nope greet", environment: ["PATH": scratch.path])
    #expect(wrong.status == 2 && wrong.complaint.hasPrefix("hw: unknown option '--nope'"))
    withExtendedLifetime(scratch) {}
  }
}

extension ScratchDirectory {
  fileprivate func writeScript(_ name: String) throws {
    try write("#!/bin/sh\nexit 9\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file(name))
  }
}
