import Output

extension Team: Row {
  static let fields: Fields<Team> = [
    Field.integer("id", "Id", "the service's id") { $0.id }.hiddenByDefault,
    .text("full_name", "Team", "city and nickname") { $0.fullName },
    Field.text("city", "City", "the city") { $0.city }.shown { .dashIfEmpty($0.city) },
    Field.text("conference", "Conference", "East or West; spaces for a historic team") { $0.conference }
      .among(Team.conferences).shown { .dashIfEmpty($0.conference) },
    Field.text("division", "Division", "the division; three per conference") { $0.division }
      .among(Team.divisions).shown { .dashIfEmpty($0.division) }.hiddenByDefault,
    Field.text("name", "Nickname", "the name without the city") { $0.name }.hiddenByDefault,
    Field.text("abbreviation", "Abbr", "two or three letters") { $0.abbreviation }.hiddenByDefault,
  ]
}

extension TableCell {
  static func dashIfEmpty(_ text: String) -> TableCell {
    text.isBlank ? TableCell(.null) : TableCell(text)
  }
}
