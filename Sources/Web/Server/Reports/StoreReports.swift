import System

/// The requests that wait for a report about the store.
struct StoreReports {
  private let monitor: StoreMonitor
  private var waiting: [PendingRequest] = []

  init(_ monitor: StoreMonitor) {
    self.monitor = monitor
  }

  mutating func request(for pending: PendingRequest) {
    waiting.append(pending)
    monitor.request(StoreReports.examination(for: pending))
  }

  /// The requests whose report has arrived. Without a report the store cannot be reached.
  mutating func takeArrived() -> [(PendingRequest, StoreMonitor.Report?)] {
    var arrived: [(PendingRequest, StoreMonitor.Report?)] = []
    while let (report, examination) = monitor.next() {
      arrived += take { examination == .numbers || StoreReports.examination(for: $0) == examination }
        .map { ($0, report) }
    }
    return arrived
  }

  /// The requests from before `instant`.
  mutating func takeExpired(before instant: Duration) -> [PendingRequest] {
    take { $0.start <= instant }
  }

  private static func examination(for pending: PendingRequest) -> StoreMonitor.Examination {
    pending.report == .metrics ? .numbers : .reachability
  }

  private mutating func take(where isTaken: (PendingRequest) -> Bool) -> [PendingRequest] {
    defer { waiting.removeAll(where: isTaken) }
    return waiting.filter(isTaken)
  }
}
