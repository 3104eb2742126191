import Output
import System
import Terminal

/// A row as a card: one line per field that has a value.
enum Card {
  static func text<R: Row>(_ row: R, _ screen: Screen?) -> String {
    let width = R.fields.map(\.column.title.count).max() ?? 0
    var lines: [String] = []
    for field in R.fields where field.column.isShown {
      guard let value = field.text(of: row) else { continue }
      let title = field.column.title
      let padding = String(repeating: " ", count: width - title.count)
      let heading = screen?.color == true ? Style.bold.applied(to: title) : title
      lines.append("\(heading)\(padding)  \(value.terminalSafe)")
    }
    return lines.joined(separator: "\n")
  }
}
