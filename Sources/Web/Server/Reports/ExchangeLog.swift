import HTTP
import System

/// Attaches a record to each response, and passes it to the metrics and the access log when the response is sent.
final class ExchangeLog {
  private let configuration: ServerConfiguration
  let metrics: ServerMetrics?
  private let hasLog: Bool
  private var ids = RequestIDs()

  init(_ configuration: ServerConfiguration, _ metrics: ServerMetrics?) {
    self.configuration = configuration
    self.metrics = metrics
    hasLog = configuration.log != nil
  }

  /// Adds the record to a response, and the id to its header if the client sent one or there is a log.
  func addRecord(
    to response: inout QueuedResponse, _ pending: PendingRequest, suite: @autoclosure () -> String?,
    route: @autoclosure () -> String?, user: String?, _ failure: Failure?
  ) {
    let request = pending.request
    let id = hasLog || !request.head.requestID.isEmpty ? ids.id(for: request) : nil
    if let id { response.response.headers["X-Request-Id"] = id }
    guard hasLog || metrics != nil else { return }
    var record = AccessRecord(
      user: user, id: id ?? "", suite: suite(), method: request.method, failure: failure, route: route(),
      start: pending.start)
    if hasLog {
      record.client = configuration.origins.client(of: request, from: pending.connection.peer)?.host ?? ""
      // Without a limit, long targets, which a message may repeat, could fill the disk.
      record.target = String(ExchangeLog.shown(request.target).prefix(1000))
      record.failure?.message = String((failure?.message ?? "").prefix(1000))
    }
    response.record = record
  }

  /// Returns the target without secrets. Positions have two decimals, about a kilometer, for the privacy of people.
  private static func shown(_ target: String) -> String {
    let target = Secrets.shown(target: target)
    guard let question = target.firstIndex(of: "?") else { return target }
    let items = target[question...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map {
      item in
      guard let (name, value) = item.queryItem, ["latitude", "longitude"].contains(name) else { return item }
      guard value.utf8.allSatisfy({ $0.isASCIIDigit || ".-".utf8.contains($0) }) else {
        return item[..<value.startIndex] + Secrets.mask
      }
      return item.prefix { $0 != "." } + item.drop { $0 != "." }.prefix(3)
    }
    return "\(target[...question])\(items.joined(separator: "&"))"
  }

  func addRecord(
    toRejection response: inout QueuedResponse, from peer: SocketAddress?, _ reason: String, at time: Duration
  ) {
    var record = AccessRecord(failure: Failure(.usage, reason), start: time)
    if hasLog {
      (record.client, record.id) = (peer?.host ?? "", ids.id(for: nil))
      response.response.headers["X-Request-Id"] = record.id
    }
    response.record = record
  }

  /// Records a response. `isSent` is false if the client has disconnected.
  func add(_ response: QueuedResponse, isSent: Bool) {
    guard var record = response.record else { return }
    record.duration = configuration.time.uptime() - record.start
    record.status = response.response.status
    metrics?.add(record)
    guard let log = configuration.log else { return }
    record.time = configuration.time.now()
    record.bytes = isSent ? response.bodyCount : 0
    log(record)
  }
}

private struct RequestIDs {
  private let prefix = String(RandomID.make().prefix(12))
  private var last = 0

  /// Returns the client's id if it is valid, or else a new one.
  mutating func id(for request: ReceivedRequest?) -> String {
    if let request, !request.head.requestID.isEmpty {
      let given = request.text(request.head.requestID)
      if RequestIDs.isValid(given) { return given }
    }
    last += 1
    return "\(prefix)-\(String(last, radix: 16))"
  }

  /// 1 to 128 letters, digits and `-_.:+/=` of ASCII.
  private static func isValid(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.:+/=".utf8.contains($0) }
  }
}
