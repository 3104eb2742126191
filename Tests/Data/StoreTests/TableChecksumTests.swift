import Testing

@testable import Store

/// Copies are compared by them, also those of different versions of hw: they stay as they are.
@Suite struct TableChecksumTests {
  @Test(
    arguments: [
      ([], "0000000000000000"), ([[]], "f52a15e9a9b5e89b"), ([[nil]], "0a86dec96e5f3ef6"),
      ([[-1]], "dd8e61dc9f4eea65"), ([[10_313]], "000c791dace41256"), ([[2.0]], "cc0a7ad21c265642"),
      ([[0.0]], "9760bb2cb6884b64"), ([[-0.0]], "9760bb2cb6884b64"),
      ([["ab", "\u{E9}"]], "f026e4e57a4098d5"),
      ([[1], [2]], "55ae557dc3c68829"), ([[2], [1]], "55ae557dc3c68829"), ([[1], [1]], "03401fa77fb85890"),
      ([[7, nil, "x", 0.5], [0x0102_0304_0506_0708]], "beb6b138736016ee"),
    ] as [([[SQLValue]], String)])
  func checksumsAreFrozen(rows: [[SQLValue]], text: String) {
    var checksum = TableChecksum()
    for row in rows { checksum.add(row) }
    #expect(checksum.text == text && checksum.rows == rows.count)
  }
}
