/// A request whose response may come in a later turn.
struct PendingRequest {
  let connection: Connection
  private(set) var routed: RoutedRequest
  var report: SelfReport?
  var fault = FaultPlan.Draw()
  let start: Duration

  var request: ReceivedRequest { routed.request }
  var backend: Int? { routed.backend }

  /// A copy that may be kept (`ReceivedRequest.detached`).
  var detached: PendingRequest {
    var kept = self
    kept.routed = routed.detached
    return kept
  }
}
