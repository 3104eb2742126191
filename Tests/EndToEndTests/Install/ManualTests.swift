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

  /// Every page names the version, and refers to pages that there are.
  @Test func pagesReferToPages() throws {
    let pages = GeneratedFiles.pages.values
    let names = Set(pages.map(\.fileName))
    for page in pages {
      let lines = page.text.split(separator: "\n")
      #expect(lines.contains(".Os hw \(Program.hw.version)"))
      for line in lines where line.hasPrefix(".Xr ") || line.hasPrefix(".It Xr ") {
        let words = line.split(separator: " ").drop { $0 != ".Xr" && $0 != "Xr" }.dropFirst()
        #expect(names.contains("\(words[words.startIndex]).\(words[words.startIndex + 1])"), "\(line)")
      }
    }
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
      let page = "hw-\(name.replacingOccurrences(of: " ", with: "-"))"
      let text = try #require(GeneratedFiles.pages[page]).text
      let items = text.split(separator: "\n").filter { $0.hasPrefix(".It ") && $0.contains("Fl \\-") }
      #expect(Set(items).count == items.count, "\(name)")
      for option in command.options.map(\.declaration) {
        let spelling = option.spelling.dropFirst().replacingOccurrences(of: "-", with: "\\-")
        #expect(text.contains("Fl \(spelling)"), "\(option.spelling) in the page of '\(name)'")
      }
    }
  }
}
