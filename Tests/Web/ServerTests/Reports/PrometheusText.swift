/// Checks metrics by the rules of Prometheus' text format, version 0.0.4, and reads the samples.
struct PrometheusText {
  /// Values by name and labels, as they are written.
  private(set) var samples: [String: Double] = [:]
  private(set) var types: [String: String] = [:]
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
        if !Self.isName(name, allowsColon: true) { violations.append("name '\(name)'") }
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
    checkHistograms()
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
    if !Self.isName(name, allowsColon: true) { violations.append("name '\(name)'") }
    if name.count < key.count { checkLabels(key.dropFirst(name.count)) }
    let suffixes = current.flatMap { types[$0] } == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
    if !suffixes.contains(where: { "\(current ?? "")\($0)" == name }) {
      violations.append("'\(name)' is not in the group '\(current ?? "")'")
    }
    if samples[key] != nil { violations.append("two samples of '\(key)'") }
    samples[key] = value
  }

  /// `{name="value",…}`, with `\\`, `\"` and `\n` as the only escapes.
  private mutating func checkLabels(_ text: Substring) {
    var names: Set<Substring> = []
    var rest = text.dropFirst()
    while !rest.hasPrefix("}") {
      let name = rest.prefix { $0 != "=" }
      if !Self.isName(String(name), allowsColon: false) || name.hasPrefix("__") {
        return violations.append("label '\(name)'")
      }
      if !names.insert(name).inserted { violations.append("two labels '\(name)'") }
      rest = rest.dropFirst(name.count + 1)
      guard rest.hasPrefix("\"") else { return violations.append("value of label '\(name)'") }
      rest = rest.dropFirst()
      while let character = rest.first, character != "\"" {
        rest = rest.dropFirst()
        if character == "\\" {
          guard let escape = rest.first, "\\\"n".contains(escape) else {
            return violations.append("escape in label '\(name)'")
          }
          rest = rest.dropFirst()
        }
      }
      rest = rest.dropFirst()
      if rest.hasPrefix(",") { rest = rest.dropFirst() }
      if rest.isEmpty { return violations.append("labels '\(text)'") }
    }
    if rest != "}" { violations.append("labels '\(text)'") }
  }

  /// Buckets are cumulative, and the last one is +Inf with the count.
  private mutating func checkHistograms() {
    for (name, type) in types where type == "histogram" {
      let counts = samples.filter { $0.key.hasPrefix("\(name)_count") }
      for (key, count) in counts {
        let labels = key.dropFirst("\(name)_count".count).dropFirst().dropLast()
        let buckets = samples.filter {
          $0.key.hasPrefix("\(name)_bucket{\(labels)\(labels.isEmpty ? "" : ",")le=")
        }
        let ordered = buckets.compactMap { key, value -> (Double, Double)? in
          let bound = key.ranges(of: "le=\"").last.map { key[$0.upperBound...].prefix { $0 != "\"" } }
          return bound.flatMap(Self.value).map { ($0, value) }
        }.sorted { $0.0 < $1.0 }
        if ordered.count != buckets.count || ordered.last?.0 != .infinity || ordered.last?.1 != count {
          violations.append("buckets of '\(key)'")
        }
        if zip(ordered, ordered.dropFirst()).contains(where: { $0.1 > $1.1 }) {
          violations.append("'\(key)' is not cumulative")
        }
        if samples["\(name)_sum\(labels.isEmpty ? "" : "{\(labels)}")"] == nil {
          violations.append("'\(key)' has no sum")
        }
      }
    }
  }

  private static func value(_ text: Substring) -> Double? {
    switch text {
    case "+Inf": .infinity
    case "-Inf": -.infinity
    case "NaN": .nan
    default: text.allSatisfy { "0123456789+-.eE".contains($0) } ? Double(text) : nil
    }
  }

  private static func isName(_ name: String, allowsColon: Bool) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    func isStart(_ scalar: Unicode.Scalar) -> Bool {
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
        || allowsColon && scalar == ":"
    }
    return isStart(first) && name.unicodeScalars.allSatisfy { isStart($0) || ("0"..."9").contains($0) }
  }
}
