import System

/// Writes metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
  private(set) var text = ""
  private var name = ""

  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    text += "# HELP \(name) \(MetricsText.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func sample(
    _ value: some CustomStringConvertible, _ labels: [(name: String, value: String)] = [],
    suffix: String = ""
  ) {
    let list = labels.map { "\($0.name)=\"\(MetricsText.escaped($0.value).replacing("\"", with: "\\\""))\"" }
    text += "\(name)\(suffix)\(list.isEmpty ? "" : "{\(list.joined(separator: ","))}") \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}
