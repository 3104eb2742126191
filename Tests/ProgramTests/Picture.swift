import Terminal

/// What a terminal shows, as an SVG for pages: its cells, colors and weights. The background and the plain text follow the
/// color scheme of the reader.
struct Picture {
  private static let (cell, line, margin) = (8.4, 18.0, 14.0)

  let svg: String

  /// `text` has the escape sequences of a terminal, with ESC or the sign for it, `␛`. `title` describes the picture.
  init(_ text: String, title: String) {
    var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.runs)
    while rows.last?.isEmpty == true { rows.removeLast() }
    let columns = rows.flatMap { $0.map { $0.column + DisplayWidth.of($0.text) } }.max() ?? 0
    let (width, height) = (
      Double(columns) * Self.cell + 2 * Self.margin, Double(rows.count) * Self.line + 2 * Self.margin
    )
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      width="\(Self.number(width))" height="\(Self.number(height))" role="img">
      <title>\(Self.escaped(title))</title>
      <style>
      text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
      .page { fill: #ffffff; stroke: #d0d7de }
      @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .page { fill: #0d1117; stroke: #30363d } }
      </style>
      <rect class="page" x="0.5" y="0.5" width="\(Self.number(width - 1))" height="\(Self.number(height - 1))" rx="8"/>

      """
    for (row, runs) in rows.enumerated() {
      for run in runs { svg += Self.element(run, top: Self.margin + Double(row) * Self.line) }
    }
    self.svg = svg + "</svg>\n"
  }

  /// Neighbors of one style in a row.
  private struct Run {
    var column: Int
    var text: String
    var style: Style
  }

  private struct Style: Equatable {
    var color: String?
    var background: String?
    var isBold = false
    var isDim = false

    /// The style behind an escape sequence: `1;38;2;0;200;230`.
    init(_ codes: [Int] = []) {
      var codes = codes[...]
      while let code = codes.popFirst() {
        switch code {
        case 1: isBold = true
        case 2: isDim = true
        case 30...37: color = Self.palette[code - 30]
        case 40...47: background = Self.palette[code - 40]
        case 38 where codes.count >= 4: color = Self.hex(&codes)
        case 48 where codes.count >= 4: background = Self.hex(&codes)
        default: break
        }
      }
    }

    private static func hex(_ codes: inout ArraySlice<Int>) -> String {
      defer { codes = codes.dropFirst(4) }
      return "#" + codes.dropFirst().prefix(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Readable on a light and on a dark background.
    private static let palette = [
      "#57606a", "#d1453b", "#2a9d4a", "#b8860b", "#3b82d6", "#a45bb8", "#1b9aaa", "#8b949e",
    ]
  }

  private static func runs(_ line: some StringProtocol) -> [Run] {
    var runs: [Run] = []
    var (column, style) = (0, Style())
    // A recorded row ends with a bar.
    let line = line.last == "|" ? String(line.dropLast()) : String(line)
    let parts = line.replacing("\u{1B}", with: "␛").split(separator: "␛[", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      var text = String(part)
      if index > 0, let end = part.firstIndex(of: "m") {
        style = Style(part[..<end].split(separator: ";").compactMap { Int($0) })
        text = String(part[part.index(after: end)...])
      }
      // A wide sign has a place of its own: fonts differ in its width.
      var narrow = ""
      func end() {
        if !narrow.isEmpty { runs.append(Run(column: column - narrow.count, text: narrow, style: style)) }
        narrow = ""
      }
      for character in text {
        let width = DisplayWidth.of(character)
        if width == 1 {
          narrow.append(character)
        } else {
          end()
          runs.append(Run(column: column, text: String(character), style: style))
        }
        column += width
      }
      end()
    }
    while let last = runs.last, last.text.allSatisfy({ $0 == " " }), last.style.background == nil {
      runs.removeLast()
    }
    return runs
  }

  private static func element(_ run: Run, top: Double) -> String {
    let (x, width) = (margin + Double(run.column) * cell, Double(DisplayWidth.of(run.text)) * cell)
    var element = ""
    if let background = run.style.background {
      element += """
        <rect x="\(number(x))" y="\(number(top))" width="\(number(width))" height="\(number(line))" fill="\(background)"/>

        """
    }
    guard run.text.contains(where: { $0 != " " }) else { return element }
    var style = run.style.color.map { "fill:\($0);" } ?? ""
    if run.style.isBold { style += "font-weight:bold;" }
    if run.style.isDim { style += "opacity:.65;" }
    let attribute = style.isEmpty ? "" : " style=\"\(style)\""
    return element + """
      <text x="\(number(x))" y="\(number(top + line * 0.75))" textLength="\(number(width))"\(attribute)>\
      \(escaped(run.text))</text>

      """
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
