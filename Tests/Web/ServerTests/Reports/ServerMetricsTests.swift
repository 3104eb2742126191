import HTTP
import System
import Testing

@testable import Server

/// The text of the metrics for given counts.
@Suite struct ServerMetricsTests {
  private let metrics = ServerMetrics(startTime: Timestamp(seconds: 100, nanoseconds: 500_000_000))

  private func add(
    _ suite: String? = "race", _ route: String? = "/x", _ method: HTTP.Method? = .get, _ status: Int = 200,
    _ duration: Duration = .zero, _ failure: Failure? = nil
  ) {
    metrics.add(
      QueuedResponse.Record(suite: suite, route: route, method: method, start: .zero, failure: failure),
      status: status, duration: duration)
  }

  private func lines(_ prefix: String, connections: Int = 0, _ store: StoreProbe.Report? = nil) -> [String] {
    metrics.text(connections: connections, store).split(separator: "\n").map { String($0) }
      .filter { $0.hasPrefix(prefix) }
  }

  @Test func aDurationAtABoundIsWithinIt() {
    for duration in [Duration.seconds(1), .milliseconds(2500), .seconds(10), .seconds(11)] {
      add("race", "/x", .get, 200, duration)
    }
    let buckets = lines("hw_http_request_duration_seconds_bucket").map { $0.split(separator: " ").last }
    #expect(buckets == ["0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "1", "2", "2", "3", "4"])
    #expect(
      lines("hw_http_request_duration_seconds_sum") == [
        #"hw_http_request_duration_seconds_sum{suite="race"} 24.5"#
      ])
    #expect(
      lines("hw_http_request_duration_seconds_count") == [
        #"hw_http_request_duration_seconds_count{suite="race"} 4"#
      ])
  }

  @Test func samplesAreSortedByTheirLabels() {
    add("b", "/x")
    add("a", "/y")
    add("a", "/x", .put)
    add("a", "/x", .get, 404)
    add("a", "/x")
    add("a", "/x")
    add(nil, nil, nil, 400)
    #expect(
      lines("hw_http_requests_total") == [
        #"hw_http_requests_total{suite="",route="",method="",status="400"} 1"#,
        #"hw_http_requests_total{suite="a",route="/x",method="GET",status="200"} 2"#,
        #"hw_http_requests_total{suite="a",route="/x",method="GET",status="404"} 1"#,
        #"hw_http_requests_total{suite="a",route="/x",method="PUT",status="200"} 1"#,
        #"hw_http_requests_total{suite="a",route="/y",method="GET",status="200"} 1"#,
        #"hw_http_requests_total{suite="b",route="/x",method="GET",status="200"} 1"#,
      ])
    #expect(
      lines("hw_http_request_duration_seconds_count") == [
        #"hw_http_request_duration_seconds_count{suite=""} 1"#,
        #"hw_http_request_duration_seconds_count{suite="a"} 5"#,
        #"hw_http_request_duration_seconds_count{suite="b"} 1"#,
      ])
  }

  @Test func failuresAndLimitsAreCountedByTheirKinds() {
    for kind in [Failure.Kind.storage, .usage, .storage] {
      add("race", "/x", .get, 500, .zero, Failure(kind, "x"))
    }
    let errors = lines("hw_errors_total")
    #expect(errors.count == Failure.Kind.allCases.count)
    #expect(
      errors.filter { !$0.hasSuffix(" 0") } == [
        #"hw_errors_total{kind="usage"} 1"#, #"hw_errors_total{kind="storage"} 2"#,
      ])
    metrics.add(UsageCounts.Excess(limit: .user, wait: .zero))
    metrics.add(UsageCounts.Excess(limit: .connections, wait: .zero))
    metrics.add(UsageCounts.Excess(limit: .user, wait: .zero))
    #expect(
      lines("hw_limited_total") == [
        #"hw_limited_total{limit="address"} 0"#, #"hw_limited_total{limit="user"} 2"#,
        #"hw_limited_total{limit="wrong_tokens"} 0"#, #"hw_limited_total{limit="connections"} 1"#,
      ])
  }

  @Test func theRestIsAsItIsGiven() {
    metrics.unknownTokens = 2
    metrics.acceptedConnections = 3
    metrics.rejectedConnections = 4
    metrics.displacedConnections = 5
    #expect(lines("hw_unknown_tokens_total") == ["hw_unknown_tokens_total 2"])
    #expect(
      lines("hw_connections", connections: 6) == [
        "hw_connections 6", "hw_connections_accepted_total 3", "hw_connections_rejected_total 4",
        "hw_connections_displaced_total 5",
      ])
    #expect(lines("process_start_time_seconds") == ["process_start_time_seconds 100.5"])
    #expect(lines("hw_store_") == ["hw_store_up 0"])
    var report = StoreProbe.Report()
    #expect(lines("hw_store_", report) == ["hw_store_up 1"], "a store in memory has no size")
    report.size = 0
    #expect(lines("hw_store_", report) == ["hw_store_up 1", "hw_store_bytes 0"])
  }
}
