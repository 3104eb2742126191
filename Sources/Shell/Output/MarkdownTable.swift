import System

/// Table of GitHub Flavored Markdown. Columns are not padded, so that each row can be written at once.
enum MarkdownTable {
  /// Appends the header row and the delimiter row; numbers are aligned right. Nothing without columns.
  static func appendHeader(_ columns: [Column], terminator: UInt8, to bytes: inout [UInt8]) {
    append(columns.map(\.title), terminator: terminator, to: &bytes)
    guard !columns.isEmpty else { return }
    bytes.append(contentsOf: "|".utf8)
    for column in columns { bytes.append(contentsOf: (column.isNumeric ? " ---: |" : " --- |").utf8) }
    bytes.append(terminator)
  }

  static func append(_ cells: [String], terminator: UInt8, to bytes: inout [UInt8]) {
    guard !cells.isEmpty else { return }
    bytes.append(UInt8(ascii: "|"))
    for cell in cells {
      bytes.append(UInt8(ascii: " "))
      let start = bytes.count
      appendEscaped(cell, to: &bytes)
      if bytes.count > start { bytes.append(UInt8(ascii: " ")) }
      bytes.append(UInt8(ascii: "|"))
    }
    bytes.append(terminator)
  }

  /// Appends a text that Markdown shows literally, without markup, links, images or HTML, and within its cell. A line
  /// break is `<br>`; a blank at the start or the end, which would be trimmed, is `&nbsp;`.
  ///
  /// GitHub also makes links of plain text: of addresses during parsing, which `&#58;` or `&#46;` prevents, and of
  /// mentions, mail addresses and issues after the decoding of entities, which an empty comment prevents.
  private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    // `Character` counts CR LF as one line break.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if index > 0 { bytes.append(contentsOf: "<br>".utf8) }
      let safe = line.replacing("\t", with: " ").terminalSafe
      let content = safe.utf8.drop { $0 == 0x20 }
      let end = content.lastIndex { $0 != 0x20 }.map(content.index(after:)) ?? content.startIndex
      appendBlanks(safe.utf8.count - content.count, to: &bytes)
      let visible = Array(content[..<end])
      for (index, byte) in visible.enumerated() {
        if let replacement = linkEscape(visible, index) {
          bytes.append(contentsOf: replacement.utf8)
        } else {
          if isMarkup(byte) { bytes.append(UInt8(ascii: "\\")) }
          bytes.append(byte)
        }
      }
      appendBlanks(content[end...].count, to: &bytes)
    }
  }

  private static func appendBlanks(_ count: Int, to bytes: inout [UInt8]) {
    for _ in 0..<count { bytes.append(contentsOf: "&nbsp;".utf8) }
  }

  /// Whether the character needs a backslash. Markup at the start of a line does not occur in a cell.
  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"),
      UInt8(ascii: "~"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// Replacement for a character that could begin or continue a link of plain text.
  private static func linkEscape(_ text: [UInt8], _ index: Int) -> String? {
    let next = text[(index + 1)...]
    return switch text[index] {
    case UInt8(ascii: ":") where next.starts(with: "//".utf8): "&#58;"
    case UInt8(ascii: ".") where text[..<index].suffix(3).map({ $0 | 0x20 }) == Array("www".utf8): "&#46;"
    case UInt8(ascii: "@") where next.first?.isASCIIAlphanumeric == true: "@<!-- -->"
    case UInt8(ascii: "#") where next.first?.isASCIIDigit == true: "#<!-- -->"
    default: nil
    }
  }
}
