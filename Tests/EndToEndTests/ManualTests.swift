import Foundation
import Testing

@testable import Command
@testable import hw

@Suite struct TheManual {
  /// Needs mandoc.
  @Test(.enabled(if: Installed.has("mandoc")), arguments: ManualPage.all(.hw).map(\.name))
  func isCleanMdoc(page: String) throws {
    let ending = try shell("mandoc -Tlint -W warning '\(GeneratedFiles.root.path)/man/\(page).1'")
    #expect(ending == Ending(status: 0))
  }

  /// Needs mandoc.
  @Test(.enabled(if: Installed.has("mandoc")), arguments: ManualPage.all(.hw).map(\.name))
  func isPrintedByHelp(page: String) throws {
    #expect(try shell("hw help --man \(page) | mandoc -Tmarkdown").output.contains("# NAME\n"))
  }

  @Test func everyOptionStandsOnceInHelpAndManual() throws {
    for (name, command) in Program.hw.allCommands {
      let words = name.split(separator: " ").map(String.init)
      let help = try Page.find(words, in: .hw).full()
      let hidden = StandardOptions.groups.filter { !command.needs.contains($0.needs) }
      let unsaid = Set(hidden.flatMap(\.options).map(\.name))
      for option in command.allOptions where !unsaid.contains(option.name) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let lines = help.split(separator: "\n").filter {
          $0.hasPrefix("  \(short)\(option.spelling) ") || $0 == "  \(short)\(option.spelling)"
        }
        #expect(lines.count == 1, "\(option.spelling) in the help of hw \(name)")
      }
    }
    for page in ManualPage.all(.hw) {
      let parts = page.text.components(separatedBy: "\n.Ss ")
      for part in parts {
        let items = part.split(separator: "\n").filter { $0.hasPrefix(".It ") && $0.contains("Fl \\-") }
        #expect(Set(items).count == items.count, "\(page.name): \(part.prefix(40))")
      }
      let suite = Program.hw.suites.first { "hw-\($0.name)" == page.name } ?? Program.hw.tools
      for option in suite.commands.flatMap(\.options).map(\.declaration) {
        let name = option.spelling.dropFirst().replacingOccurrences(of: "-", with: "\\-")
        #expect(page.text.contains("Fl \(name)"), "\(option.spelling) in \(page.name)(1)")
      }
    }
  }
}
