import Output
import System
import Terminal

/// The row of `hw nodes stats`.
struct NetworkStatisticsRow: Row {
  let statistics: NetworkStatistics
  let network: BitcoinNetwork
  let view: NodeView

  private var latest: NetworkStatistics.Row { statistics.latest }
  private var previous: NetworkStatistics.Row? { statistics.previous }

  static let fields: Fields<NetworkStatisticsRow> = [
    .choice("network", "Network", "the network of Bitcoin") { $0.network },
    .time("added", "Measured", "when the service measured it", orNull: { $0.latest.added })
      .shown { $0.view.time($0.latest.added) },
    count("node_count", "Nodes", "nodes") { $0.latest.nodes },
    count("channel_count", "Channels", "open channels") { $0.latest.channels },
    capacity("total_capacity", "Capacity (BTC)", "sum of all channels, in satoshis; BTC in tables") {
      $0.latest.capacity
    },
    count("tor_nodes", "Tor nodes", "nodes with a Tor address only") { $0.latest.torNodes },
    count("clearnet_nodes", "Clearnet nodes", "nodes with an IP address only") { $0.latest.clearnetNodes },
    count("clearnet_tor_nodes", "Nodes with both", "nodes with an IP address and a Tor address") {
      $0.latest.clearnetTorNodes
    },
    count("unannounced_nodes", "Unannounced nodes", "nodes without an address") {
      $0.latest.unannouncedNodes
    },
    capacity("avg_capacity", "Average channel (BTC)", "average capacity of a channel, in satoshis") {
      $0.latest.averageCapacity
    },
    capacity("med_capacity", "Median channel (BTC)", "median capacity of a channel, in satoshis") {
      $0.latest.medianCapacity
    },
    count("avg_fee_rate", "Average fee rate", "average fee rate, in parts per million") {
      $0.latest.averageFeeRate
    },
    count("med_fee_rate", "Median fee rate", "median fee rate, in parts per million") {
      $0.latest.medianFeeRate
    },
    count("avg_base_fee_mtokens", "Average base fee", "average base fee, in thousandths of a satoshi") {
      $0.latest.averageBaseFee
    },
    count("med_base_fee_mtokens", "Median base fee", "median base fee, in thousandths of a satoshi") {
      $0.latest.medianBaseFee
    },
    Field.time(
      "previous.added", "Previous", "when the previous values were measured, a week before",
      orNull: { $0.previous?.added }
    ).shown { $0.view.time($0.previous?.added) }.hiddenByDefault,
    count("previous.node_count", "Previous nodes", "nodes a week before") { $0.previous?.nodes }
      .hiddenByDefault,
    count("previous.channel_count", "Previous channels", "open channels a week before") {
      $0.previous?.channels
    }
    .hiddenByDefault,
    capacity(
      "previous.total_capacity", "Previous capacity (BTC)", "sum of all channels a week before, in satoshis"
    ) {
      $0.previous?.capacity
    }.hiddenByDefault,
  ]

  private static func count(
    _ path: String, _ title: String, _ meaning: String,
    _ read: @escaping @Sendable (NetworkStatisticsRow) -> Int?
  ) -> Field<NetworkStatisticsRow> {
    .integer(path, title, meaning, orNull: read).shown { $0.view.count(read($0)) }
  }

  private static func capacity(
    _ path: String, _ title: String, _ meaning: String,
    _ read: @escaping @Sendable (NetworkStatisticsRow) -> Satoshis?
  ) -> Field<NetworkStatisticsRow> {
    .integer(path, title, meaning, orNull: { read($0)?.amount }).shown { $0.view.capacity(read($0)) }
      .inBitcoin
  }

  static let text: (@Sendable (NetworkStatisticsRow, Screen?) -> String)? = { row, screen in
    Card.text(row, screen)
  }
}
