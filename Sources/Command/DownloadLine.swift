import HTTP
import Synchronization
import System
import Terminal

extension Context {
  /// Shows the progress of a response that takes longer than a second. Nil if the line could disturb the output: pages
  /// and tables that are redrawn on the same terminal.
  var downloadLine: TransferObserver? {
    let sharesTerminal =
      !host.showsProgress && (call.command.needs.contains(.pager) || call.isGiven(ListOptions.watch))
    guard host.errors.isTerminal, messages.verbosity >= 0, !sharesTerminal else { return nil }
    let line = DownloadLine(host)
    return TransferObserver(update: line.update, end: line.end)
  }
}

private final class DownloadLine: Sendable {
  private let host: Host
  /// The line of a command's own progress is not cleared after each of its responses.
  private let isShown = Atomic(false)

  init(_ host: Host) {
    self.host = host
  }

  func update(_ progress: TransferProgress) {
    guard progress.elapsed >= .seconds(1) else { return }
    isShown.store(true, ordering: .relaxed)
    host.errors.showProgress(at: host.time.uptime()) { Progress.text(of: progress) }
  }

  func end() {
    if isShown.exchange(false, ordering: .relaxed) { host.errors.clearProgress() }
  }
}

extension Progress {
  /// `2400 kB received, 1200/s, 25 %, 6 s left`
  static func text(of progress: TransferProgress) -> String {
    guard progress.received > 0 else {
      return "waiting for the response, \(progress.elapsed.components.seconds) s"
    }
    let fraction = progress.total.map { Double(progress.received) / Double($0) }
    let pace = pace(done: progress.received / 1000, fraction: fraction, after: progress.elapsed)
    return (["\(progress.received / 1000) kB received"] + pace).joined(separator: ", ")
  }
}
