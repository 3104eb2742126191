import JSON
import System

/// The contract of a JSON value: the types of its fields, which of them may be null or absent, the words of a choice.
/// The tests of the feed compare files with it.
indirect enum Contract: Sendable {
  case string
  /// A string of a named form: `66 hexadecimal digits`.
  case text(String, @Sendable (String) -> Bool)
  case choice([String])
  /// An integer of 64 bits.
  case int(ClosedRange<Int> = .min ... .max)
  case number
  case bool
  /// Any value.
  case any
  /// Required; may be null.
  case orNull(Contract)
  /// May be absent.
  case orAbsent(Contract)
  /// The first alternative that matches.
  case either([Contract])
  case list(Contract, count: ClosedRange<Int> = 0 ... .max)
  /// The known members. Others are reported as warnings.
  case object(KeyValuePairs<String, Contract>)
  /// The known members. Others are allowed.
  case open(KeyValuePairs<String, Contract>)
  /// Members of any name.
  case map(Contract)
  /// A string that holds JSON, or the JSON itself.
  case wrapped(Contract)

  /// May be null or absent.
  static func optional(_ shape: Contract) -> Contract { .orAbsent(.orNull(shape)) }
}

/// Violation of a contract.
struct ContractViolation: Equatable, Sendable {
  /// Path of the value: `[3].capacity`; empty for the whole response.
  var path: String
  var sentence: String
  var weight: Weight

  enum Weight: Sendable {
    /// An unknown field.
    case warning
    case fault
  }

  init(_ path: String, _ sentence: String, _ weight: Weight = .fault) {
    self.path = path
    self.sentence = sentence
    self.weight = weight
  }

  var text: String { path.isEmpty ? sentence : "\(path): \(sentence)" }
}

extension Contract {
  /// All violations, in the order of the text.
  func findings(in json: JSON) -> [ContractViolation] {
    switch self {
    case .any: return []
    case .orAbsent(let shape): return json.kind == .absent ? [] : shape.findings(in: json)
    case .orNull(let shape): return json.kind == .null ? [] : shape.findings(in: json)
    case .either(let shapes):
      let all = shapes.map { $0.findings(in: json) }
      // If none matches, the findings of the closest alternative are reported.
      return all.min { $0.faults < $1.faults } ?? []
    case .wrapped(let shape):
      guard let inner = try? json.unwrapped else {
        return [ContractViolation(json.path, "expected a string that holds JSON")]
      }
      return shape.findings(in: inner).map { finding in
        json.kind == .string
          ? ContractViolation(json.path, "in its JSON: \(finding.text)", finding.weight) : finding
      }
    case .list(let element, let count): return list(json, element, count)
    case .object(let members): return object(json, members)
    case .open(let known):
      guard json.kind == .object else { return mismatch("an object", json) }
      return known.flatMap { $0.value.findings(in: json[$0.key]) }
    case .map(let shape):
      guard let members = try? json.members else { return mismatch("an object", json) }
      return shape.findings(inAll: members.map(\.value), of: json)
    case .string: return json.kind == .string ? [] : mismatch("a string", json)
    case .text(let form, let fits):
      return (try? json.string).map(fits) == true ? [] : mismatch(form, json)
    case .choice(let words):
      return (try? json.string).map(words.contains) == true
        ? [] : mismatch("one of \(words.joined(separator: ", "))", json)
    case .int(let range):
      return (try? json.int).map(range.contains) == true ? [] : mismatch(range.named, json)
    case .number: return json.kind == .number ? [] : mismatch("a number", json)
    case .bool: return json.kind == .bool ? [] : mismatch("true or false", json)
    }
  }

  private func list(_ json: JSON, _ element: Contract, _ count: ClosedRange<Int>) -> [ContractViolation] {
    guard let elements = try? json.array else { return mismatch("an array", json) }
    let findings = element.findings(inAll: Array(elements), of: json)
    if count.contains(elements.count) { return findings }
    let found = "found \(elements.count) element\(elements.count == 1 ? "" : "s")"
    return [ContractViolation(json.path, "expected \(count.counted), \(found)")] + findings
  }

  /// The path of a finding costs a walk through the text, so the comparison of a long list ends after this many.
  private static let mostFindings = 100

  private func findings(inAll values: [JSON], of list: JSON) -> [ContractViolation] {
    var findings: [ContractViolation] = []
    for (index, value) in values.enumerated() {
      findings += self.findings(in: value)
      guard findings.count >= Contract.mostFindings, index + 1 < values.count else { continue }
      let rest = values.count - index - 1
      return findings + [
        ContractViolation(list.path, "too many findings; the last \(rest) values were not compared")
      ]
    }
    return findings
  }

  private func object(_ json: JSON, _ known: KeyValuePairs<String, Contract>) -> [ContractViolation] {
    guard let members = try? json.members else { return mismatch("an object", json) }
    let names = Set(known.map(\.key))
    let news = members.filter { !names.contains($0.key) }
    var findings = known.flatMap { $0.value.findings(in: json[$0.key]) }
    findings += news.prefix(Contract.mostFindings).map {
      ContractViolation($0.value.path, "a field that is not in the contract", .warning)
    }
    let others = news.count - Contract.mostFindings
    if others > 0 {
      findings.append(
        ContractViolation(json.path, "\(others) more fields that are not in the contract", .warning))
    }
    return findings
  }

  private func mismatch(_ wanted: String, _ json: JSON) -> [ContractViolation] {
    [ContractViolation(json.path, "expected \(wanted), found \(json.shown)")]
  }
}

extension [ContractViolation] {
  var faults: Int { count { $0.weight == .fault } }
}

extension ClosedRange<Int> {
  /// The range as part of a sentence.
  fileprivate var named: String {
    switch (lowerBound, upperBound) {
    case (.min, .max): "an integer"
    case (_, .max): "an integer, \(lowerBound) or more"
    default: "an integer from \(lowerBound) to \(upperBound)"
    }
  }

  fileprivate var counted: String {
    upperBound == .max ? "\(lowerBound) or more" : "\(lowerBound) to \(upperBound)"
  }
}

extension JSON {
  /// The value, short enough for a sentence.
  fileprivate var shown: String {
    switch kind {
    case .string, .number:
      var bytes: [UInt8] = []
      appendRaw(to: &bytes)
      let text = String(decoding: bytes.prefix(60), as: UTF8.self)
      return bytes.count > 60 ? "\(kind.named), \(text)…" : "\(kind.named), \(text)"
    default: return kind.named
    }
  }
}
