import System

@testable import Command

/// What is promised of a kind of command, and of an option wherever it stands. The kind follows from what the command
/// prints and from what its texts say it does, so that a mark which was forgotten is a problem too.
extension TableLint {
  // MARK: Lists

  /// A command that is summed up as a list declares one, and the options of lists are declared nowhere else.
  static func lists(_ program: Program) -> [String] {
    entries(program).flatMap { entry -> [String] in
      var problems: [String] = []
      let list = entry.command.output.list
      if entry.command.summary.wholeMatch(of: /(List|Rank|Search|Count)\b.*/) != nil, list == nil {
        problems.append("'\(entry.name)' is summed up as a list, but declares none")
      }
      if list == nil {
        for option in [
          ListOptions.sort.declaration, ListOptions.limit.declaration, ListOptions.filter.declaration,
        ] where entry.own.contains(where: { $0.name == option.name }) {
          problems.append("'\(entry.name)' has '--\(option.name)', but declares no list")
        }
      }
      if let key = list?.key, !entry.command.output.columns.contains(where: { $0.path == key }) {
        problems.append("the rows of '\(entry.name)' have no field '\(key)', their key")
      }
      if list?.watch != nil, list?.key == nil {
        problems.append("'\(entry.name)' is watched, but its rows have no key")
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
    ) != nil
  }

  // MARK: One option, one meaning

  /// What has one name in two commands is one thing: its value is called the same, and it is summed up in the same
  /// words. These are not, for a reason.
  private static let exceptions: [String: String] = [
    "all": "it takes back what the command leaves out: rented bikes, earlier seasons",
    "by": "each ranking has orders of its own",
    "interactive": "it says what there is to do on the screen: a map is not a row of cards",
    "keep": "'hw nodes snapshot' keeps N of each ranking, 'hw race delete' N races",
    "player": "a player of basketball has an id, one who shares scores a name",
    "token-file": "'hw users add' stores the token that the other commands send",
  ]

  static func meanings(_ program: Program) -> [String] {
    var problems: [String] = []
    var known: [String: (owner: String, option: OptionDeclaration)] = [:]
    for entry in entries(program) {
      for option in entry.own {
        guard let first = known[option.name] else {
          known[option.name] = (entry.name, option)
          continue
        }
        guard exceptions[option.name] == nil else { continue }
        if first.option.value?.valueName != option.value?.valueName {
          problems.append(
            "the value of '--\(option.name)' has another name in \(entry.name) than in \(first.owner)")
        }
        if first.option.summary != option.summary {
          problems.append("'--\(option.name)' is summed up otherwise in \(entry.name) than in \(first.owner)")
        }
      }
    }
    return problems
  }
}
