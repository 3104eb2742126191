import System

/// The requests that wait for a report about the store.
struct PendingProbes {
  private let monitor: StoreProbe
  private var waiting: [PendingRequest] = []

  init(_ monitor: StoreProbe) {
    self.monitor = monitor
  }

  mutating func request(for pending: PendingRequest) {
    waiting.append(pending)
    monitor.request(PendingProbes.examination(for: pending))
  }

  /// The requests whose report has arrived. Without a report the store cannot be reached.
  mutating func takeArrived() -> [(PendingRequest, StoreProbe.Report?)] {
    var arrived: [(PendingRequest, StoreProbe.Report?)] = []
    while let (report, examination) = monitor.next() {
      arrived += take { examination == .numbers || PendingProbes.examination(for: $0) == examination }
        .map { ($0, report) }
    }
    return arrived
  }

  /// The requests from before `instant`.
  mutating func takeExpired(before instant: Duration) -> [PendingRequest] {
    take { $0.start <= instant }
  }

  private static func examination(for pending: PendingRequest) -> StoreProbe.Examination {
    pending.report == .metrics ? .numbers : .reachability
  }

  private mutating func take(where isTaken: (PendingRequest) -> Bool) -> [PendingRequest] {
    defer { waiting.removeAll(where: isTaken) }
    return waiting.filter(isTaken)
  }
}
