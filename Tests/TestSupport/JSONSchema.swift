import Foundation
import JSON
import System

/// As much of JSON Schema (2020-12) as the schemas here use. A keyword that it does not know is a problem as well: what
/// is not checked is not held.
public enum JSONSchema {
  /// What of the document is not as the schema says. A member that the schema does not name is one, too.
  public static func problems(_ document: String, _ schema: String) -> [String] {
    do throws(Failure) {
      return try problems(JSON.parse(Array(document.utf8)), JSON.parse(Array(schema.utf8)), at: "$")
    } catch {
      return [error.message]
    }
  }

  /// The same for a line of JSON lines: one of the items of an array.
  public static func problems(line: String, _ schema: String) -> [String] {
    do throws(Failure) {
      let schema = try JSON.parse(Array(schema.utf8))
      let whole = schema["oneOf"].orNull == nil ? schema : schema["oneOf"][0]
      let item = whole["type"].orNull.flatMap { try? $0.string } == "array" ? whole["items"] : whole
      // Rows whose fields are the input's have none to hold.
      guard item.kind == .object else { return [] }
      return try problems(JSON.parse(Array(line.utf8)), item, at: "$")
    } catch {
      return [error.message]
    }
  }

  private static let annotations = ["$schema", "$id", "title", "description", "required"]

  private static func problems(_ value: JSON, _ schema: JSON, at path: String) throws(Failure) -> [String] {
    var found: [String] = []
    for (keyword, rule) in try schema.members {
      switch keyword {
      case "type":
        let types = rule.kind == .array ? try rule.array.map { $0 } : [rule]
        var isOne = false
        for type in types where try matches(value, type.string) { isOne = true }
        if !isOne { found.append("\(path): \(value.kind.named) is of no type that it may be") }
      case "oneOf":
        var fitting = 0
        for alternative in try rule.array where try problems(value, alternative, at: path).isEmpty {
          fitting += 1
        }
        if fitting != 1 { found.append("\(path): \(fitting) of the alternatives fit") }
      case "enum":
        var isOne = false
        for choice in try rule.array where raw(choice) == raw(value) { isOne = true }
        if !isOne { found.append("\(path): \(raw(value)) is none of the choices") }
      case "format":
        guard value.kind == .string else { continue }
        switch try rule.string {
        case "date": if CalendarDay(try value.string) == nil { found.append("\(path): no day") }
        case "timezone":
          let zone = try value.string
          if !zone.contains("/") || TimeZone(identifier: zone) == nil {
            found.append("\(path): no time zone")
          }
        default: found.append("\(path): an unknown format")
        }
      case "pattern":
        guard value.kind == .string else { continue }
        let text = try value.string
        if text.range(of: try rule.string, options: .regularExpression) == nil {
          found.append("\(path): '\(text)' does not match")
        }
      case "minimum", "maximum":
        guard value.kind == .number else { continue }
        let isOutside = try keyword == "minimum" ? value.double < rule.double : value.double > rule.double
        if isOutside { found.append("\(path): \(raw(value)) is outside its range") }
      case "minItems", "maxItems":
        guard value.kind == .array else { continue }
        let count = try value.array.count
        let isWrong = try keyword == "minItems" ? count < rule.int : count > rule.int
        if isWrong { found.append("\(path): \(count) items") }
      case "items":
        guard value.kind == .array else { continue }
        for (index, item) in try value.array.enumerated() {
          found += try problems(item, rule, at: "\(path)[\(index)]")
        }
      case "properties":
        guard value.kind == .object else { continue }
        // Held by that keyword.
        let others = schema["additionalProperties"].kind == .object
        for (name, member) in try value.members {
          let schema = rule[name]
          if schema.kind == .absent {
            if others { continue }
            found.append("\(path).\(name): not in the schema")
          } else {
            found += try problems(member, schema, at: "\(path).\(name)")
          }
        }
        for name in try schema["required"].orNull.map({ required throws(Failure) in
          try required.array.map { $0 }
        }) ?? [] where value[try name.string].kind == .absent {
          found.append("\(path).\(try name.string): missing")
        }
      case "additionalProperties":
        guard value.kind == .object, rule.kind == .object else { continue }
        for (name, member) in try value.members where schema["properties"][name].kind == .absent {
          found += try problems(member, rule, at: "\(path).\(name)")
        }
      case let known where annotations.contains(known): break
      default: found.append("\(path): '\(keyword)' is not held")
      }
    }
    return found
  }

  private static func matches(_ value: JSON, _ type: String) -> Bool {
    switch type {
    case "array": value.kind == .array
    case "object": value.kind == .object
    case "string": value.kind == .string
    case "null": value.kind == .null
    case "boolean": value.kind == .bool
    case "integer": (try? value.int) != nil
    case "number": value.kind == .number
    default: false
    }
  }

  private static func raw(_ value: JSON) -> String {
    var bytes: [UInt8] = []
    value.appendRaw(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
