import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct TerminalOutput {
  private static let json =
    #"[{"name":"日本語テキスト","note":"a\u001b[31mred\u202e","n":5},{"name":"x","note":"","n":12}]"#

  private func rows(
    _ options: String, columns: UInt16, environment: [String: String?] = ["TERM": "xterm", "HW_PAGER": "cat"]
  ) throws -> (terminal: String, ending: Ending) {
    let home = try Home()
    try TerminalOutput.json.write(toFile: "\(home.path)/rows.json", atomically: true, encoding: .utf8)
    let terminal = try Terminal(columns: columns)
    let words = ["hw", "rows", "rows.json"] + options.split(separator: " ").map(String.init)
    let ending = try Started(words, in: home, environment: environment, output: terminal.descriptor).end()
    return (terminal.text, ending)
  }

  @Test func tableFitsTerminalWidth() throws {
    let (text, ending) = try rows("", columns: 20)
    #expect(ending.status == 0)
    #expect(
      text
        == "\u{1B}[1mname\u{1B}[0m     \u{1B}[1mnote\u{1B}[0m     \u{1B}[1mn\u{1B}[0m\n日本語…  a\u{FFFD}[31m…  5\nx                 12\n"
    )
  }
}
