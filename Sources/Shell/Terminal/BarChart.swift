import System

/// Horizontal bars in text: a label, a bar with a resolution of an eighth of a column, the value.
public enum BarChart {
  public typealias Bar = (label: String, value: Double, text: String)

  /// Lines of the chart, one per bar, at most `width` wide. The longest bar takes the room that labels and values
  /// leave; labels are shortened first. A value that is not positive has no bar.
  public static func lines(_ bars: [Bar], width: Int) -> [String] {
    let values = bars.reduce(0) { max($0, DisplayWidth.of($1.text.terminalSafe)) }
    let longest = bars.reduce(0) { max($0, DisplayWidth.of($1.label.terminalSafe)) }
    let labels = max(0, min(longest, (width - values - 2) / 2))
    let room = width - labels - values - 2
    let largest = bars.map(\.value).filter(\.isFinite).reduce(0) { max($0, $1) }
    return bars.map { item in
      let label = item.label.terminalSafe.truncated(to: labels)
      let padding = String(repeating: " ", count: labels - DisplayWidth.of(label))
      let share = item.value.isFinite ? item.value / largest : 0
      let drawn = bar(share, room: room)
      let parts = [label + padding, drawn, item.text.terminalSafe].filter { !$0.isEmpty }
      return parts.joined(separator: " ").truncated(to: width)
    }
  }

  /// Bar that fills `share` of `room` columns; a positive share shows at least an eighth.
  public static func bar(_ share: Double, room: Int) -> String {
    guard share > 0, room > 0 else { return "" }
    let eighths = max(1, Int((min(share, 1) * Double(room) * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + partial[eighths % 8]
  }

  private static let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
