import HTTP
import System

/// Passes each request with its response to the access log and the metrics.
final class ExchangeLog {
  private let configuration: ServerConfiguration
  /// Metrics; nil if the server shows none.
  let metrics: ServerMetrics?
  private let hasLog: Bool
  private let isUsed: Bool
  private var ids = RequestIDs()

  init(_ configuration: ServerConfiguration, _ metrics: ServerMetrics?) {
    self.configuration = configuration
    self.metrics = metrics
    hasLog = configuration.log != nil
    isUsed = hasLog || metrics != nil
  }

  /// Adds the record to a response, and the id to its header if the client sent one or there is a log.
  func identify(
    _ response: inout QueuedResponse, _ pending: PendingRequest, suite: @autoclosure () -> String?,
    route: @autoclosure () -> String?, user: String?, _ failure: Failure?
  ) {
    let request = pending.request
    var entry: QueuedResponse.LogEntry?
    if hasLog || !request.head.requestID.isEmpty {
      let id = ids.id(for: request)
      response.response.headers["X-Request-Id"] = id
      if hasLog {
        entry = QueuedResponse.LogEntry(
          client: client(of: request, pending.connection.peer)?.host ?? "", user: user, id: id,
          target: ExchangeLog.shown(request.target))
      }
    }
    guard isUsed else { return }
    response.record = QueuedResponse.Record(
      suite: suite(), route: route(), method: request.method, start: pending.start, failure: failure,
      entry: entry)
  }

  /// The target for a log, without secrets. Positions have two decimals, about a kilometer, so that the log does not
  /// contain the addresses of people.
  private static func shown(_ target: String) -> String {
    let target = Secrets.shown(target: target)
    guard let question = target.firstIndex(of: "?") else { return target }
    let items = target[question...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map {
      item in
      guard let equals = item.firstIndex(of: "="),
        ["latitude", "longitude"].contains(PercentEncoding.decode(item[..<equals]))
      else { return item }
      let value = item[equals...].dropFirst()
      guard value.utf8.allSatisfy({ $0.isASCIIDigit || ".-".utf8.contains($0) }) else {
        return item[...equals] + Secrets.mask
      }
      return item.prefix { $0 != "." } + item.drop { $0 != "." }.prefix(3)
    }
    return "\(target[...question])\(items.joined(separator: "&"))"
  }

  /// Identifies the response to a request that was not received completely.
  func identify(
    _ response: inout QueuedResponse, from peer: SocketAddress?, _ reason: String, at time: Duration
  ) {
    var entry: QueuedResponse.LogEntry?
    if hasLog {
      let id = ids.id(for: nil)
      response.response.headers["X-Request-Id"] = id
      entry = QueuedResponse.LogEntry(client: peer?.host ?? "", id: id, target: "")
    }
    response.record = QueuedResponse.Record(
      suite: nil, method: nil, start: time, failure: Failure(.usage, reason), entry: entry)
  }

  func client(of request: ReceivedRequest, _ peer: SocketAddress?) -> SocketAddress? {
    RequestClient.address(of: request, from: peer, configuration.origins)
  }

  /// Called once for each response. `isSent` is false if nobody gets it.
  func add(_ response: QueuedResponse, isSent: Bool) {
    guard let record = response.record else { return }
    let duration = configuration.time.uptime() - record.start
    let status = response.response.status
    metrics?.add(record, status: status, duration: duration)
    guard let log = configuration.log, let entry = record.entry else { return }
    log(
      AccessRecord(
        time: configuration.time.now(), client: entry.client, user: entry.user, id: entry.id,
        suite: record.suite, method: record.method, target: entry.target, status: status,
        bytes: isSent ? response.bodyCount : 0, duration: duration, failure: record.failure))
  }
}
