import Command
import Foundation
import Output
import TestSupport
import Testing

@testable import hw

/// The schemas of all commands as they were published, in `Tests/ProgramTests/recorded/schemas.jsonl`: a schema that changes has a new
/// version. `HW_REGENERATE=1 swift test --filter SchemaVersions` adds new commands and new versions.
@Suite(.ownThread) struct SchemaVersions {
  private struct Published: Equatable {
    var version: Int
    /// Without titles and descriptions, which may be corrected at any time.
    var structure: String
  }

  private static let file = GeneratedFiles.root.appending(path: "Tests/ProgramTests/recorded/schemas.jsonl")

  private static var current: [(name: String, schema: Published)] {
    get throws {
      try Program.hw.allCommands.compactMap { name, command in
        guard let root = command.output.schemaRoot else { return nil }
        let text = Schema(
          title: "hw \(name)", description: "", columns: command.output.columns,
          version: command.output.version
        ).text(root)
        return (name, Published(version: command.output.version, structure: try structure(text)))
      }
    }
  }

  private static var committed: [String: Published] {
    get throws {
      var published: [String: Published] = [:]
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [:] }
      for line in text.split(separator: "\n") {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let name = try #require(object["command"] as? String)
        published[name] = Published(
          version: try #require(object["version"] as? Int),
          structure: try written(try #require(object["schema"])))
      }
      return published
    }
  }

  private static func line(_ name: String, _ schema: Published) -> String {
    "{\"command\":\"\(name)\",\"version\":\(schema.version),\"schema\":\(schema.structure)}\n"
  }

  private static func structure(_ schema: String) throws -> String {
    try written(bare(JSONSerialization.jsonObject(with: Data(schema.utf8))))
  }

  /// A schema without what is for people. Below `properties` every name is one of the data.
  private static func bare(_ value: Any) -> Any {
    if let array = value as? [Any] { return array.map(bare) }
    guard var object = value as? [String: Any] else { return value }
    for name in ["$schema", "$id", "title", "description"] { object[name] = nil }
    for (name, member) in object {
      if name == "properties", let properties = member as? [String: Any] {
        object[name] = properties.mapValues(bare)
      } else {
        object[name] = bare(member)
      }
    }
    return object
  }

  private static func written(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
  }

  /// What keeps the file from being written: changed schemas without a new version.
  private static func unversioned(
    _ current: [(name: String, schema: Published)], since committed: [String: Published]
  ) -> [String] {
    current.filter { name, schema in
      guard let before = committed[name] else { return false }
      return schema.version < before.version
        || schema.version == before.version && schema.structure != before.structure
    }.map(\.name)
  }

  @Test func changedSchemaHasNewVersion() throws {
    let current = try SchemaVersions.current
    let unversioned = SchemaVersions.unversioned(current, since: try SchemaVersions.committed)
    #expect(unversioned == [], "give the output of these commands '.schemaVersion(N)' with the next N")
    if GeneratedFiles.regenerates, unversioned.isEmpty {
      let text = current.map { SchemaVersions.line($0.name, $0.schema) }.joined()
      try Data(text.utf8).write(to: SchemaVersions.file)
    }
    let committed = try SchemaVersions.committed
    #expect(
      Dictionary(uniqueKeysWithValues: current) == committed,
      "Tests/ProgramTests/recorded/schemas.jsonl is not current; HW_REGENERATE=1 writes it anew")
  }

  @Test func unversionedChangeIsFound() {
    let before = ["a": Published(version: 2, structure: "{}")]
    func found(_ version: Int, _ structure: String) -> Bool {
      !SchemaVersions.unversioned([("a", Published(version: version, structure: structure))], since: before)
        .isEmpty
    }
    #expect(!found(2, "{}") && !found(3, "{1}") && !found(3, "{}"))
    #expect(found(2, "{1}") && found(1, "{}"))
  }
}
