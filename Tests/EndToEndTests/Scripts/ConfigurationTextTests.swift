import Foundation
import TestSupport
import Testing

/// A configuration that people made: with quotes, comments, mistakes, and the line ends of another system.
@Suite(.ownThread) struct DocumentedSettings {
  private func run(_ line: String, _ text: String) throws -> (ending: Ending, file: String) {
    let home = try Home()
    try home.write(text, to: "c")
    return (try shell("chmod 600 c; export HW_CONFIG=c; " + line, in: home), home.text("c"))
  }

  /// By a name that the sources have as a literal, or that a declaration has.
  @Test func variablesReadBySourceAreDocumented() throws {
    let name = try Regex("HW_[A-Z_]+")
    let page = try shell("hw help environment").output
    let documented = Set(page.matches(of: name).map { String($0.0) }).subtracting(["HW_", "HW_CONFIG"])
    #expect(
      documented.isSuperset(of: ["HW_STORE", "HW_STORE_FROM", "HW_STORE_TO", "HW_SERVE_LOG", "HW_TOKEN"]))
    let literal = try Regex("\"HW_[A-Z_]+[A-Z]\"")
    let sources = GeneratedFiles.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var read: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      read.formUnion(text.matches(of: literal).map { String($0.0.dropFirst().dropLast()) })
    }
    #expect(
      read.contains("HW_TOKEN") && read.subtracting(documented).subtracting(["HW_CONFIG"]).isEmpty, "\(read)")
    let exported = documented.sorted().map { "export \($0)=1\n" }.joined()
    let list = try run("\(exported)hw config list", "").ending
    #expect(list.status == 0 && !list.errors.contains("unknown variable"), "\(list.errors)")
  }

  @Test func settingsAreDocumented() throws {
    let help = try shell("hw help config").output
    let variables = try shell("hw help environment").output
    let names = try shell("hw config list --origin --tsv --no-header --fields name").output
    for name in names.split(separator: "\n").dropFirst() where !name.hasSuffix(".url") {
      let key = name.split(separator: ".").last ?? name
      let variable = "_\(key.uppercased().replacing("-", with: "_"))"
      let isListed = help.contains("\n  \(name) ") || help.contains("\n  \(name)\n")
      #expect(
        isListed || variables.contains("\(variable) ") || variables.contains("\(variable)\n"), "\(name)")
    }
  }
}
