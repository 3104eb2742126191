import Command
import Foundation
import TestSupport
import Testing

@testable import hw

/// The files that are made from the table: a change of the table that leaves one behind fails here, and
/// `HW_REGENERATE=1 swift test --filter GeneratedFiles` writes them anew.
@Suite(.ownThread) struct GeneratedFiles {
  static let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    .deletingLastPathComponent()
  static let regenerates = ProcessInfo.processInfo.environment["HW_REGENERATE"] != nil

  /// The pages by name, made once.
  static let pages = Dictionary(
    uniqueKeysWithValues: ManualPage.all(.hw).map { ($0.name, (fileName: $0.fileName, text: $0.text)) })

  @Test(arguments: pages.keys.sorted())
  func manualPageIsCurrent(_ name: String) throws {
    let page = try #require(Self.pages[name])
    try hold("man/\(page.fileName)", to: page.text)
  }

  private static func fileName(_ shell: Shell) -> String {
    shell == .zsh ? "_hw" : "hw.\(shell.rawValue)"
  }

  @Test(arguments: Shell.allCases)
  func completionScriptIsCurrent(_ shell: Shell) throws {
    try hold("completions/\(Self.fileName(shell))", to: Ran(.hw, ["completions", shell.rawValue]).output)
  }

  /// Nothing lies in the folders that the table does not make.
  @Test func directoriesHoldOnlyGeneratedFiles() throws {
    let manual = try FileManager.default.contentsOfDirectory(
      atPath: GeneratedFiles.root.appending(path: "man").path)
    #expect(manual.sorted() == Self.pages.values.map(\.fileName).sorted())
    let scripts = try FileManager.default.contentsOfDirectory(
      atPath: GeneratedFiles.root.appending(path: "completions").path)
    #expect(scripts.sorted() == Shell.allCases.map(Self.fileName).sorted())
  }

  private func hold(_ path: String, to text: String) throws {
    let url = GeneratedFiles.root.appending(path: path)
    if GeneratedFiles.regenerates { try Data(text.utf8).write(to: url) }
    let committed = try? String(contentsOf: url, encoding: .utf8)
    #expect(committed == text, "\(path) is not what the table makes; HW_REGENERATE=1 writes it anew")
  }
}
