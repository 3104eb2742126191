import Command
import System
import Terminal

/// How far a fetch of many pages is, on standard error where that is a terminal and the rows go elsewhere.
final class Progress {
  private let line: ProgressLine
  private var pages = 0
  private var rows = 0
  /// For whoever fetches: its waits are counted down on the line.
  private(set) var context: Context

  init(_ context: Context) {
    let errors = context.host.errors
    let isSeen = errors.isTerminal && !context.host.output.isTerminal && context.messages.verbosity >= 0
    let columns = isSeen ? errors.size()?.columns ?? 80 : nil
    line = ProgressLine(errors.bytes, columns: columns, time: context.time)
    self.context = context
    guard isSeen else { return }
    self.context = context.watched(
      clear: { [weak self] in self?.clear() }, show: { [weak self] in self?.show(next: $0) })
  }

  func addPage(of count: Int) {
    pages += 1
    rows += count
    show()
  }

  func show() {
    // Nobody is left to be told that standard error cannot be written.
    try? line.show(text)
  }

  func clear() { try? line.clear() }

  private var text: String { "\(pages) \(pages == 1 ? "page" : "pages"), \(rows) rows" }

  private func show(next wait: Duration) {
    let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
    try? line.show("\(text); next request in \(seconds) s")
  }
}
