import Command
import System
import Terminal

/// How far a fetch of many pages is, on standard error where that is a terminal and the rows go elsewhere.
final class Progress {
  private let line: ProgressLine
  private var pages = 0
  private var rows = 0

  init(_ context: Context) {
    let errors = context.host.errors
    let isSeen = errors.isTerminal && !context.host.output.isTerminal && context.messages.verbosity >= 0
    line = ProgressLine(
      errors.bytes, columns: isSeen ? errors.size()?.columns ?? 80 : nil, time: context.time)
  }

  func addPage(of count: Int) {
    pages += 1
    rows += count
    // Nobody is left to be told that standard error cannot be written.
    try? line.show("\(pages) \(pages == 1 ? "page" : "pages"), \(rows) rows")
  }

  func clear() { try? line.clear() }
}
