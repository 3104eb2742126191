import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

/// Every block of README is run: alone, in an empty home with hw on PATH and sample data for the services, and all
/// together as a newcomer would. Units are checked by systemd.
///
/// A block may be left out, for a reason: `<!-- not run: requires a key -->` on the line before it. Lines that build
/// the program are known, and only their words are checked.
@Suite(.ownThread, .needs(.libsqlite3)) struct Readme {
  struct ShellBlock: CustomTestStringConvertible, Equatable, Sendable {
    /// The line of its fence.
    var line: Int
    var text: String
    /// Why it is not run.
    var toleratedResponse: String?

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
        let toleratedResponse = before.firstMatch(of: /^<!-- not run: (.+) -->$/).map { String($0.output.1) }
        block = ShellBlock(line: index + 1, text: "", toleratedResponse: toleratedResponse)
      }
      if !line.isEmpty { before = String(line) }
    }
    return blocks
  }

  /// The commands of the blocks whose fence says `console`, and what each prints.
  private static let sessions: [(command: String, output: String)] = blocks(of: text, language: "console")
    .flatMap {
      $0.components(separatedBy: "$ hw ").dropFirst().map { session in
        let end = session.firstIndex(of: "\n") ?? session.endIndex
        return ("hw \(session[..<end])", String(session[end...].dropFirst()))
      }
    }

  /// The blocks of another language, such as `ini`.
  private static func blocks(of text: String, language: String) -> [String] {
    text.components(separatedBy: "\n```\(language)\n").dropFirst().map { block in
      (block.components(separatedBy: "\n```").first ?? "") + "\n"
    }
  }

  private static let text =
    (try? String(contentsOf: GeneratedFiles.root.appending(path: "README.md"), encoding: .utf8)) ?? ""

  @Test(arguments: blocks(of: text).filter { $0.toleratedResponse == nil })
  func blocksRun(_ block: ShellBlock) throws {
    let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
    let known = ["swift run -c release hw ", "swift build -c release", "swift test"]
    let building = lines.filter { $0.hasPrefix("swift ") }
    for line in building {
      #expect(known.contains { line == $0 || $0.hasSuffix(" ") && line.hasPrefix($0) }, "\(line)")
    }
    let home = try Home()
    try home.install("mail", "#!/bin/sh\ncat >mailed\n")
    let installs = block.text.contains(".build/release/hw")
    if !building.isEmpty || installs { try linkSource(into: home) }
    let rest = lines.filter { !$0.hasPrefix("swift ") }.joined(separator: "\n")
    if SkippedTests.includesCurrentTest(needing: ShellPrograms.tools(in: rest)) { return }
    try home.write(rest, to: ".block")
    // A block that installs hw has to find it without our help.
    let path = Installed.environment(home: home.path)["PATH"]?.split(separator: ":")
      .filter { !installs || $0 != Installed.folder }.joined(separator: ":")
    let ending = try Started(
      ["sh", "-e", ".block"], in: home, environment: ["PATH": "\(home.path)/.bin:\(path ?? "")"]
    ).end()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Links the built program to the place where 'swift build' puts it.
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
  @Test func everyNotRunCommentPrecedesBlock() {
    let tolerated = Readme.text.matches(of: /<!-- not run:/).count
    #expect(Readme.blocks(of: Readme.text).filter { $0.toleratedResponse != nil }.count == tolerated)
    #expect(!Readme.text.contains("```bash"))
    #expect(!Readme.text.contains("```shell"))
  }

  /// A picture shows what the command in it prints today.
  @Test func consoleBlocksShowCurrentOutput() throws {
    #expect(!Readme.sessions.isEmpty)
    for (command, output) in Readme.sessions { #expect(try shell(command).output == output) }
  }

  /// The table of default services is that of 'hw help services'.
  @Test func serviceTableMatchesHelp() throws {
    let help = try shell("hw help services").output.split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    for service in Program.hw.services {
      let row = Readme.text.split(separator: "\n").first { $0.hasPrefix("| `\(service.suite)` | ") }
      #expect(row?.contains("`\(service.address)`") == true, "\(service.suite)")
      #expect(row?.contains("`\(service.live)`") == true, "\(service.suite)")
      #expect(row?.hasSuffix("| \(service.reason) |") == true, "\(service.suite)")
      #expect(help.contains("(\(service.reason))"), "\(service.suite)")
    }
  }

  /// A newcomer pastes every block into one shell, from the first to the last, in an empty home and without hw on the
  /// PATH. After the removal nothing is left, and the installation is repeated for the rest of the page.
  @Test(.needs(.jq, .curl)) func allBlocksRunInOrder() throws {
    let home = try Home()
    try linkSource(into: home)
    try home.install("mail", "#!/bin/sh\ncat >mailed\n")
    try home.install(
      "swift", "#!/bin/sh\n[ \"$1\" = run ] || exit 0\nshift 4\nexec .build/release/hw \"$@\"\n")
    let blocks = Readme.blocks(of: Readme.text)
    let install = try #require(blocks.first { $0.text.contains("install -Dm755") })
    let remove = try #require(blocks.first { $0.text.contains("rm -f ~/.local/bin/hw") })
    var script = "set -e\n"
    for block in blocks {
      script += "echo \(block.line) >.block\n"
      script += block.text
      guard block == remove else { continue }
      script += "find . -type f -path './.local*' ! -path './.local/state/*' >.left\n\(install.text)"
    }
    // The pictures last, since the home of a newcomer is still the same.
    for (index, session) in Readme.sessions.enumerated() { script += "\(session.command) >.shown\(index)\n" }
    try home.write(script, to: ".script")
    let path = Installed.environment(home: home.path)["PATH"]?.split(separator: ":")
      .filter { $0 != Installed.folder }.joined(separator: ":")
    let ending = try Started(
      ["sh", ".script"], in: home, environment: ["PATH": "\(home.path)/.bin:\(path ?? "")", "HW_URL": nil]
    ).end()
    #expect(ending.status == 0, "the block of line \(home.text(".block")): \(ending.errors)")
    #expect(home.text(".left") == "")
    for (index, session) in Readme.sessions.enumerated() {
      #expect(home.text(".shown\(index)") == session.output)
    }
  }
}
