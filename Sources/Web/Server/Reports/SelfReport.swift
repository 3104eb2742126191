import HTTP
import System

/// Report of a server about itself.
enum SelfReport: String, CaseIterable {
  /// The process serves requests.
  case health = "/healthz"
  /// The store can be reached, and the server is not about to stop.
  case readiness = "/readyz"
  case metrics = "/metrics"
  /// The name of the service.
  case name = "/"

  static func response(_ status: Int, _ text: String) -> Response {
    Response(
      status,
      headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
      body: Array("\(text)\n".utf8))
  }

  static func metrics(_ text: String) -> Response {
    Response(
      200, headers: ["Content-Type": MetricsText.mediaType, "Cache-Control": "no-store"],
      body: Array(text.utf8))
  }
}

/// The routes of the reports. The event loop responds itself, since a report may need the store.
struct ReportBackend: Backend {
  let suite: String
  let routes: [Route]

  /// Reports that every client may request, whatever the server serves: they contain none of its data.
  static var service: ReportBackend { ReportBackend("server", [.health, .readiness, .name]) }
  /// Reports on the address for metrics.
  static var metrics: ReportBackend { ReportBackend("metrics", [.metrics]) }

  private init(_ suite: String, _ reports: [SelfReport]) {
    self.suite = suite
    routes = reports.map { report in
      Route(.get, report.rawValue) { _ throws(Failure) in
        throw Failure(.defect, "\(report.rawValue) has no handler")
      }
    }
  }
}
