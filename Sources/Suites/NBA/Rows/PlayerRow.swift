import Output
import System
import Terminal

extension Player: Row {
  static let fields: Fields<Player> = shown + hidden.map(\.hiddenByDefault)

  private static let shown: Fields<Player> = [
    .integer("id", "Id", "the id for 'hw nba player'") { $0.id },
    .text("first_name", "First name", "first name") { $0.firstName },
    .text("last_name", "Last name", "last name") { $0.lastName },
    Field.text("team.full_name", "Team", "the player's team", orNull: { $0.team?.fullName })
      .compared(to: { $0.team?.names }),
  ]

  private static let hidden: Fields<Player> = [
    .text("position", "Position", "G, F, C or two of them", orNull: { $0.position }).among(Player.positions),
    .text("height", "Height", "feet and inches", orNull: { $0.height }).measured(by: .height),
    .text("weight", "Weight", "pounds", orNull: { $0.weight }).measured(by: .weight),
    Field.text("jersey_number", "No.", "the jersey number", orNull: { $0.jerseyNumber }).aligningNumbers,
    .text("college", "College", "the college, or the last team before the league", orNull: { $0.college }),
    .text("country", "Country", "the country of origin", orNull: { $0.country }),
    .integer("draft_year", "Drafted", "the year of the draft", orNull: { $0.draftYear }),
    .integer("draft_round", "Round", "the round of the draft", orNull: { $0.draftRound }),
    .integer("draft_number", "Pick", "the number in the draft", orNull: { $0.draftNumber }),
    .integer("team.id", "Team id", "the team's id", orNull: { $0.team?.id }),
    .text("team.abbreviation", "Team abbr", "the team's abbreviation", orNull: { $0.team?.abbreviation }),
    .text("team.city", "Team city", "the team's city", orNull: { $0.team?.city }),
    .text("team.name", "Team name", "the team's nickname", orNull: { $0.team?.name }),
    .text("team.conference", "Conference", "the team's conference", orNull: { $0.team?.conference })
      .among(Team.conferences),
    .text("team.division", "Division", "the team's division", orNull: { $0.team?.division })
      .among(Team.divisions),
  ]
}

extension Scale {
  /// Pounds, with their unit as on the page of a player.
  fileprivate static let weight = Scale("a weight in pounds (210)") { text in
    Int64(text.hasSuffix(" lb") ? String(text.dropLast(3)) : text)
  }

  /// Inches.
  fileprivate static let height = Scale("a height in feet and inches (6-9)") { text in
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let feet = parts[0], let inches = parts[1], (1...9).contains(feet),
      (0...11).contains(inches)
    else { return nil }
    return feet * 12 + inches
  }
}

struct PlayerCard: Row {
  let player: Player
  /// Requested for the text format only; nil for a player without a team.
  var season: TeamSeason?

  static let fields: Fields<PlayerCard> = Player.fields.map { $0.of(\.player) }

  static let text: (@Sendable (PlayerCard, Screen?) -> String)? = { card, _ in
    let player = card.player
    let draft = player.draftYear.map { year in
      let round = player.draftRound.map { ", round \($0)" } ?? ""
      return "\(year)\(round)\(player.draftNumber.map { ", pick \($0)" } ?? "")"
    }
    let lines: [(String, String?)] = [
      ("Name", "\(player.firstName) \(player.lastName)"), ("Id", String(player.id)),
      ("Team", player.team.map { "\($0.fullName) (\($0.abbreviation))" }), ("Position", player.position),
      ("Number", player.jerseyNumber), ("Height", player.height),
      ("Weight", player.weight.flatMap { $0.isBlank ? nil : "\($0) lb" }),
      ("College", player.college), ("Country", player.country), ("Draft", draft),
    ]
    let details = lines.map { title, value in
      title + String(repeating: " ", count: 10 - title.count) + (value?.terminalSafe ?? "-")
    }
    return (details + (card.season?.lines ?? [])).joined(separator: "\n")
  }
}
