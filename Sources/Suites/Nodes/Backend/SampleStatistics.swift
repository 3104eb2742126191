import JSON
import System

/// The statistics of the sample nodes, as the service sends them.
struct SampleStatistics {
  private let nodes: [SampleNode]

  /// More than three nodes, each with some channels.
  init(_ nodes: [SampleNode]) {
    self.nodes = nodes
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("latest") { writer in write(id: 8, daysAgo: 0, nodes, to: &writer) }
      // A week before there were fewer.
      writer.object("previous") { writer in
        write(id: 1, daysAgo: 7, Array(nodes.dropLast(3)), to: &writer)
      }
    }
  }

  private func write(id: Int, daysAgo: Int, _ nodes: [SampleNode], to writer: inout JSONWriter) {
    // Each channel belongs to two nodes.
    let channels = nodes.reduce(0) { $0 + $1.channels } / 2
    let capacity = nodes.reduce(0) { $0 + $1.capacity } / 2
    let hidden = nodes.count { $0.location == nil }
    let day = WallTime(Timestamp(seconds: Int64(SampleNode.today - daysAgo * 86_400))).day
    let average = capacity / channels
    writer.member("id", id)
    writer.member("added", "\(day)T00:00:00.000Z")
    writer.member("channel_count", channels)
    writer.member("node_count", nodes.count)
    writer.member("total_capacity", capacity)
    writer.member("tor_nodes", hidden)
    writer.member("clearnet_nodes", nodes.count - hidden)
    writer.member("unannounced_nodes", 0)
    writer.member("avg_capacity", average)
    writer.member("avg_fee_rate", 512)
    writer.member("avg_base_fee_mtokens", 850)
    writer.member("med_capacity", average / 3)
    writer.member("med_fee_rate", 40)
    writer.member("med_base_fee_mtokens", 0)
    writer.member("clearnet_tor_nodes", 0)
  }
}
