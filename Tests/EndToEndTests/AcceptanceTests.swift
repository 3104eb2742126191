import Foundation
import System
import TestSupport
import Testing

@testable import JSON

/// All commands as `hw help --json` declares them, run with --demo --json: a program that knows nothing but that document
/// and `hw schema` can rely on both.
@Suite(.ownThread) struct DeclaredCommands {
  private struct Declared {
    var name: String
    var output: String
    var hasSchema: Bool
    var isOfService: Bool
    /// The examples that end with status 0.
    var examples: [String]
  }

  private static let document = Result { try shell("hw help --json") }

  private static let commands: [Declared] = {
    guard let text = try? document.get().output, let json = try? JSON.parse(Array(text.utf8)) else {
      return []
    }
    return (try? read(json)) ?? []
  }()

  private static func read(_ json: JSON) throws -> [Declared] {
    try json["commands"].array.map { command in
      Declared(
        name: try command["name"].string, output: try command["output"]["kind"].string,
        hasSchema: command["output"]["schemaVersion"].orNull != nil,
        isOfService: try command["needs"].array.contains { (try? $0.string) == "network" },
        examples: try command["examples"].array.filter { try $0["exitCode"].int == 0 }.map {
          try $0["command"].string
        })
    }
  }

  /// What an example cannot show: it serves, draws or waits.
  private static let lines = [
    "race watch": "hw serve --race-seconds 1 -- hw race watch --json",
    "race history": "hw race history --json", "race stats": "hw race stats --json",
    "race show":
      "hw serve --race-seconds 1 -- sh -c 'hw race watch -q >/dev/null; hw race show latest --json'",
    "race captcha": "hw serve -- hw race captcha --captcha open --json", "check": "hw check --demo --json",
    "bikes map": "hw bikes map --demo --json", "bikes export": "hw bikes export --demo --json",
  ]

  @Test func theDocumentIsAsItsSchemaSays() throws {
    let help = try DeclaredCommands.document.get()
    #expect(help.status == 0 && help.errors == "")
    #expect(JSONSchema.problems(help.output, try shell("hw schema help").output) == [])
    #expect(DeclaredCommands.commands.count > 50)
  }

  @Test(arguments: commands.filter(\.hasSchema).map(\.name))
  func printsWhatItsSchemaSays(_ name: String) throws {
    let command = try #require(DeclaredCommands.commands.first { $0.name == name })
    let home = try Home()
    let line = try #require(
      DeclaredCommands.lines[name] ?? DeclaredCommands.line(command), "no line for \(name)")
    let ending = try shell(line, in: home, environment: ["BROWSER": "true"])
    guard ending.output.isEmpty else {
      let schema = try shell("hw schema \(name)", in: home).output
      #expect(JSONSchema.problems(ending.output, schema) == [], "\(line)")
      return
    }
    // A command without output of its own, or a failure that is JSON.
    #expect(ending.status == 0 || ending.errors.hasPrefix("{\"error\":"), "\(line): \(ending)")
  }

  @Test(arguments: commands.filter { !$0.hasSchema }.map(\.name))
  func refusesJSONOrPrintsADocument(_ name: String) throws {
    let command = try #require(DeclaredCommands.commands.first { $0.name == name })
    guard command.output == "text" else { return }
    let ending = try shell("hw \(name) --json </dev/null")
    #expect(ending.status == 2 && ending.output == "", "\(ending)")
    #expect(ending.errors.hasPrefix("{\"error\":{\"kind\":\"usage\""), "\(ending.errors)")
  }

  /// The first example whose last call is the command, with --json and without what reads its output.
  private static func line(_ command: Declared) -> String? {
    for example in command.examples {
      let call = "hw \(command.name)"
      guard let start = example.range(of: call, options: .backwards) else { continue }
      var rest = example[start.upperBound...]
      for end in [" | ", " >", "; ", " && ", " || "] {
        if let cut = rest.range(of: end) { rest = rest[..<cut.lowerBound] }
      }
      let others = [
        "--csv", "--tsv", "--geojson", "--report", "--fields", "--record", "-o ",
        "--jsonl", "--interactive", "--man", "--list", "--watch", "--self",
      ]
      guard !others.contains(where: rest.contains) else { continue }
      var before = String(example[..<start.lowerBound])
      for end in ["; ", " && "] { before = before.replacingOccurrences(of: end, with: " >/dev/null\(end)") }
      let demo =
        command.isOfService && !rest.contains("--demo") && !before.contains("hw serve") ? " --demo" : ""
      let json = rest.contains("--json") ? "" : " --json"
      return "\(before)\(call)\(demo)\(json)\(rest)"
    }
    return nil
  }
}
