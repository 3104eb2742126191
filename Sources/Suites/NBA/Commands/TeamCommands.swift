import Command
import Output
import System

extension NBA {
  static let conference = Option(
    "conference", ValueKind<String>.word(of: Team.conferences), "List only teams of a conference")
  static let historic = Option("historic", "List the 15 former teams too")
  static let teamNames = WordSource { _, _ in
    League.current.map { Choice($0.abbreviation, $0.fullName) }
  }
  static let teamOperand = Operand(
    "TEAM", ValueKind<String>.text("TEAM", .words(teamNames)), "A name, an abbreviation or an id")

  static let teams = Command(
    "teams", "List the teams",
    options: [conference, historic] + access,
    output: .list(Team.self, order: "by full name"),
    needs: [.network],
    examples: [
      Example("hw nba teams --sort city", "the teams by city"),
      Example(
        "hw nba teams --conference West --fields abbreviation --no-header",
        "the abbreviations of a conference"),
    ]
  ) { call, context throws(Failure) in
    let chosen = try client(call, context).teams().filter { team in
      (team.isCurrent || call[historic])
        && (call[conference].map { $0 == team.conference } ?? true)
    }
    try context.output.write(
      chosen.sorted { a, b in
        a.fullName == b.fullName
          ? a.id < b.id : a.fullName.unicodeScalars.lexicographicallyPrecedes(b.fullName.unicodeScalars)
      })
  }

  static let team = Command(
    "team", "Show a team",
    operands: [teamOperand], options: access,
    output: .one(Team.self),
    needs: [.network],
    examples: [
      Example("hw nba team lakers", "by nickname"),
      Example("hw nba team 14 --json", "by id"),
      Example("hw nba team 'los angeles l' --fields abbreviation", "by a part of the name"),
    ]
  ) { call, context throws(Failure) in
    try context.output.write(
      TeamSearch.find(call[teamOperand], among: client(call, context).teams()))
  }
}

extension ValueKind where Value == String {
  /// A value that is one of these words, ignoring case.
  static func word(of words: [String]) -> ValueKind {
    ValueKind(
      words.joined(separator: "|"), expects: "one of \(words.joined(separator: ", "))",
      choices: words.map { Choice($0, "the teams of \($0)") }
    ) { text in words.first { $0.lowercased() == text.lowercased() } }
  }
}
