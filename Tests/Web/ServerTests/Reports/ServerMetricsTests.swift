import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// The text of the metrics for given counts.
@Suite struct ServerMetricsTests {
  /// Durations at the bounds of the buckets, samples that are not added in their order, and one count of each kind.
  @Test func textOfCountsIsAsRecorded() throws {
    let metrics = ServerMetrics(startTime: Timestamp(seconds: 100, nanoseconds: 500_000_000), version: "1.2")
    func add(
      _ suite: String?, _ route: String?, _ method: HTTP.Method? = .get, _ status: Int = 200,
      _ duration: Duration = .zero, _ failure: Failure.Kind? = nil
    ) {
      metrics.add(
        AccessRecord(
          suite: suite, method: method, status: status, duration: duration,
          failure: failure.map { Failure($0, "x") }, route: route))
    }
    for duration in [Duration.seconds(1), .milliseconds(2500), .seconds(10), .seconds(11)] {
      add("race", "/x", .get, 200, duration)
    }
    for (suite, route, method, status) in [
      ("b", "/x", .get, 200), ("a", "/y", .get, 200), ("a", "/x", .put, 200), ("a", "/x", .get, 404),
      ("a", "/x", .get, 200), ("a", "/x", .get, 200), (nil, nil, nil, 400),
    ] as [(String?, String?, HTTP.Method?, Int)] {
      add(suite, route, method, status)
    }
    for kind in [Failure.Kind.storage, .usage, .storage] { add("race", "/x", .get, 500, .zero, kind) }
    for limit in [UsageCounts.Excess.Limit.user, .connections, .user] {
      metrics.add(UsageCounts.Excess(limit: limit, wait: .zero))
    }
    metrics.unknownTokens = 2
    metrics.acceptedConnections = 3
    metrics.rejectedConnections = 4
    var text = metrics.text(connections: 6, .unreachable)
    for report in [StoreMonitor.Report(), .init(free: 0), .init(free: 7, isFull: true)] {
      text += "# A report of a store with \(report.free.map { "\($0) bytes free" } ?? "no disk")\n"
      for line in metrics.text(connections: 0, report).split(separator: "\n")
      where line.hasPrefix("hw_store_") {
        text += "\(line)\n"
      }
    }
    try RecordedText.hold("metrics-of-counts.txt", to: text)
  }
}
