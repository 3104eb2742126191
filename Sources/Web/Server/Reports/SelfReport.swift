import HTTP
import System

enum SelfReport: String, CaseIterable {
  case health = "/healthz"
  /// Whether the store can be reached, and the server is not about to stop.
  case readiness = "/readyz"
  case metrics = "/metrics"
  case name = "/"

  static func response(_ status: Int, _ text: String, type: String = "text/plain; charset=utf-8") -> Response
  {
    Response(status, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: Array(text.utf8))
  }
}

/// The routes of the reports. The event loop responds itself, since a report may need the store.
struct ReportBackend: Backend {
  let suite: String
  let routes: [Route]

  /// The reports that every client may request: they contain no data of the suites.
  static var service: ReportBackend { ReportBackend("server", [.health, .readiness, .name]) }
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
