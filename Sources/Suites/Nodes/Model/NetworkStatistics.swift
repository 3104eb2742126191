import JSON
import System

/// The statistics of a network.
///
/// The contract of `GET /api/v1/lightning/statistics/latest`, from the source of the service
/// (github.com/mempool/mempool, `backend/src/api/explorer/statistics.api.ts`) and its clients:
/// `{"latest":{…},"previous":{…}}`. Each is a row of the table `lightning_stats`, which gets one row a day. `previous` is
/// the row seven rows before, and is missing in the first days of a database; so is `latest` on the first day. `added` is
/// text, `2022-11-04T00:00:00.000Z`. The others are counts: `channel_count node_count total_capacity tor_nodes
/// clearnet_nodes unannounced_nodes avg_capacity avg_fee_rate avg_base_fee_mtokens med_capacity med_fee_rate
/// med_base_fee_mtokens`, and `clearnet_tor_nodes` in newer releases. Capacities are satoshis, fee rates parts per
/// million, base fees thousandths of a satoshi. Large numbers may be sent as text.
struct NetworkStatistics {
  var latest: Row
  /// The statistics of a week before; nil if the service has none.
  var previous: Row?

  /// The statistics of one day. Properties that are nil are unknown.
  struct Row {
    var added: Timestamp?
    var nodes: Int?
    var channels: Int?
    var capacity: Satoshis?
    var torNodes: Int?
    var clearnetNodes: Int?
    var clearnetTorNodes: Int?
    var unannouncedNodes: Int?
    var averageCapacity: Satoshis?
    var medianCapacity: Satoshis?
    var averageFeeRate: Int?
    var medianFeeRate: Int?
    var averageBaseFee: Int?
    var medianBaseFee: Int?
  }
}

extension NetworkStatistics {
  init(_ json: JSON) throws(Failure) {
    guard let latest = json["latest"].orNull else {
      throw Failure(
        .notFound, "the service has no statistics of this network", hint: "try another --network")
    }
    self.init(
      latest: try Row(latest),
      previous: try json["previous"].orNull.map { row throws(Failure) in try Row(row) })
  }
}

extension NetworkStatistics.Row {
  init(_ json: JSON) throws(Failure) {
    added = try json["added"].orNull.map { value throws(Failure) in
      guard let time = Timestamp(utc: try value.string) else {
        throw value.invalid("expected a time like 2022-11-04T00:00:00.000Z, found '\(try value.string)'")
      }
      return time
    }
    func satoshis(_ name: String) throws(Failure) -> Satoshis? {
      try json[name].orNull.map { value throws(Failure) in Satoshis(try value.countOrText) }
    }
    nodes = try json["node_count"].orNull?.countOrText
    channels = try json["channel_count"].orNull?.countOrText
    capacity = try satoshis("total_capacity")
    torNodes = try json["tor_nodes"].orNull?.countOrText
    clearnetNodes = try json["clearnet_nodes"].orNull?.countOrText
    clearnetTorNodes = try json["clearnet_tor_nodes"].orNull?.countOrText
    unannouncedNodes = try json["unannounced_nodes"].orNull?.countOrText
    averageCapacity = try satoshis("avg_capacity")
    medianCapacity = try satoshis("med_capacity")
    averageFeeRate = try json["avg_fee_rate"].orNull?.countOrText
    medianFeeRate = try json["med_fee_rate"].orNull?.countOrText
    averageBaseFee = try json["avg_base_fee_mtokens"].orNull?.countOrText
    medianBaseFee = try json["med_base_fee_mtokens"].orNull?.countOrText
  }
}
