import System
import Terminal
import TestSupport
import Testing

@testable import Bikes
@testable import Race
@testable import hw

/// The pictures of README are made from what the program shows.
@Suite(.needs(.libsqlite3)) struct PictureTests {
  @Test func raceIsAsDrawn() throws {
    var settings = RaceWatch.Settings()
    settings.retries = 1
    var film = try Film(RaceScreen(settings, startsAtOnce: true) { _ in }, columns: 64, rows: 14)
    func answer(_ response: RaceWatch.Response) throws {
      let request = try #require(film.requests.last)
      try film.complete(.success(RaceWatch.Reply(number: request.number, result: .success(response))), "")
    }
    try answer(.duration(RaceStart(length: .seconds(26)), nil))
    try answer(.standings(RaceStandings(bees: RaceCourse.bees), nil))
    try film.wait(.seconds(11))
    var bees = RaceCourse.bees
    bees.swapAt(0, 1)
    bees.swapAt(3, 5)
    try answer(.standings(RaceStandings(bees: bees), nil))
    try film.wait(.seconds(1))
    try hold(
      "race", film.frame, "hw race watch: the standings of a race, with a bar for the time that is left")
  }

  @Test func mapIsAsDrawn() throws {
    try hold(
      "map",
      try terminal(
        "bikes map --demo --near 50.1195,8.6382 --radius 1800 --include-rented --color always --no-pager"),
      "hw bikes map: free bikes around a place, in their colors")
  }

  @Test func cardsAreAsDrawn() throws {
    try hold(
      "cards", try terminal("wordle scores --demo --limit 4 --reveal --color always --no-pager"),
      "hw wordle scores: cards with green and yellow tiles")
  }

  @Test func rankingIsAsDrawn() throws {
    try hold(
      "nodes",
      try terminal(
        "nodes top --demo --limit 6 --human --fields rank,alias,channels,capacity,country --color always --no-pager"
      ),
      "hw nodes top: a table of the nodes with the most channels")
  }

  private func hold(_ name: String, _ text: String, _ title: String) throws {
    try RecordedText.hold("pictures/\(name).svg", to: Picture(text, title: title).svg)
  }

  private func terminal(_ line: String) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
    let ran = Ran(
      .hw, words, environment: environment, time: FakeClock(), terminal: [.output], columns: 84)
    try #require(ran.status == 0, "\(ran.errors)")
    return ran.output
  }
}
