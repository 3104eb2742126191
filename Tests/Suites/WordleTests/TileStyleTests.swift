import Testing

@testable import Wordle

@Suite struct TileStyles {
  @Test(
    "Cells show the letters of the guess as they were given, each color switched off again",
    arguments: [
      (TileColors(), "83;141;78", "181;159;59", "58;58;60"),
      (TileColors(.highContrast), "245;121;58", "133;192;249", "58;58;60"),
      (TileColors(on: .light), "106;170;100", "201;180;88", "120;124;126"),
      (TileColors(.highContrast, on: .light), "245;121;58", "133;192;249", "120;124;126"),
    ])
  func cells(colors: TileColors, correct: String, present: String, absent: String) throws {
    let row = TileStyle(.ansi, colors).row(try Tiles(guess: "aÉc", word: "éxC"), guess: "aÉc")
    let cells = row.split(separator: "\u{1B}[0m")
    #expect(cells.count == 3)
    #expect(cells[0].hasPrefix("\u{1B}[1;") && cells[0].hasSuffix(";48;2;\(absent)m a "))
    #expect(cells[1].hasPrefix("\u{1B}[1;") && cells[1].hasSuffix(";48;2;\(present)m É "))
    #expect(cells[2].hasPrefix("\u{1B}[1;") && cells[2].hasSuffix(";48;2;\(correct)m c "))
    #expect(row.hasSuffix("\u{1B}[0m"))
  }
}
