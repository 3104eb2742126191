import JSON
import System
import TestSupport
import Testing

@testable import NBA

@Suite struct PlayersAsTheyAreSent {
  @Test func withIdAndNamesAlone() throws {
    let player = try Player(JSON.parse(#"{"id":666969,"first_name":"Luc","last_name":"James"}"#))
    #expect(player.id == 666969 && player.team == nil && player.weight == nil && player.draftYear == nil)
    let nulls = try Player(
      JSON.parse(
        #"{"id":1,"first_name":"","last_name":"X","position":null,"weight":null,"draft_year":null,"team":null}"#
      ))
    #expect(nulls.team == nil && nulls.position == nil)
  }

  @Test func withEverything() throws {
    let text = """
      {"id":237,"first_name":"LeBron","last_name":"James","position":"F","height":"6-9","weight":"250",\
      "jersey_number":"23","college":"St. Vincent-St. Mary HS (OH)","country":"USA","draft_year":2003,"draft_round":1,\
      "draft_number":1,"team":\(Sample.lakers)}
      """
    let player = try Player(JSON.parse(text))
    #expect(player.id == 237 && player.firstName == "LeBron" && player.lastName == "James")
    #expect(player.position == "F" && player.height == "6-9" && player.weight == "250")
    #expect(player.jerseyNumber == "23" && player.college == "St. Vincent-St. Mary HS (OH)")
    #expect(player.country == "USA" && player.team?.id == 14)
    #expect([player.draftYear, player.draftRound, player.draftNumber] == [2003, 1, 1])
    let answers: [ScriptedTransport] = [
      ScriptedTransport(.text(#"{"data":\#(text)}"#)), ScriptedTransport(.text(#"{"data":[\#(text)]}"#)),
    ]
    for service in answers { #expect(try service.client.player(237).lastName == "James") }
  }

  @Test(arguments: [
    ([], PlayerSearch.all), (["james"], .either("james")),
    (["lebron", "james"], .both(first: "lebron", last: "james")),
    (["lebron james"], .both(first: "lebron", last: "james")), ([" ", ""], .all),
    (["Luc", "Mbah", "a", "Moute"], .both(first: "Luc", last: "Mbah a Moute")),
  ])
  func searches(words: [String], search: PlayerSearch) {
    #expect(PlayerSearch(words) == search)
  }

  /// Case, accents and punctuation do not count; a service that ignores the search or the team is noticed.
  @Test(
    arguments: [
      (["doncic"], [], true), (["DONČIĆ"], [], true), (["luka", "doncic"], [], true), (["uk"], [14], true),
      (["james"], [], false), (["luka", "james"], [], false), ([], [2], false), (["doncic"], [2], false),
      (["ludoncic"], [], false), (["lukado"], [], true), (["l.u.k.a"], [], true),
      (["luka", "ka doncic"], [], true),
    ] as [([String], [Int], Bool)])
  func rowsThatDoNotMatchAreInvalidData(words: [String], teams: [Int], isMatch: Bool) throws {
    let row = #"{"id":1,"first_name":"Luka","last_name":"Dončić","team":\#(Sample.lakers)}"#
    let client = try ScriptedTransport(.text(#"{"data":[\#(row)],"meta":{}}"#)).client
    let failure = failure { _ = try client.players(PlayerSearch(words), teams: teams, PageRequest()) }
    #expect(failure?.kind == (isMatch ? nil : .invalidData))
  }

  @Test func aPlayerIsTheOneThatWasRequested() throws {
    let service = ScriptedTransport(.text(#"{"data":{"id":77,"first_name":"A","last_name":"B"}}"#))
    let failure = failure { try service.client.player(5) }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message == "'GET https://host/v1/players/5': the response is about another player: 77")
  }
}

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

  @Test(arguments: [
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
