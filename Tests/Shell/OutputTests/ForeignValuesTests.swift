import JSON
import System
import Testing

@testable import Output

/// The values of rows whose fields nobody declared.
@Suite struct ForeignValuesTests {
  /// They are as safe on a terminal, and with NUL behind each record, as those of declared fields.
  @Test(
    arguments: [
      (.csv, false, nil, "x\u{1B}\ty\0\n"), (.tsv, false, nil, "x\u{1B}\\ty\0\n"),
      (.csv, true, nil, "x\u{1B}\ty\u{FFFD}\0"), (.tsv, true, nil, "x\u{1B}\\ty\u{FFFD}\0"),
      (.csv, false, Screen(width: 80, color: false), "x\u{FFFD}\ty\u{FFFD}\n"),
      (.tsv, false, Screen(width: 80, color: false), "x\u{FFFD}\\ty\u{FFFD}\n"),
    ] as [(Format, Bool, Screen?, String)])
  func controlCharactersAreReplacedOnTerminal(format: Format, null: Bool, screen: Screen?, expected: String)
    throws
  {
    var rows = [try JSON.parse(#"{"a":"x\u001b\ty\u0000"}"#)][...]
    let text = try written(format, header: false, null: null, screen: screen) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in rows.popFirst() }
    }
    #expect(Array(text.utf8) == Array(expected.utf8))
  }
}
