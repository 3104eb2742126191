import Foundation
import Testing

/// README shows nothing that was not run here: every block of shell, in an empty home with hw on PATH and sample data
/// for the services.
///
/// A block may be left out, for a reason: `<!-- not run: wants a key -->` on the line before it. Lines that build
/// the program are known, and held to their words alone.
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
    let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
    let known = ["swift run -c release hw ", "swift build -c release", "swift test"]
    let building = lines.filter { $0.hasPrefix("swift ") }
    for line in building {
      #expect(known.contains { line == $0 || $0.hasSuffix(" ") && line.hasPrefix($0) }, "\(line)")
    }
    let home = try Home()
    let installs = block.text.contains(".build/release/hw")
    if !building.isEmpty || installs { try linkSource(into: home) }
    let rest = lines.filter { !$0.hasPrefix("swift ") }.joined(separator: "\n")
    try rest.write(toFile: "\(home.path)/.block", atomically: true, encoding: .utf8)
    // A block that installs hw has to find it without our help.
    let path = Installed.environment(home: home.path)["PATH"]?.split(separator: ":")
      .filter { !installs || $0 != Installed.folder }.joined(separator: ":")
    let ending = try Started(["sh", "-e", ".block"], in: home, environment: ["PATH": path]).end()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// What builds the program stands in its source: then the rest of the block finds there what was built.
  private func linkSource(into home: Home) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(home.path)/.build/release", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: "\(home.path)/.build/release/hw", withDestinationPath: "\(Installed.folder)/hw")
    for folder in ["man", "completions"] {
      try files.createSymbolicLink(
        atPath: "\(home.path)/\(folder)",
        withDestinationPath: GeneratedFiles.root.appending(path: folder).path)
    }
  }

  /// Text is console or sh, and what is not run says why.
  @Test func everyExcuseIsAboutABlock() {
    let excuses = TheReadme.text.matches(of: /<!-- not run:/).count
    #expect(TheReadme.blocks(of: TheReadme.text).filter { $0.excuse != nil }.count == excuses)
    #expect(!TheReadme.text.contains("```bash"))
    #expect(!TheReadme.text.contains("```shell"))
  }

  /// A picture shows what the command in it prints today.
  @Test func picturesAreTrue() throws {
    let pictures = TheReadme.text.matches(of: /```console\n\$ (hw [^\n]+)\n([^`]*)```/)
    #expect(!pictures.isEmpty)
    for picture in pictures {
      #expect(try shell(String(picture.output.1)).output == String(picture.output.2))
    }
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
