/// Checks the names, types and groups of metrics by the rules of Prometheus' text format, version 0.0.4, and reads the
/// samples.
struct PrometheusText {
  /// Values by name and labels, as they are written.
  private(set) var samples: [String: Double] = [:]
  private var types: [String: String] = [:]
  /// The rules that the text breaks.
  private(set) var violations: [String] = []

  init(_ text: String) {
    var current: String?
    var helped: Set<String> = []
    var finished: Set<String> = []
    if !text.isEmpty, !text.hasSuffix("\n") { violations.append("the last line does not end") }
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      if words[0] == "#" {
        guard words.count >= 4, ["HELP", "TYPE"].contains(words[1]) else { continue }
        let name = words[2]
        if !Self.isName(name) { violations.append("name '\(name)'") }
        if current != name {
          if let current { finished.insert(current) }
          if finished.contains(name) { violations.append("'\(name)' is in two groups") }
          current = name
        }
        if words[1] == "HELP" {
          if !helped.insert(name).inserted { violations.append("two HELP of '\(name)'") }
        } else {
          if types[name] != nil { violations.append("two TYPE of '\(name)'") }
          if !["counter", "gauge", "histogram", "summary", "untyped"].contains(words[3]) {
            violations.append("type '\(words[3])'")
          }
          types[name] = words[3]
        }
      } else {
        readSample(line, current)
      }
    }
    for (name, type) in types where type == "counter" && !name.hasSuffix("_total") {
      violations.append("counter '\(name)' does not end in _total")
    }
  }

  private mutating func readSample(_ line: Substring, _ current: String?) {
    guard let end = line.lastIndex(of: " "), let value = Self.value(line[line.index(after: end)...]) else {
      return violations.append("sample '\(line)'")
    }
    let key = String(line[..<end])
    let name = String(key.prefix { $0 != "{" })
    if !Self.isName(name) { violations.append("name '\(name)'") }
    let suffixes = current.flatMap { types[$0] } == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
    if !suffixes.contains(where: { "\(current ?? "")\($0)" == name }) {
      violations.append("'\(name)' is not in the group '\(current ?? "")'")
    }
    if samples[key] != nil { violations.append("two samples of '\(key)'") }
    samples[key] = value
  }

  private static func value(_ text: Substring) -> Double? {
    switch text {
    case "+Inf": .infinity
    case "-Inf": -.infinity
    case "NaN": .nan
    default: text.allSatisfy { "0123456789+-.eE".contains($0) } ? Double(text) : nil
    }
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    func isStart(_ scalar: Unicode.Scalar) -> Bool {
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || "_:".unicodeScalars.contains(scalar)
    }
    return isStart(first) && name.unicodeScalars.allSatisfy { isStart($0) || ("0"..."9").contains($0) }
  }
}
