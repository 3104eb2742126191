import Output
import System

@testable import Command

/// What is promised of a kind of command, and of an option wherever it stands. The kind follows from what the command
/// prints and from what its texts say it does, so that a mark which was forgotten is a problem too.
extension TableLint {
  // MARK: Lists

  /// Whoever gets a list may order and cut it, and every answer of rows says whether it is one.
  static func lists(_ program: Program) -> [String] {
    entries(program).flatMap { entry -> [String] in
      let needs = entry.command.needs
      let names = Set(entry.own.map(\.name))
      var problems: [String] = []
      func want(_ name: String) {
        if !names.contains(name) {
          problems.append("'\(entry.name)' has no '--\(name)', but its answer is a list")
        }
      }
      let kinds = [Needs.list, .pages, .report].filter(needs.contains)
      if case .rows = entry.command.output, kinds.count != 1 {
        problems.append("'\(entry.name)' prints rows: they are one of a list, pages and a report")
      }
      if case .plain = entry.command.output, !kinds.isEmpty {
        problems.append("'\(entry.name)' prints no rows, and so no list")
      }
      if entry.command.summary.wholeMatch(of: /(List|Rank|Search|Count)\b.*/) != nil,
        !needs.contains(.list), !needs.contains(.pages)
      {
        problems.append("'\(entry.name)' is summed up as a list, but is none")
      }
      // Rows of the input's are a list as well.
      let isList = needs.contains(.list) || entry.command.output.shape == .anything
      if isList || needs.contains(.pages) { want("limit") }
      if isList { want("sort") }
      if !isList, names.contains("sort") {
        problems.append("'\(entry.name)' has '--sort', but its answer is no list")
      }
      return problems
    }
  }

  // MARK: Losses

  /// Nothing is lost without a question, and what its texts call a removal is a loss.
  static func losses(_ program: Program) -> [String] {
    entries(program).flatMap { entry -> [String] in
      let names = Set(entry.own.map(\.name))
      guard entry.command.needs.contains(.loss) else {
        var problems: [String] = []
        if names.contains("yes") { problems.append("'\(entry.name)' has '--yes', but nothing is lost by it") }
        for summary in [entry.command.summary] + entry.own.map(\.summary) where removes(summary) {
          problems.append("'\(entry.name)' says '\(summary)', but not that something is lost by it")
        }
        return problems
      }
      return ["yes", "dry-run"].filter { !names.contains($0) }.map {
        "'\(entry.name)' has no '--\($0)', but something is lost by it"
      }
    }
  }

  private static func removes(_ summary: String) -> Bool {
    summary.wholeMatch(
      of:
        /(Clear|Delete|Discard|Drop|Empty|Erase|Forget|Purge|Remove|Reset)\b.*|(Take|Put)\b.*\b(out|back)\b.*/
    )
      != nil
  }

  // MARK: One option, one meaning

  private struct Phrase {
    let wants: String
    let fits: @Sendable (String) -> Bool

    init(_ wants: String, fits: @escaping @Sendable (String) -> Bool) {
      self.wants = wants
      self.fits = fits
    }
  }

  /// The options that say what they are of: `--limit` counts nodes here and games there.
  private static let kinds = [
    "limit": Phrase("Show at most N THINGS") { $0.wholeMatch(of: /Show at most N( [a-z]+)?/) != nil },
    "sort": Phrase("Sort by ...") { $0.hasPrefix("Sort by ") },
  ]

  /// What has one name in two commands is one thing: its value is called the same, and it is summed up in the same
  /// words. These are not, for a reason.
  private static let exceptions: [String: String] = [
    "all": "it takes back what the command leaves out: rented bikes, earlier seasons, games of one player",
    "interactive": "it says what there is to do on the screen: a map is not a row of cards",
    "list": "'hw help' lists its commands, 'hw wordle scores' its games without cards",
    "player": "a player of basketball has an id, one who shares scores a name",
    "token-file": "'hw serve' wants the token that everybody else gives",
  ]

  static func meanings(_ program: Program) -> [String] {
    var problems: [String] = []
    var known: [String: (owner: String, option: OptionDeclaration)] = [:]
    for entry in entries(program) {
      for option in entry.own {
        if option.hidesStandard, !option.details.contains("Here --\(option.name) is this option") {
          problems.append("'\(entry.name) --\(option.name)' hides the standard option, and does not say so")
        }
        if let standard = option.letterOf, !option.details.contains("--\(standard) is written out") {
          problems.append(
            "'\(entry.name) --\(option.name)' has the letter of --\(standard), and does not say so")
        }
        if let kind = kinds[option.name], !kind.fits(option.summary) {
          problems.append("'\(entry.name) --\(option.name)' is summed up otherwise than '\(kind.wants)'")
        }
        guard !option.hidesStandard else { continue }
        guard let first = known[option.name] else {
          known[option.name] = (entry.name, option)
          continue
        }
        guard exceptions[option.name] == nil else { continue }
        if first.option.value?.valueName != option.value?.valueName {
          problems.append(
            "the value of '--\(option.name)' has another name in \(entry.name) than in \(first.owner)")
        }
        if kinds[option.name] == nil, first.option.summary != option.summary {
          problems.append("'--\(option.name)' is summed up otherwise in \(entry.name) than in \(first.owner)")
        }
      }
    }
    return problems
  }
}
