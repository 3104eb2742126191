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

  @Test(arguments: [
    (
      "map", "bikes map --near 50.1195,8.6382 --radius 1800 --include-rented",
      "hw bikes map: free bikes around a place, in their colors"
    ),
    ("cards", "wordle scores --limit 4 --reveal", "hw wordle scores: cards with green and yellow tiles"),
    (
      "nodes", "nodes top --limit 6 --human --fields rank,alias,channels,capacity,country",
      "hw nodes top: a table of the nodes with the most channels"
    ),
  ])
  func outputIsAsDrawn(name: String, line: String, title: String) throws {
    let words = "\(line) --demo --color always --no-pager".split(separator: " ").map(String.init)
    let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
    let ran = Ran(.hw, words, environment: environment, time: FakeClock(), terminal: [.output], columns: 84)
    try #require(ran.status == 0, "\(ran.errors)")
    try hold(name, ran.output, title)
  }

  private func hold(_ name: String, _ text: String, _ title: String) throws {
    try RecordedText.hold("pictures/\(name).svg", to: Picture(text, title: title).svg)
  }
}
