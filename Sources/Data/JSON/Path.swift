import System

extension JSON {
  /// Path to a value below another: `city.en`, `beeList[2].name`. Parsed once, followed a million times. Dots separate
  /// steps; `[2]` and `.2` are the third element of an array, and `.2` is also a member of that name. A name with a dot
  /// or a bracket is written as a JSON string, `"a.b"` or `["a.b"]`. The empty path is the value itself.
  public struct Path: Sendable, CustomStringConvertible {
    let steps: [Step]
    /// Remaining path at each step, for missing values.
    let trails: [Trail]

    public init(_ text: String) { self.init(steps: Path.parse(Array(text.utf8))) }

    /// Path of member names, in which dots and brackets have no meaning.
    public init(names: [String]) { self.init(steps: names.map { .name(Array($0.utf8)) }) }

    private init(steps: [Step]) {
      self.steps = steps
      trails = steps.indices.map { Trail(steps[$0...]) }
    }

    public static let whole = Path("")

    public var description: String { Step.text(of: steps) }

    private static func parse(_ text: [UInt8]) -> [Step] {
      var steps: [Step] = []
      var at = 0
      while at < text.count {
        if let (step, end) = bracketed(text, at) ?? quoted(text, at) {
          steps.append(step)
          at = end
        } else {
          let end = text[(at + 1)...].firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
          let stop = text[at] == UInt8(ascii: ".") ? at : end ?? text.count
          steps.append(.plain(Array(text[at..<stop])))
          at = stop
        }
        guard at < text.count, text[at] == UInt8(ascii: ".") else { continue }
        at += 1
        if at == text.count { steps.append(.name([])) }
      }
      return steps
    }

    /// Parses `[2]` or `["name"]` at `start`; returns its end.
    private static func bracketed(_ text: [UInt8], _ start: Int) -> (Step, end: Int)? {
      guard text[start] == UInt8(ascii: "[") else { return nil }
      if let (step, end) = quoted(text, start + 1, closing: UInt8(ascii: "]")) { return (step, end + 1) }
      guard let close = text[start...].firstIndex(of: UInt8(ascii: "]")),
        case .either(_, let number) = Step.plain(Array(text[(start + 1)..<close]))
      else { return nil }
      return (.element(number), close + 1)
    }

    /// Parses a quoted name that fills its step; returns its end. Text that is no JSON string is a plain name.
    private static func quoted(
      _ text: [UInt8], _ start: Int, closing: UInt8? = nil
    ) -> (Step, end: Int)? {
      guard let end = PathText.endOfQuotes(text[...], start) else { return nil }
      let next = end < text.count ? text[end] : nil
      let isWhole =
        if let closing {
          next == closing
        } else {
          next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
        }
      guard isWhole, let name = try? JSON.parse(Array(text[start..<end])).string else { return nil }
      return (.name(Array(name.utf8)), end)
    }
  }
}

public enum PathText {
  /// Offset of the first byte at or after `start` that is outside quotes and satisfies the condition.
  public static func firstIndex(
    in text: ArraySlice<UInt8>, from start: Int, where condition: (Int) -> Bool
  ) -> Int? {
    var at = start
    var mayQuote = true
    while at < text.endIndex {
      if mayQuote, let end = endOfQuotes(text, at) {
        (at, mayQuote) = (end, false)
        continue
      }
      if condition(at) { return at }
      // A quote within a name is an ordinary character.
      mayQuote = ".[,- ".utf8.contains(text[at])
      at += 1
    }
    return nil
  }

  /// Splits a list at the commas outside quotes.
  public static func list(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    var elements: [String] = []
    var start = 0
    while true {
      let end = firstIndex(in: bytes[...], from: start) { bytes[$0] == UInt8(ascii: ",") } ?? bytes.count
      elements.append(String(decoding: bytes[start..<end], as: UTF8.self))
      guard end < bytes.count else { return elements }
      start = end + 1
    }
  }

  /// Offset after the JSON string that begins at `start`.
  static func endOfQuotes(_ text: ArraySlice<UInt8>, _ start: Int) -> Int? {
    guard start < text.endIndex, text[start] == UInt8(ascii: "\"") else { return nil }
    var at = start + 1
    while at < text.endIndex {
      switch text[at] {
      case UInt8(ascii: "\\"): at += 2
      case UInt8(ascii: "\""): return at + 1
      default: at += 1
      }
    }
    return nil
  }
}

extension JSON.Path {
  /// Nested member names of the value in JSON output: `list[2].name` is written `{"list[2]":{"name":…}}`.
  public var memberNames: [String] {
    var names: [String] = []
    for step in steps {
      switch step {
      case .name(let name), .either(let name, _): names.append(String(decoding: name, as: UTF8.self))
      case .element(let number): names.append((names.popLast() ?? "") + "[\(number)]")
      }
    }
    return names
  }
}

enum Step: Sendable, Hashable {
  case name([UInt8])
  case element(Int)
  /// A number without brackets: an element of an array, or a member of this name.
  case either([UInt8], Int)

  static func plain(_ word: [UInt8]) -> Step {
    let isNumber = word.allSatisfy(\.isASCIIDigit)
    guard isNumber, let number = Int(String(decoding: word, as: UTF8.self)) else { return .name(word) }
    return .either(word, number)
  }

  static func text(of steps: [Step]) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .element(let number): text += "[\(number)]"
      case .name(let name), .either(let name, _):
        if isPlain(name) {
          text += text.isEmpty ? "" : "."
          text += String(decoding: name, as: UTF8.self)
        } else {
          // A name may be as long as the input; a message must not.
          let shown = String(decoding: name, as: UTF8.self)
          var quoted: [UInt8] = []
          JSONWriter.appendString(shown.count > 64 ? shown.prefix(64) + "…" : shown, to: &quoted)
          text += "[" + String(decoding: quoted, as: UTF8.self) + "]"
        }
      }
    }
    return text
  }

  /// Path for messages; of a long one the first and the last eight steps.
  static func brief(of steps: [Step]) -> String {
    guard steps.count > 20 else { return text(of: steps) }
    return "\(text(of: Array(steps.prefix(8))))…\(text(of: Array(steps.suffix(8))))"
  }

  private static func isPlain(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name.count <= 64
      && name.allSatisfy { byte in
        byte > 0x20 && byte != 0x7F && !".[]\"\\".utf8.contains(byte)
      }
  }
}

/// Steps to a missing value. A class, so that a view of it is one word and a prepared path shares it.
final class Trail: Sendable {
  /// Slice, so that the trails of a long path share its steps.
  let steps: ArraySlice<Step>

  init(_ steps: ArraySlice<Step>) { self.steps = steps }

  init(_ parent: Trail?, _ step: Step) { steps = (parent?.steps ?? []) + [step] }
}
