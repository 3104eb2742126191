import Foundation
import Testing

/// README shows nothing that was not run here: every block of shell, in an empty home with hw on PATH and sample data
/// for the services.
///
/// A block may be left out, for a reason: `<!-- not run: wants a key -->` on the line before it. Those that build the
/// program are known, and held to their words alone.
@Suite struct TheReadme {
  struct ShellBlock: CustomTestStringConvertible, Sendable {
    /// The line its fence stands on.
    var line: Int
    var text: String
    /// Why it is not run.
    var excuse: String?

    var testDescription: String { "line \(line)" }
  }

  /// The blocks whose fence says `sh`.
  static func blocks(of text: String) -> [ShellBlock] {
    var blocks: [ShellBlock] = []
    var block: ShellBlock?
    var before = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if block != nil, line == "```" {
        block.map { blocks.append($0) }
        block = nil
      } else if block != nil {
        block?.text += line + "\n"
      } else if line == "```sh" {
        let excuse = before.firstMatch(of: /^<!-- not run: (.+) -->$/).map { String($0.output.1) }
        block = ShellBlock(line: index + 1, text: "", excuse: excuse)
      }
      if !line.isEmpty { before = String(line) }
    }
    return blocks
  }

  private static let text =
    (try? String(contentsOf: GeneratedFiles.root.appending(path: "README.md"), encoding: .utf8)) ?? ""

  @Test(arguments: blocks(of: text).filter { $0.excuse == nil })
  func runs(_ block: ShellBlock) throws {
    let lines = block.text.split(separator: "\n")
    if lines.contains(where: { $0.hasPrefix("swift ") }) {
      let known = ["swift run -c release hw ", "swift build -c release", "swift test"]
      for line in lines {
        #expect(known.contains { line == $0 || $0.hasSuffix(" ") && line.hasPrefix($0) }, "\(line)")
      }
      return
    }
    let home = try Home()
    try block.text.write(toFile: "\(home.path)/.block", atomically: true, encoding: .utf8)
    let ending = try Started(["sh", "-e", "\(home.path)/.block"], in: home).end()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Text is console or sh, and what is not run says why.
  @Test func everyExcuseIsAboutABlock() {
    let excuses = TheReadme.text.matches(of: /<!-- not run:/).count
    #expect(TheReadme.blocks(of: TheReadme.text).filter { $0.excuse != nil }.count == excuses)
    #expect(!TheReadme.text.contains("```bash"))
    #expect(!TheReadme.text.contains("```shell"))
  }

  @Test func blocksAreFound() {
    let text = """
      ```sh
      one
      two
      ```
      ```console
      $ three
      ```
      <!-- not run: wants a key -->
      ```sh
      four
      ```
      """
    let blocks = TheReadme.blocks(of: text)
    #expect(blocks.map(\.text) == ["one\ntwo\n", "four\n"])
    #expect(blocks.map(\.excuse) == [nil, "wants a key"])
    #expect(blocks.map(\.line) == [1, 9])
  }
}
