import Testing

@testable import Terminal

@Suite struct BarChartTests {
  @Test func labelsBarsAndValuesFillWidth() {
    let bars: [BarChart.Bar] = [("1", 0, "0"), ("2", 1, "1"), ("10", 4, "4")]
    #expect(BarChart.lines(bars, width: 13) == ["1  0", "2  ██ 1", "10 ████████ 4"])
    #expect(BarChart.lines([("", 1, "1"), ("", 0.5, "½")], width: 10) == ["███████ 1", "███▌ ½"])
  }

  /// Share, room, bar.
  @Test(arguments: [
    (0.0, 8, ""), (-1, 8, ""), (.nan, 8, ""), (1, 0, ""), (1, 3, "███"), (7, 3, "███"), (0.5, 1, "▌"),
    (0.0001, 8, "▏"), (0.3, 5, "█▌"), (0.999, 1, "█"), (.infinity, 2, "██"),
  ])
  func barLengthIsProportional(_ share: Double, _ room: Int, _ bar: String) {
    #expect(BarChart.bar(share, room: room) == bar)
  }

  /// A label takes at most half of what the values leave.
  @Test func longLabelIsCut() {
    let bars: [BarChart.Bar] = [("a rather long label", 1, "1"), ("b", 2, "2")]
    #expect(BarChart.lines(bars, width: 21) == ["a rather… ████▌ 1", "b         █████████ 2"])
    #expect(BarChart.lines(bars, width: 40).first?.hasPrefix("a rather long lab… ") == true)
  }

  @Test func invalidLengthHasNoBar() {
    let bars: [BarChart.Bar] = [
      ("a", .infinity, "inf"), ("b", 2, "2"), ("c", -2, "-2"), ("d", .nan, "?"), ("", 1, "1"),
    ]
    #expect(BarChart.lines(bars, width: 10) == ["a inf", "b ████ 2", "c -2", "d ?", "  ██ 1"])
    let negative: [BarChart.Bar] = [("a", -1, "-1"), ("b", -2, "-2")]
    #expect(BarChart.lines(negative, width: 10) == ["a -1", "b -2"])
    #expect(BarChart.lines([], width: 10) == [])
  }

  @Test(arguments: [(1, "1"), (2, "1"), (3, "1"), (4, "█ 1"), (5, "a █ 1"), (6, "a ██ 1")])
  func narrowChartKeepsValue(_ width: Int, _ line: String) {
    #expect(BarChart.lines([("a", 1, "1")], width: width) == [line])
  }

  @Test(arguments: Array(-1...40)) func linesFitWidth(_ width: Int) {
    let bars: [BarChart.Bar] = [
      ("a rather long label", 3, "3 of 7"), ("中文", .nan, "?"), ("", -2, ""), ("b", 7, "7"),
    ]
    for line in BarChart.lines(bars, width: width) { #expect(DisplayWidth.of(line) <= max(0, width)) }
  }
}
