import Command
import Synchronization
import System
import Terminal

/// How far a fetch of many pages is, on the line of progress.
final class Progress: Sendable {
  private let host: Host
  private let isShown: Bool
  private let counts = Mutex((pages: 0, rows: 0))

  init(_ context: Context) {
    host = context.host
    isShown = context.showsProgress
  }

  /// The same context for the client that fetches: its waits are counted down on the line.
  func watching(_ context: Context) -> Context { context.reportingWaits { self.show(next: $0) } }

  func addPage(of count: Int) {
    counts.withLock { $0 = ($0.pages + 1, $0.rows + count) }
    show()
  }

  func show() { show { self.text } }

  private func show(next wait: Duration) {
    let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
    show { "\(self.text); next request in \(seconds) s" }
  }

  private func show(_ text: () -> String) {
    if isShown { host.errors.showProgress(at: host.time.uptime(), text) }
  }

  private var text: String {
    let (pages, rows) = counts.withLock { $0 }
    return "\(pages) \(pages == 1 ? "page" : "pages"), \(rows) rows"
  }
}
