import HTTP
import System

/// A request with its response, for metrics and an access log. Without a log, fields that only the log needs are empty.
public struct AccessRecord: Sendable {
  public internal(set) var time = Timestamp(seconds: 0)
  /// The address without the port; empty for a socket file.
  public internal(set) var client = ""
  public internal(set) var user: String?
  public internal(set) var id = ""
  public internal(set) var suite: String?
  public internal(set) var method: Method?
  /// Path and query with secret values masked: visible ASCII, and the mask.
  public internal(set) var target = ""
  public internal(set) var status = 0
  /// Bytes of the body that was sent; none if the client has disconnected.
  public internal(set) var bytes = 0
  /// Time from the complete request to the response, including a fault's delay.
  public internal(set) var duration = Duration.zero
  public internal(set) var failure: Failure?
  var route: String?
  var start = Duration.zero
}
