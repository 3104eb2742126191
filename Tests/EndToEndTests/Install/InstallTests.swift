import Command
import Foundation
import TestSupport
import Testing

@testable import hw

/// The recipe of 'hw help install', run into a prefix of its own.
@Suite(.ownThread) struct Installation {
  /// The literal block of the topic that has this word in it.
  private func recipe(_ word: String) throws -> String {
    let page = try shell("hw help install").output
    let blocks = page.components(separatedBy: "\n\n").filter { $0.contains(word) && $0.hasPrefix("  ") }
    return try #require(blocks.first { $0.contains("prefix") }).split(
      separator: "\n"
    )
    .map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  /// Into another prefix than the usual one, with a blank in its name.
  private func run(_ lines: String, in home: Home) throws -> Ending {
    let own = lines.replacingOccurrences(of: "prefix=$HOME/.local", with: "prefix='\(home.path)/my apps'")
      .replacingOccurrences(of: "built=.build/release/hw", with: "built=$(command -v hw)")
    return try shell("set -e\n\(own)", in: home)
  }

  @Test func installedProgramRunsAnywhere() throws {
    let home = try Home()
    let ending = try run(try recipe("install -d"), in: home)
    #expect(ending == Ending(status: 0, output: ending.output, errors: ""))
    let prefix = "\(home.path)/my apps"
    // Nothing of the place it was built in is needed.
    let elsewhere = try shell(
      "cd / && env -i HOME='\(home.path)' '\(prefix)/bin/hw' wordle tiles ponds nymph", in: home)
    #expect(elsewhere.output == "🟨⬛🟨⬛⬛\n")
    for page in ManualPage.all(.hw) {
      #expect(
        FileManager.default.fileExists(atPath: "\(prefix)/share/man/man\(page.section)/\(page.fileName)"))
    }
    for shell in Shell.allCases {
      #expect(FileManager.default.fileExists(atPath: "\(prefix)/share/\(shell.scriptPath)"))
    }
  }

  @Test func uninstallRemovesAllFiles() throws {
    let home = try Home()
    _ = try run(try recipe("install -d"), in: home)
    let ending = try run(try recipe("rm -f"), in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    let left = try shell("find . -type f -name '*hw*' | grep -v '^./[.]'", in: home)
    #expect(left.output == "")
  }
}
