import Output
import Terminal

/// Page as text of at most 80 columns, or fewer on a narrow terminal: for `-h` and `--help`.
extension Page {
  /// Limit of the short help of a command, which fits a terminal of the usual size.
  static let shortLines = 24

  /// Summary, usage and options, and as many examples as fit.
  public func short(on screen: Screen? = nil) -> String {
    let layout = PageText(details: false, screen)
    var lines = beginning(layout)
    var examples: [[String]] = []
    for section in sections where section.isInShortHelp {
      if section.title == Section.examples {
        examples = layout.examples(section.blocks)
      } else {
        let text = layout.lines(section.blocks)
        if !text.isEmpty { lines += ["", layout.heading(section.title)] + text }
      }
    }
    let others = [(inherited, "hw help options"), (shared, "\(name) --help")].filter { !$0.0.isEmpty }
    if !others.isEmpty {
      lines.append("")
      let parts = others.map { "\($0.joined(separator: " ")) (see '\($1)')" }
      lines += layout.wrapped("Also: \(parts.joined(separator: ", "))")
    }
    let room = Page.shortLines - lines.count - 4
    if room >= 2, !examples.isEmpty {
      lines += ["", layout.heading(Section.examples)] + examples.prefix(room / 2).flatMap(\.self)
    }
    lines += ["", "See '\(name) --help' for more."]
    return lines.joined(separator: "\n") + "\n"
  }

  public func full(on screen: Screen? = nil) -> String {
    let layout = PageText(details: true, screen)
    var lines = beginning(layout)
    for section in sections { lines += ["", layout.heading(section.title)] + layout.lines(section.blocks) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func beginning(_ layout: PageText) -> [String] {
    var lines = ["\(name): \(summary)", ""]
    for (index, usage) in usageLines.enumerated() {
      lines.append((index == 0 ? "usage: " : "       ") + usage)
    }
    return lines
  }
}

struct PageText {
  private let isFull: Bool
  private let isBold: Bool
  private let width: Int
  private static let indent = "  "
  /// Longer terms have their text on the next line.
  private let longestTerm: Int

  init(details isFull: Bool, _ screen: Screen?) {
    self.isFull = isFull
    isBold = screen?.color ?? false
    width = min(80, max(20, screen?.width ?? 80))
    longestTerm = width < 60 ? 4 : 22
  }

  func heading(_ title: String) -> String { isBold ? Style.bold.applied(to: title) : title }

  func wrapped(_ text: String) -> [String] {
    WordWrap.lines(text, width: width - 2).map { PageText.indent + $0 }
  }

  /// Examples that fit the width, each with a line of description.
  func examples(_ blocks: [Block]) -> [[String]] {
    guard case .literal(let text)? = blocks.first else { return [] }
    let pairs: [[String]] = stride(from: 0, to: text.count - 1, by: 2).map { [text[$0], text[$0 + 1]] }
    let fitting = pairs.filter { $0.allSatisfy { DisplayWidth.of($0) <= width - 2 } }
    return fitting.map { $0.map { PageText.indent + $0 } }
  }

  func lines(_ blocks: [Block]) -> [String] {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      if index > 0 { lines.append("") }
      switch block {
      case .paragraph(let text): lines += wrapped(text)
      case .literal(let text): lines += text.map { PageText.indent + $0 }
      case .items(let items): lines += self.lines(items, details: isFull)
      case .briefItems(let items): lines += self.lines(items, details: false)
      case .subsection(let title, let blocks):
        lines += [PageText.indent + heading(title)] + self.lines(blocks)
      }
    }
    return lines
  }

  private func lines(_ items: [Item], details: Bool) -> [String] {
    let items = isFull ? items : items.filter { !$0.isShared }
    let widths = items.map { DisplayWidth.of($0.termText) }
    let column = min(widths.reduce(0) { max($0, $1) }, longestTerm) + 2
    var lines: [String] = []
    for (item, width) in zip(items, widths) {
      var text = item.summary
      if details, !item.details.isEmpty { text += ". " + item.details }
      var wrapped = WordWrap.lines(text, width: self.width - 2 - column)[...]
      var line = PageText.indent + item.termText
      if width + 2 <= column, let first = wrapped.popFirst() {
        line += String(repeating: " ", count: column - width) + first
      }
      lines.append(line)
      lines += wrapped.map { PageText.indent + String(repeating: " ", count: column) + $0 }
    }
    return lines
  }
}
