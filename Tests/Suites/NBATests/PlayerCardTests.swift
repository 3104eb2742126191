import JSON
import Testing

@testable import NBA

/// A player as text: all values stand in one column, and what is not known is a dash.
@Suite struct PlayerCards {
  @Test func valuesStandInOneColumn() throws {
    let text =
      #"{"id":7,"first_name":"Ann","last_name":"Lee","draft_year":2003,"draft_round":1,"college":"A\tB","weight":" "}"#
    let show = try #require(PlayerCard.text)
    #expect(
      show(PlayerCard(player: try Player(JSON.parse(text))), nil) == """
        Name      Ann Lee
        Id        7
        Team      -
        Position  -
        Number    -
        Height    -
        Weight    -
        College   A\u{FFFD}B
        Country   -
        Draft     2003, round 1
        """)
  }

  @Test(
    arguments: [
      ("", "-"), (#","draft_year":2003"#, "2003"), (#","draft_year":2003,"draft_number":5"#, "2003, pick 5"),
      (#","draft_year":2003,"draft_round":2,"draft_number":5"#, "2003, round 2, pick 5"),
    ])
  func drafts(members: String, draft: String) throws {
    let text = #"{"id":7,"first_name":"Ann","last_name":"Lee"\#(members)}"#
    let show = try #require(PlayerCard.text)
    let card = show(PlayerCard(player: try Player(JSON.parse(text))), nil)
    #expect(card.hasSuffix("\nDraft     \(draft)"))
  }
}
