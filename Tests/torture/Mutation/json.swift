import System
import TestSupport

@testable import JSON

extension Driver {
  /// The reader, the stream in pieces, and the writer: the naive reader has to agree.
  static let json = Driver(name: "json", round: 250) { _ in
    let mutator = Mutator(JSONSamples.texts, tokens: JSONSamples.tokens)
    return Attack(make: { mutator.make(&$0) }, judge: JSONJudge.problem)
  }
}

enum JSONSamples {
  static let texts = [
    #"{"a":1,"b":[true,false,null],"c":{"d":"e\u00e9\ud83d\ude00\n","f":-1.5e-3}}"#, "[1,2,3]", "[]", "{}",
    #"[{"id":1,"name":"a","at":{"x":0.1,"y":-0}},{"id":2,"name":"b\"c","at":null}]"#,
    #"{"n":1}"# + "\n" + #"{"n":2,"m":"x"}"# + "\n\n" + #"{"n":[]}"# + "\n",
    "1 2 \"three\"\nnull\ttrue\r\n[4]",
    #" [ { "a" : [ [ ] , { } ] , "a" : 2 , "" : "" } , "\\\"\/\b\f\n\r\t" , 12345678901234567890 ] "#,
    #"["0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n","héllo wörld – 漢字 😀"]"#,
    #"[0.1,1e5,-0.0,1E+2,9223372036854775807,-9223372036854775808,1e400,123456789.123456789e-30]"#,
    String(repeating: "[", count: 1023) + "1" + String(repeating: "]", count: 1023),
    String(repeating: #"{"a":"#, count: 30) + "1" + String(repeating: "}", count: 30),
    #"{"data":[{"id":1},{"id":2}],"meta":{"next_cursor":25,"per_page":25}}"#,
    "[" + (0..<40).map { #"{"id":\#($0),"name":"n\#($0)","v":[\#($0),"x"]}"# }.joined(separator: ",\n") + "]",
  ].map { Array($0.utf8) }

  static let tokens = [
    "{\"a\":", "\\u", "\\\"", "\\\\", "\\ud83d\\ude00", "\\uDBFF\\uDFFF", "tru", "nul", "[[[[", "]]]]", "e+",
    ".", "01", "-", "//", "\u{FEFF}", "\u{2028}", "}{", "][", "},{", "\"a\":1,\"a\":2",
  ]
}

private enum JSONJudge {
  static func problem(_ input: [UInt8]) throws -> String? {
    let expected = NaiveJSON(input)
    let parsed = Result { () throws(Failure) in try JSON.parse(input) }
    switch (parsed, expected) {
    case (.success(let json), .some(let value)):
      if let problem = difference(json, value, "$") { return problem }
      if let problem = try written(json, value) { return problem }
    case (.failure(let failure), .none):
      if failure.kind != .invalidData { return "the reader fails with \(failure.kind)" }
    case (.success, .none): return "the reader accepts what is not JSON"
    case (.failure(let failure), .some): return "the reader refuses JSON: \(failure.message)"
    }
    let whole = stream(input, chunk: .max, buffer: 256 << 10)
    let chunks = NaiveJSON.stream(input)
    if whole.problem == nil, !chunks.isWhole { return "the stream accepts what is none" }
    if let problem = whole.problem, chunks.isWhole { return "the stream refuses: \(problem.message)" }
    guard whole.texts.count == chunks.values.count else {
      return "the stream has \(whole.texts.count) elements, not \(chunks.values.count)"
    }
    for (text, value) in zip(whole.texts, chunks.values) where NaiveJSON(text) != value {
      return "an element of the stream is another: \(String(decoding: text, as: UTF8.self))"
    }
    // The pieces depend on the input alone, so that a finding can be repeated.
    var random = SeededGenerator(of: input)
    let pieces = stream(
      input, chunk: 1 + random.below(random.chance(2) ? 4 : 70), buffer: 16 << random.below(6))
    if pieces != whole { return "in pieces the stream gives something else" }
    return nil
  }

  struct Streamed: Equatable {
    var texts: [[UInt8]] = []
    var problem: Failure?
  }

  static func stream(_ input: [UInt8], chunk: Int, buffer: Int) -> Streamed {
    var stream = JSONStream(MemorySource(input, chunk: chunk), bufferSize: buffer, largestElement: 64 << 20)
    var streamed = Streamed()
    do throws(Failure) {
      while let element = try stream.next() {
        var text: [UInt8] = []
        element.appendRaw(to: &text)
        streamed.texts.append(text)
      }
    } catch {
      streamed.problem = error
    }
    return streamed
  }

  /// What is written is read as the same, in both layouts.
  static func written(_ json: JSON, _ value: NaiveJSON) throws -> String? {
    for layout in [JSONWriter.Layout.compact, .indented] {
      var writer = JSONWriter(layout)
      writer.value(json)
      guard NaiveJSON(writer.bytes) == value else { return "written \(layout), it is something else" }
      let isSafe = String(decoding: writer.bytes, as: UTF8.self).unicodeScalars.allSatisfy {
        !(0x7F...0x9F).contains($0.value) || $0.value == 0x7F
      }
      if !isSafe { return "a C1 control character is written unescaped" }
    }
    return nil
  }

  static func difference(_ json: JSON, _ value: NaiveJSON, _ path: String) -> String? {
    switch value {
    case .null: return json.kind == .null ? nil : "\(path) should be null"
    case .bool(let value): return (try? json.bool) == value ? nil : "\(path) should be \(value)"
    case .number(let text):
      let string = String(decoding: text, as: UTF8.self)
      guard json.kind == .number else { return "\(path) should be a number" }
      if let double = Double(string), double.isFinite {
        guard let read = try? json.double, read == double else { return "\(path) should be \(double)" }
      }
      if let integer = Int(string), (try? json.int) != integer { return "\(path) should be \(integer)" }
      _ = try? json.number
      return nil
    case .string(let text):
      guard let string = try? json.string, Array(string.utf8) == text else {
        return "\(path) is another string"
      }
      // Any text may be no JSON.
      _ = try? json.unwrapped
      return nil
    case .array(let elements):
      guard let array = try? json.array else { return "\(path) should be an array" }
      var count = 0
      for (index, element) in array.enumerated() {
        guard index < elements.count else { return "\(path) has too many elements" }
        if let problem = difference(element, elements[index], "\(path)[\(index)]") { return problem }
        count += 1
      }
      guard count == elements.count else { return "\(path) has too few elements" }
      guard elements.isEmpty || json[count - 1].kind != .absent else { return "\(path) has no last element" }
      return json[count].kind == .absent ? nil : "\(path) has one element more"
    case .object(let members):
      guard let found = try? json.members else { return "\(path) should be an object" }
      var count = 0
      for (index, member) in found.enumerated() {
        guard index < members.count else { return "\(path) has too many members" }
        guard Array(member.key.utf8) == members[index].name else { return "\(path) has another name" }
        if let problem = difference(member.value, members[index].value, "\(path).\(member.key)") {
          return problem
        }
        count += 1
      }
      guard count == members.count else { return "\(path) has too few members" }
      // The last of equal names counts.
      guard let last = members.last else { return nil }
      let name = String(decoding: last.name, as: UTF8.self)
      return json[name].index == found.suffix(1).first?.value.index
        ? nil : "\(path) has another last '\(name)'"
    }
  }
}
