import Output
import Testing

@testable import NBA

/// Within the suite one thing has one field name, and one field name one meaning.
@Suite struct FieldNameTests {
  private static let rows: [[Column]] = [
    Team.fields.map(\.column), Player.fields.map(\.column), PlayerCard.fields.map(\.column),
    GameRow.fields.map(\.column), Standing.fields.map(\.column), TeamRecord.fields.map(\.column),
  ]

  /// A team inside another row has the fields that it has in `hw nba teams`.
  @Test func teamsInsideOtherRows() {
    let team = Team.fields.map(\.column)
    for column in FieldNameTests.rows.joined() {
      let parts = column.path.split(separator: ".")
      guard parts.count == 2 else { continue }
      #expect(["team", "home_team", "visitor_team", "vs"].contains(parts[0]), "\(column.path)")
      #expect(team.contains { $0.path == parts[1] && $0.type == column.type }, "\(column.path)")
    }
  }

  @Test func aNameHasOneType() {
    let columns = Array(FieldNameTests.rows.joined())
    for column in columns {
      #expect(columns.allSatisfy { $0.path != column.path || $0.type == column.type }, "\(column.path)")
    }
  }
}
