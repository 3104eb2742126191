import JSON
import System

/// JSON Schema (2020-12) of a command's output, derived from its columns.
public struct Schema {
  let title: String
  let description: String
  let columns: [Column]
  let version: Int

  /// `title` is the command line without options. The identifier consists of it and of the version.
  public init(title: String, description: String, columns: [Column], version: Int) {
    self.title = title
    self.description = description
    self.columns = columns
    self.version = version
  }

  /// Root of the schema: an object, a list of them, or a list of values with the fields of an input.
  public enum Root {
    case one, rows, anything
  }

  public func text(_ root: Root) -> String {
    var writer = JSONWriter(.indented)
    writer.object { writer in
      writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      writer.member("$id", "urn:\(title.replacing(" ", with: ":")):\(version)")
      writer.member("title", title)
      writer.member("description", description)
      describe(root, &writer)
    }
    writer.newline()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func describe(_ root: Root, _ writer: inout JSONWriter) {
    switch root {
    case .one: object(ColumnTree(columns), of: columns, orNull: false, &writer)
    case .rows:
      writer.member("type", "array")
      writer.object("items") { describe(.one, &$0) }
    case .anything: writer.member("type", "array")
    }
  }

  private func object(
    _ tree: ColumnTree, of columns: [Column], orNull: Bool, _ writer: inout JSONWriter
  ) {
    typeName("object", orNull, &writer)
    writer.object("properties") { writer in
      for node in tree.nodes {
        writer.object(node.name) { writer in
          switch node {
          case .leaf(_, let index): value(columns[index], &writer)
          case .branch(_, let tree): object(tree, of: columns, orNull: false, &writer)
          }
        }
      }
    }
    writer.array("required") { writer in
      for node in tree.nodes { writer.string(node.name) }
    }
  }

  private func value(_ column: Column, _ writer: inout JSONWriter) {
    writer.member(
      "description", column.type == .time ? "\(column.meaning); unix seconds, UTC" : column.meaning)
    type(column.type, orNull: column.isOptional, &writer)
  }

  private func type(_ type: CellType, orNull: Bool, _ writer: inout JSONWriter) {
    switch type {
    case .any: return
    case .choice(let names):
      writer.array("enum") { writer in
        for name in names { writer.string(name) }
        if orNull { writer.null() }
      }
      return
    case .list(let element):
      typeName("array", orNull, &writer)
      writer.object("items") { self.type(element, orNull: false, &$0) }
    case .day:
      typeName("string", orNull, &writer)
      writer.member("format", "date")
    case .text: typeName("string", orNull, &writer)
    case .integer, .time: typeName("integer", orNull, &writer)
    case .number: typeName("number", orNull, &writer)
    case .flag: typeName("boolean", orNull, &writer)
    case .record(let columns): object(ColumnTree(columns), of: columns, orNull: orNull, &writer)
    case .byName(let element):
      typeName("object", orNull, &writer)
      writer.object("additionalProperties") { self.type(element, orNull: false, &$0) }
    case .object: typeName("object", orNull, &writer)
    }
  }

  private func typeName(_ name: String, _ orNull: Bool, _ writer: inout JSONWriter) {
    guard orNull else { return writer.member("type", name) }
    writer.array("type") { writer in
      writer.string(name)
      writer.string("null")
    }
  }
}
