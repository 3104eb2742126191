import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

@Suite(.ownThread) struct ManualPages {
  /// Needs mandoc.
  @Test(.needs(.mandoc))
  func pagesPassMandoc() throws {
    let ending = try shell("cd '\(GeneratedFiles.root.path)/man' && mandoc -Tlint -W warning *")
    #expect(ending == Ending(status: 0))
  }

  /// Needs mandoc. Pages that refer to one another are found, and every one names the version.
  @Test(.needs(.mandoc))
  func helpPrintsPages() throws {
    let ending = try shell(
      """
      mkdir man1 man7 && for page in $(hw help --pages); do
        hw help --man ${page%.*} >man${page##*.}/$page && mandoc -Tmarkdown man${page##*.}/$page |
          grep -q '^hw 0' || echo "$page has no version"
      done
      cat man?/* | sed -n 's/^[.]It Xr \\([^ ]*\\) \\([17]\\).*/\\1.\\2/p; s/^[.]Xr \\([^ ]*\\) \\([17]\\).*/\\1.\\2/p' |
        sort -u | while read -r page; do [ -e man${page##*.}/$page ] || echo "no $page"; done
      """)
    #expect(ending == Ending(status: 0))
  }

  /// 24 lines are a terminal of the usual size.
  @Test(arguments: Program.hw.allCommands.map(\.name))
  func shortHelpFitsOneScreen(name: String) throws {
    let page = try Page.find(name.split(separator: " ").map(String.init), in: .hw)
    let lines = page.short().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= (name == "serve" ? 40 : 24))
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.last == "See 'hw \(name) --help' for more.")
  }

  /// The help has the options of the command itself, and the manual also the inherited ones.
  @Test func everyOptionIsInHelpAndManualOnce() throws {
    for (name, command) in Program.hw.allCommands {
      let words = name.split(separator: " ").map(String.init)
      let help = try Page.find(words, in: .hw).full()
      let inherited = Set((command.output.list?.options ?? []).map(\.name) + ["token-file"])
      for option in command.options.map(\.declaration) where !inherited.contains(option.name) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let lines = help.split(separator: "\n").filter {
          $0.hasPrefix("  \(short)\(option.spelling) ") || $0 == "  \(short)\(option.spelling)"
        }
        #expect(lines.count == 1, "\(option.spelling) in the help of hw \(name)")
      }
    }
    for (name, command) in Program.hw.allCommands {
      let text = try ManualPage.named("hw-\(name.replacingOccurrences(of: " ", with: "-"))", in: .hw).text
      let items = text.split(separator: "\n").filter { $0.hasPrefix(".It ") && $0.contains("Fl \\-") }
      #expect(Set(items).count == items.count, "\(name)")
      for option in command.options.map(\.declaration) {
        let spelling = option.spelling.dropFirst().replacingOccurrences(of: "-", with: "\\-")
        #expect(text.contains("Fl \(spelling)"), "\(option.spelling) in the page of '\(name)'")
      }
    }
  }
}
