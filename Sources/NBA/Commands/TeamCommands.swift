import Command
import Output
import System

extension NBA {
  static let teamSort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: TeamOrder.names), "Sort by a field",
    details: "Without it by name, which is the full name; teams alike in the field stand by it as well.")
  static let reverse = Option("reverse", "Turn the order round, whatever it is")
  static let conference = Option(
    "conference", ValueKind<String>.word(of: ["East", "West"]), "Show only the teams of a conference")
  static let division = Option(
    "division",
    ValueKind<String>.word(of: ["Atlantic", "Central", "Southeast", "Northwest", "Pacific", "Southwest"]),
    "Show only the teams of a division")
  static let historic = Option("historic", "Show the 15 teams that are gone as well")
  static let teamLimit = Option("limit", short: "n", .count(1 ... .max), "Show at most N teams")
  static let teamNames = WordSource("team-names", "the teams, by abbreviation") { _, _ in
    League.current.map { Choice($0.abbreviation, $0.fullName) }
  }
  static let teamOperand = Operand("TEAM", ValueKind<String>.text("TEAM", .words(teamNames)), "Which team")

  static let teams = Command(
    "teams", "List the teams",
    options: [teamSort, reverse, conference, division, historic, teamLimit] + access,
    output: .rows(Team.self),
    needs: [.network, .list],
    examples: [
      Example("hw nba teams --sort city", "the thirty teams, city by city"),
      Example(
        "hw nba teams --conference West --fields abbreviation --no-header", "what to call them in short"),
    ]
  ) { call, context throws(Failure) in
    let chosen = try client(call, context).teams().filter { team in
      (team.isCurrent || call[historic])
        && (call[conference].map { $0 == team.conference } ?? true)
        && (call[division].map { $0 == team.division } ?? true)
    }
    let sorted = TeamOrder.sorted(chosen, call[teamSort])
    try context.output.write((call[reverse] ? sorted.reversed() : sorted).prefix(call[teamLimit] ?? .max))
  }

  static let team = Command(
    "team", "Show one team",
    operands: [teamOperand], options: access,
    output: .one(Team.self),
    needs: [.network],
    examples: [
      Example("hw nba team lakers", "by its nickname"),
      Example("hw nba team 14 --json", "by its id, everything there is"),
      Example("hw nba team 'los angeles l' --fields abbreviation", "by a part of its name"),
      Example("hw nba team trail-blasers", "no such team: the nearest name is told", exits: 3),
    ],
    failures: [.conflict]
  ) { call, context throws(Failure) in
    try context.output.write(
      TeamSearch.find(call[teamOperand], among: client(call, context).teams()))
  }
}

/// The order of the list of teams. Texts compare by code points, so the order does not depend on the locale.
enum TeamOrder {
  static let names = ["name"] + Team.sortable.filter { $0 != "name" && $0 != "full_name" }

  /// By the given field, then by full name. `name` sorts by the full name, although the field of that name is the
  /// nickname: a reader looks for the Lakers between the Clippers and the Grizzlies.
  static func sorted(_ teams: [Team], _ order: SortOrder?) -> [Team] {
    let named = teams.sorted { a, b in
      a.fullName == b.fullName
        ? a.id < b.id : a.fullName.unicodeScalars.lexicographicallyPrecedes(b.fullName.unicodeScalars)
    }
    guard let order else { return named }
    guard order.field == "name" else { return order.sorted(named) }
    return order.sorted(named) { .text($0.fullName) }
  }
}

extension ValueKind where Value == String {
  /// One of these words, ignoring case.
  static func word(of words: [String]) -> ValueKind {
    ValueKind(
      words.joined(separator: "|"), wants: "one of \(words.joined(separator: ", "))", show: { $0 }
    ) { text in words.first { $0.lowercased() == text.lowercased() } }
  }
}
