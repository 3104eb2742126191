import HTTP
import System

/// Counts what a server does. The labels have few values: routes are those that the suites declare, never paths.
final class ServerMetrics {
  private struct ExchangeLabels: Hashable {
    let suite: String
    let route: String
    let method: String
    let status: Int
  }

  private struct RouteLabels: Hashable {
    let suite: String
    let route: String
  }

  private struct Histogram {
    /// Seconds.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    var counts = [Int](repeating: 0, count: bounds.count)
    var count = 0
    var sum = 0.0

    mutating func add(_ seconds: Double) {
      count += 1
      sum += seconds
      if let index = Histogram.bounds.firstIndex(where: { seconds <= $0 }) { counts[index] += 1 }
    }
  }

  private let startTime: Timestamp
  private let version: String
  private var exchanges: [ExchangeLabels: Int] = [:]
  private var durations: [RouteLabels: Histogram] = [:]
  private var errors: [Failure.Kind: Int] = [:]
  private var limited: [UsageCounts.Excess.Limit: Int] = [:]
  var unknownTokens = 0
  var acceptedConnections = 0
  var rejectedConnections = 0

  init(startTime: Timestamp, version: String) {
    self.startTime = startTime
    self.version = version
  }

  /// Counts a response. A label is empty without a route or a known method.
  func add(_ record: AccessRecord) {
    let exchange = ExchangeLabels(
      suite: record.suite ?? "", route: record.route ?? "", method: record.method?.rawValue ?? "",
      status: record.status)
    exchanges[exchange, default: 0] += 1
    durations[RouteLabels(suite: exchange.suite, route: exchange.route), default: Histogram()].add(
      record.duration / .seconds(1))
    if let failure = record.failure { errors[failure.kind, default: 0] += 1 }
  }

  func add(_ excess: UsageCounts.Excess) { limited[excess.limit, default: 0] += 1 }

  func text(connections: Int, _ store: StoreMonitor.Report) -> String {
    var text = MetricsText()
    text.family("hw_http_requests_total", .counter, "Responses by route, method and status")
    let sorted = exchanges.sorted {
      ($0.key.suite, $0.key.route, $0.key.method, $0.key.status)
        < ($1.key.suite, $1.key.route, $1.key.method, $1.key.status)
    }
    for (exchange, count) in sorted {
      text.sample(
        count,
        [
          ("suite", exchange.suite), ("route", exchange.route), ("method", exchange.method),
          ("status", "\(exchange.status)"),
        ])
    }
    text.family(
      "hw_http_request_duration_seconds", .histogram, "Time from the complete request to its response")
    let durations = durations.sorted { ($0.key.suite, $0.key.route) < ($1.key.suite, $1.key.route) }
    for (key, histogram) in durations {
      let labels = [(name: "suite", value: key.suite), (name: "route", value: key.route)]
      var count = 0
      for (bound, countInBucket) in zip(Histogram.bounds, histogram.counts) {
        count += countInBucket
        text.sample(count, labels + [("le", "\(bound)")], suffix: "_bucket")
      }
      text.sample(histogram.count, labels + [("le", "+Inf")], suffix: "_bucket")
      text.sample(histogram.sum, labels, suffix: "_sum")
      text.sample(histogram.count, labels, suffix: "_count")
    }
    text.family("hw_errors_total", .counter, "Failed requests by kind of failure")
    for kind in Failure.Kind.allCases { text.sample(errors[kind] ?? 0, [("kind", kind.rawValue)]) }
    text.family("hw_limited_total", .counter, "Requests and connections that a limit refused")
    for limit in UsageCounts.Excess.Limit.allCases {
      text.sample(limited[limit] ?? 0, [("limit", limit.rawValue)])
    }
    text.family("hw_unknown_tokens_total", .counter, "Requests with a token that no user has")
    text.sample(unknownTokens)
    text.family("hw_connections", .gauge, "Open connections")
    text.sample(connections)
    text.family("hw_connections_accepted_total", .counter, "Accepted connections")
    text.sample(acceptedConnections)
    text.family("hw_connections_rejected_total", .counter, "Connections closed at once: there were too many")
    text.sample(rejectedConnections)
    text.family("hw_store_up", .gauge, "1 if the store can be reached and written")
    text.sample(store.isReachable && !store.isFull ? 1 : 0)
    if let free = store.free {
      text.family("hw_store_free_bytes", .gauge, "Free space on the disk of the store")
      text.sample(free)
    }
    text.family("hw_build_info", .gauge, "1, with the version of hw")
    text.sample(1, [("version", version)])
    text.family("process_start_time_seconds", .gauge, "Start of the server, in seconds since 1970")
    text.sample(Double(startTime.seconds) + Double(startTime.nanoseconds) / 1e9)
    return text.text
  }
}

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
