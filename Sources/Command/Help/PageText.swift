import Output
import Terminal

/// A page as text of at most 80 columns, or of fewer on a terminal that has no more: what `-h` and `--help` print.
extension Page {
  /// The summary, the usage, the sections a reader in a hurry wants.
  public func short(on screen: Screen? = nil) -> String {
    text(sections.filter(\.isBrief), PageText(details: false, screen))
  }

  public func full(on screen: Screen? = nil) -> String { text(sections, PageText(details: true, screen)) }

  private func text(_ sections: [Section], _ form: PageText) -> String {
    var lines = ["\(name): \(summary)", ""]
    for (index, usage) in usageLines.enumerated() {
      lines.append((index == 0 ? "usage: " : "       ") + usage)
    }
    for section in sections {
      lines.append("")
      lines.append(section.title)
      lines += form.lines(section.blocks)
    }
    if !form.details {
      lines.append("")
      lines.append("'\(name) --help' tells more.")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Blocks as indented, wrapped lines.
struct PageText {
  let details: Bool
  private let width: Int
  private static let indent = "  "
  /// Terms longer than this have their text on the line below.
  private let longestTerm: Int

  init(details: Bool, _ screen: Screen?) {
    self.details = details
    width = min(80, max(20, screen?.width ?? 80))
    longestTerm = width < 60 ? 4 : 26
  }

  func lines(_ blocks: [Block]) -> [String] {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      if index > 0 { lines.append("") }
      switch block {
      case .paragraph(let text):
        lines += PageText.wrapped(text, width - 2).map { PageText.indent + $0 }
      case .literal(let text): lines += text.map { PageText.indent + $0 }
      case .items(let items): lines += self.lines(items)
      case .subsection(let title, let blocks): lines += [PageText.indent + title] + self.lines(blocks)
      }
    }
    return lines
  }

  private func lines(_ items: [Item]) -> [String] {
    let widths = items.map { DisplayWidth.of($0.termText) }
    let column = min(widths.max() ?? 0, longestTerm) + 2
    var lines: [String] = []
    for (item, width) in zip(items, widths) {
      var text = item.summary
      if details, !item.details.isEmpty { text += ". " + item.details }
      var wrapped = PageText.wrapped(text, self.width - 2 - column)[...]
      let first = width + 2 <= column ? wrapped.popFirst() ?? "" : ""
      let padding = String(repeating: " ", count: max(0, column - width))
      lines.append((PageText.indent + item.termText + (first.isEmpty ? "" : padding + first)))
      lines += wrapped.map { PageText.indent + String(repeating: " ", count: column) + $0 }
    }
    return lines
  }

  /// Words set into lines of at most `width` columns; a longer word has a line of its own.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var room = 0
    for word in text.split(whereSeparator: \.isWhitespace) {
      let length = DisplayWidth.of(String(word))
      if !line.isEmpty, length + 1 <= room {
        line += " " + word
        room -= length + 1
      } else {
        if !line.isEmpty { lines.append(line) }
        line = String(word)
        room = width - length
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
