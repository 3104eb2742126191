import JSON
import System
import Testing

@testable import Output

@Suite struct MarkdownTests {
  private func cell(_ text: String) throws -> String {
    try written(.markdown, header: false) { output throws(Failure) in
      try output.write([Tile(letter: text)])
    }
  }

  @Test(arguments: [
    ("a|b", "a\\|b"), ("a\\|b", "a\\\\\\|b"), ("a\nb", "a<br>b"), ("a\r\nb\rc", "a<br>b<br>c"),
    (" a  b ", "&nbsp;a  b&nbsp;"), ("  ", "&nbsp;&nbsp;"), ("\ta\t", "&nbsp;a&nbsp;"),
    ("a \n b", "a&nbsp;<br>&nbsp;b"), ("\n", "<br>"), ("<script>&amp;", "\\<script\\>\\&amp;"),
    ("![x](http://evil)", "!\\[x\\](http&#58;//evil)"),
    ("*a* _b_ ~c~ `d` $e$", "\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\$e\\$"), ("# 1. - a", "# 1. - a"),
    ("https://evil.example", "https&#58;//evil.example"), ("FTP://a ://", "FTP&#58;//a &#58;//"),
    ("www.x.y WwW.x www", "www&#46;x.y WwW&#46;x www"), ("a: b:/c", "a: b:/c"), ("ww.x.", "ww.x."),
    ("@name a@b.cc @ @-", "@<!-- -->name a@<!-- -->b.cc @ @-"), ("mailto:a@b.cc", "mailto:a@<!-- -->b.cc"),
    ("#1 a/b#23 #a", "#<!-- -->1 a/b#<!-- -->23 #a"), ("a\u{1B}[1mb\u{202E}", "a\u{FFFD}\\[1mb\u{FFFD}"),
    ("é👩\u{200D}🚀", "é👩\u{200D}🚀"),
  ])
  func specialCharactersAreEscaped(text: String, cell: String) throws {
    #expect(try self.cell(text) == "| \(cell) |\n")
  }

  @Test func emptyCellHasOneBlank() throws { #expect(try cell("") == "| |\n") }

  @Test func markdownHasColumnsOfEveryRow() throws {
    var rows = try JSON.parse(#"[{"a|b":1},{"c":"x|y"},5]"#).array.makeIterator()
    let text = try written(.markdown) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in rows.next() }
    }
    #expect(
      text == """
        | a\\|b | c | value |
        | --- | --- | --- |
        | 1 | - | - |
        | - | x\\|y | - |
        | - | - | 5 |

        """)
  }
}
