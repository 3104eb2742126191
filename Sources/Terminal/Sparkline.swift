/// A row of numbers as a row of small columns.
public enum Sparkline {
  private static let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// One column a number, from the lowest to the highest of them; a blank for what is no number.
  public static func text(_ numbers: [Double]) -> String {
    let known = numbers.filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else {
      return String(repeating: " ", count: numbers.count)
    }
    return String(
      numbers.map { number in
        guard number.isFinite else { return " " }
        // In halves: the way between two very large numbers may be no number.
        let share = high > low ? (number / 2 - low / 2) / (high / 2 - low / 2) : 0
        return steps[min(7, Int(share * 8))]
      })
  }
}
