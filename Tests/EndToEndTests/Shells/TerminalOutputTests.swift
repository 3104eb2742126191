import TestSupport
import Testing

@Suite(.ownThread) struct TerminalOutput {
  @Test func tableFitsTerminalWidth() throws {
    let home = try Home()
    try home.write(
      #"[{"name":"日本語テキスト","note":"a\u001b[31mred\u202e","n":5},{"name":"x","note":"","n":12}]"#,
      to: "rows.json")
    let terminal = try Terminal(columns: 20)
    let ending = try Started(
      ["hw", "rows", "rows.json"], in: home, environment: ["TERM": "xterm", "HW_PAGER": "cat"],
      output: terminal.descriptor
    ).end()
    #expect(ending.status == 0)
    #expect(
      terminal.text
        == "\u{1B}[1mname\u{1B}[0m     \u{1B}[1mnote\u{1B}[0m      \u{1B}[1mn\u{1B}[0m\n日本語…  a\u{FFFD}[31m…   5\nx                 12\n"
    )
  }
}
