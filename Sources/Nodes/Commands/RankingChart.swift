import Command
import Output
import System
import Terminal

/// A ranking as bars: what it ranks by, a line a node.
struct RankingChart {
  let ranking: Ranking

  func write(_ rows: [RankedNode], to output: Output) throws(Failure) {
    if let format = output.settings.format, format != .table {
      throw Failure(
        .usage, "'--chart' is for people and does not go with '--\(format.rawValue)'",
        hint: "leave one of the two out")
    }
    let lines = BarChart(rows.map(bar)).lines(width: output.settings.screen?.width ?? RankingChart.usualWidth)
    for line in lines { try output.outlet.write(line + "\n") }
  }

  /// Where there is no terminal to ask.
  private static let usualWidth = 80

  private func bar(_ row: RankedNode) -> BarChart.Bar {
    let node = row.node
    return switch ranking {
    case .connectivity: BarChart.Bar(node.alias, Double(node.channels), row.view.count(node.channels))
    case .liquidity:
      BarChart.Bar(node.alias, Double(node.capacity.amount), row.view.capacity(node.capacity))
    case .age:
      BarChart.Bar(
        node.alias, Double(max(0, row.view.time.now().seconds - node.firstSeen.seconds)),
        row.view.time(node.firstSeen).text)
    }
  }
}
