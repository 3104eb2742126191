import Command
import Foundation
import Testing

@testable import hw

/// The recipe of 'hw help install', run into a prefix of its own.
@Suite struct TheInstallation {
  /// The literal block of the topic that has this word in it.
  private func recipe(_ word: String) throws -> String {
    let page = try shell("hw help install").output
    let blocks = page.components(separatedBy: "\n\n").filter { $0.contains(word) && $0.hasPrefix("  ") }
    return try #require(blocks.first { $0.contains("prefix") || $0.contains(".files") }).split(
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

  @Test func whatIsInstalledRunsAndIsFound() throws {
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
    // It finds the completions beside it, and they are its own.
    let check = try shell("'\(prefix)/bin/hw' check --self --json", in: home).output
    #expect(check.contains("\(prefix)/share/bash-completion/completions/hw"))
    #expect(check.contains("\(prefix)/share/zsh/site-functions/_hw"))
    #expect(check.contains("\(prefix)/share/fish/vendor_completions.d/hw.fish"))
    #expect(!check.contains("not of this version"))
  }

  /// Also where only the user's own scripts are.
  @Test(
    arguments: [
      (".local/share/bash-completion/completions/hw", "bash"), (".local/share/zsh/site-functions/_hw", "zsh"),
      (".local/share/fish/vendor_completions.d/hw.fish", "fish"),
      (".config/fish/completions/hw.fish", "fish"),
    ])
  func aScriptOfAnotherVersionIsReported(path: String, shell name: String) throws {
    let line = "mkdir -p \"$(dirname ~/\(path))\" && echo '# old' >~/\(path) && hw check --self"
    let report = try shell(line, in: Home())
    #expect(report.output.contains("/\(path)' is not of this version"), "\(report)")
    #expect(report.output.contains("create it again with 'hw completions \(name)'"))
  }

  @Test func nothingIsLeftAfterwards() throws {
    let home = try Home()
    _ = try run(try recipe("install -d"), in: home)
    let ending = try run(try recipe("rm -f"), in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    let left = try shell("find . -type f -name '*hw*' | grep -v '^./[.]'", in: home)
    #expect(left.output == "")
  }

  /// The recipe for packages puts the files into the directories of each distribution, and removes them again.
  @Test(
    arguments: [
      ("Debian", "zsh/vendor-completions"), ("Fedora", "zsh/site-functions"), ("Arch", "zsh/site-functions"),
    ])
  func package(distribution: String, zsh: String) throws {
    let page = try shell("hw help install").output
    let words = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("\(distribution) \(zsh);"))
    let home = try Home()
    let ending = try run(
      try recipe("DESTDIR").replacingOccurrences(of: "zsh=zsh/site-functions", with: "zsh=\(zsh)"), in: home)
    #expect(ending == Ending(status: 0))
    let pages = ManualPage.all(.hw).map { "usr/share/man/man\($0.section)/\($0.fileName)" }
    let files =
      pages + [
        "usr/bin/hw", "usr/share/bash-completion/completions/hw", "usr/share/\(zsh)/_hw",
        "usr/share/fish/vendor_completions.d/hw.fish",
      ]
    #expect(
      try shell("cd package && find . -type f | cut -c3- | sort", in: home).output
        == files.sorted().map { "\($0)\n" }.joined())
    // Every user can read them, and nothing names the directory in which the package was made.
    #expect(
      try shell("find package -type f ! -name hw ! -perm 644; find package -type d ! -perm 755", in: home)
        .output == "")
    #expect(try shell("grep -rl \"$PWD/package\" package", in: home).output == "")
    #expect(try shell("package/usr/bin/hw wordle tiles ponds nymph", in: home).output == "🟨⬛🟨⬛⬛\n")
    #expect(try run(try recipe("xargs"), in: home).status == 0)
    #expect(try shell("find package -type f", in: home).output == "")
  }

  /// Needs mandoc.
  @Test(.enabled(if: Installed.has("mandoc"))) func theManualIsReadable() throws {
    let home = try Home()
    _ = try run(try recipe("install -d"), in: home)
    #expect(try shell("cd 'my apps/share/man/man1' && mandoc -Tlint -W warning *.1", in: home).output == "")
  }
}
