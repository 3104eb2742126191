import System
import Terminal
import Testing

@testable import Wordle

/// A browser as a person meets it: keys go in, a screen comes out.
private struct Session {
  var browser: ScoreBrowser
  var time = Duration.zero

  init(
    _ scores: [Score], columns: Int = 50, rows: Int = 20, color: Bool = false, isAnimated: Bool = false
  ) throws {
    browser = ScoreBrowser(scores, style: BrowserStyle(color: color, isAnimated: isAnimated))
    try resize(columns, rows)
  }

  mutating func resize(_ columns: Int, _ rows: Int) throws {
    _ = try browser.handle(.resized(WindowSize(columns: columns, rows: rows)), at: time)
  }

  @discardableResult
  mutating func press(_ keys: Key...) throws -> Bool {
    for key in keys {
      if case .leave = try browser.handle(.key(key), at: time) { return false }
    }
    return true
  }

  mutating func click(_ row: Int, _ column: Int) throws {
    try press(.mouse(Mouse(.press, row: row, column: column)))
  }

  mutating func wait(_ milliseconds: Int) throws {
    time += .milliseconds(milliseconds)
    _ = try browser.handle(.tick, at: time)
  }

  var canvas: Canvas {
    var canvas = Canvas(browser.size)
    browser.draw(on: &canvas)
    return canvas
  }

  var screen: [String] { canvas.lines }
}

@Suite struct Browser {
  private let scores = [
    game(3, "at", "to", "at"), game(2, "on", "no", "so", "on"), game(1, "up", "it"),
  ]

  @Test func beforeTheSizeIsKnownItIsTheUsualOne() {
    let browser = ScoreBrowser(scores, style: BrowserStyle())
    #expect(browser.size == WindowSize(columns: 80, rows: 24) && browser.alarm == nil)
    var canvas = Canvas(browser.size)
    browser.draw(on: &canvas)
    #expect(canvas.lines[2].hasPrefix("Wordle 3 2/6 "))
  }

  @Test func showsCardsWithTheirLettersHidden() throws {
    let session = try Session(scores, rows: 9)
    #expect(
      session.screen == [
        "Wordle scores                               1 of 3", "",
        "Wordle 3 2/6     Wordle 2 3/6     Wordle 1 X/6", "2021-06-22       2021-06-21       2021-06-20",
        "( ) ·            ( )( )            ·  ·", "[ ][ ]            · ( )", "                 [ ][ ]", "",
        "q quit  ? help  space turn  ⏎ card  r all  / find",
      ])
    #expect(session.canvas.cursor == .init(row: 4, column: 1))
  }

  @Test func spaceTurnsALetterOverAndBack() throws {
    var session = try Session(scores)
    try session.press(.character(" "))
    #expect(session.screen[4].hasPrefix("(T) ·  "))
    try session.press(.character(" "))
    #expect(session.screen[4].hasPrefix("( ) ·  "))
  }

  @Test func aTapRevealsTheLettersOfAScore() throws {
    var session = try Session(scores)
    // On a letter, on the title, on the day and beside the tries.
    for (row, column) in [(5, 21), (2, 20), (3, 17), (4, 28)] {
      try session.click(row, column)
      #expect(session.screen[4] == "( ) ·            (N)(O)            ·  ·")
      #expect(session.screen[5] == "[ ][ ]            S (O)")
      #expect(session.browser.selected.card == 1)
      try session.click(row, column)
      #expect(session.screen[5] == "[ ][ ]            · ( )")
    }
    // Between cards and outside: nothing.
    let before = session.screen
    for (row, column) in [(0, 0), (4, 15), (2, 14), (8, 1), (19, 0), (500, 500)] {
      try session.click(row, column)
      try session.press(.mouse(Mouse(.release, row: 5, column: 21)))
      #expect(session.screen == before, "row \(row), column \(column)")
    }
  }

  @Test func aCardAndAllOfThem() throws {
    var session = try Session(scores)
    try session.press(.character(" "), .enter)
    #expect(session.screen[4].hasPrefix("(T) O "))
    #expect(session.screen[5].hasPrefix("[A][T]            · ( )"))
    try session.press(.enter)
    #expect(session.screen[5].hasPrefix("[ ][ ]"))
    try session.press(.character("r"))
    #expect(session.screen[3] == "2021-06-22       2021-06-21       2021-06-20 UP")
    #expect(session.screen[5] == "[A][T]            S (O)")
    try session.press(.character("R"))
    #expect(session.screen[5] == "[ ][ ]            · ( )")
  }

  @Test(
    "Keys and where they lead",
    arguments: [
      ([Key.right], (0, 0, 1)), ([.right, .right], (1, 0, 0)), ([.left], (0, 0, 0)), ([.down], (0, 1, 0)),
      ([.character("l"), .character("l"), .character("h")], (0, 0, 1)),
      ([.character("j"), .character("k")], (0, 0, 0)),
      ([.end], (2, 0, 0)), ([.end, .home], (0, 0, 0)), ([.tab, .tab, .tab], (2, 0, 0)),
      ([.tab, .backTab], (0, 0, 0)),
      ([.tab, .down, .down, .right, .right], (2, 0, 0)), ([.end, .left], (1, 0, 1)), ([.up], (0, 0, 0)),
      ([.pageDown], (2, 0, 0)), ([.pageDown, .pageUp], (0, 0, 0)), ([.function(5), .alt("x")], (0, 0, 0)),
    ] as [([Key], (Int, Int, Int))])
  func moves(keys: [Key], cell: (Int, Int, Int)) throws {
    var session = try Session(scores)
    for key in keys { try session.press(key) }
    #expect(session.browser.selected == .init(card: cell.0, row: cell.1, column: cell.2))
  }

  @Test func aNarrowScreenStacksTheCardsAndFollows() throws {
    var session = try Session(scores)
    try session.resize(20, 9)
    #expect(session.screen[2...6].joined(separator: "|") == "Wordle 3 2/6|2021-06-22|( ) ·|[ ][ ]|")
    try session.press(.down, .down)
    #expect(session.browser.selected.card == 1)
    #expect(session.screen.contains("Wordle 2 3/6"))
    try session.press(.down, .down, .down)
    #expect(session.screen.contains("Wordle 1 X/6"))
    try session.press(.mouse(Mouse(.wheelUp, .none, row: 0, column: 0)))
    #expect(session.screen.contains("Wordle 2 3/6"))
    try session.resize(50, 20)
    #expect(session.screen[2] == "Wordle 3 2/6     Wordle 2 3/6     Wordle 1 X/6")
  }

  @Test func aWindowThatGrowsShowsTheCardsAbove() throws {
    var session = try Session((1...7).map { game($0, "at", "at") }, columns: 20, rows: 12)
    try session.press(.end)
    #expect(!session.screen.contains { $0.hasPrefix("Wordle 1 ") })
    try session.resize(20, 40)
    #expect(session.screen[2].hasPrefix("Wordle 1 "))
  }

  @Test("No size is too small", arguments: [(10, 3), (1, 1), (3, 2), (2, 40), (200, 1), (0, 0)])
  func small(columns: Int, rows: Int) throws {
    var session = try Session([game(1, "nymph", "train", "nymph")], columns: columns, rows: rows)
    for key in [
      Key.down, .end, .right, .right, .right, .right, .character(" "), .character("?"), .enter,
      .character("/"), .character("x"), .enter, .character("R"),
    ] {
      try session.press(key)
      #expect(session.screen.count == rows)
    }
  }

  @Test func tenByThreeStillShowsTheSelectedCell() throws {
    var session = try Session([game(1, "nymph", "train", "nymph")], columns: 10, rows: 3)
    #expect(session.screen == ["Wordle 1 2", "2021-06-20", " ·  ·  ·"])
    try session.press(.down, .right, .right, .right, .right, .character(" "))
    #expect(session.screen.last?.hasSuffix("[H]") == true)
  }

  @Test func aScreenOfOneLineShowsTheSelectedRow() throws {
    var session = try Session([game(1, "nymph", "train", "nymph")], columns: 15, rows: 1)
    #expect(session.screen == [" ·  ·  ·  · ( )"])
    try session.press(.down)
    #expect(session.screen == ["[ ][ ][ ][ ][ ]"])
  }

  @Test(arguments: [1, 2]) func theCursorStaysOnANarrowScreen(columns: Int) throws {
    var session = try Session(scores, columns: columns, rows: 20)
    #expect(session.canvas.cursor == .init(row: 4, column: 0))
    try session.press(.character("/"))
    #expect(session.canvas.cursor == .init(row: 19, column: columns - 1))
  }

  @Test(
    "What is looked for is found, from the next card on and round",
    arguments: [("on", 1), ("UP", 2), ("1", 2), ("2021-06-22", 0), ("a", 0), ("zzz", 0), ("", 0)])
  func search(text: String, card: Int) throws {
    var session = try Session(scores)
    try session.press(.character("/"))
    for character in text { try session.press(.character(character)) }
    #expect(session.screen.last == "/\(text)")
    try session.press(.enter)
    #expect(session.browser.selected.card == card)
    #expect((session.screen.last == "no game has 'zzz'") == (text == "zzz"))
  }

  @Test func theSelectedCardIsFoundLast() throws {
    var session = try Session(scores)
    let hints = session.screen.last
    try session.press(.character("/"), .paste("at"), .enter)
    #expect(session.browser.selected.card == 0 && session.screen.last == hints)
  }

  @Test func aSearchIsEditedGivenUpAndRepeated() throws {
    var session = try Session(scores)
    try session.press(.character("/"), .paste("2021"), .character("x"), .backspace)
    #expect(session.screen.last == "/2021")
    #expect(session.canvas.cursor == .init(row: 19, column: 5))
    try session.press(.enter, .character("n"))
    #expect(session.browser.selected.card == 2)
    try session.press(.character("/"), .character("q"), .escape, .character("/"), .backspace)
    #expect(session.browser.mode == .cards)
  }

  @Test func helpAndTheWayOut() throws {
    var session = try Session(scores)
    try session.press(.character("?"))
    #expect(session.screen[0] == "arrows, h j k l       move, cell by cell")
    #expect(try session.press(.character("q")))
    #expect(session.browser.mode == .cards)
    #expect(try !session.press(.character("q")))
  }

  @Test func aTurnIsDrawnInSteps() throws {
    var session = try Session(scores, isAnimated: true)
    try session.press(.character(" "))
    #expect(session.screen[4].hasPrefix("▄▄▄ · "))
    #expect(session.browser.alarm == .milliseconds(50))
    try session.wait(50)
    #expect(session.screen[4].hasPrefix("━━━ · "))
    try session.wait(50)
    #expect(session.screen[4].hasPrefix("▀▀▀ · "))
    try session.wait(50)
    #expect(session.screen[4].hasPrefix("(T) · "))
    #expect(session.browser.alarm == nil)
  }

  @Test func colours() throws {
    var session = try Session(scores, color: true)
    let green = Style("1;38;2;255;255;255;48;2;83;141;78")
    #expect(session.canvas[row: 5, column: 0].style == green)
    #expect(session.screen[4].hasPrefix("› ‹"))
    try session.press(.character("r"))
    #expect(session.screen[4].hasPrefix("›T‹ O"))
  }

  @Test func noScores() throws {
    var session = try Session([])
    #expect(session.screen[2] == "no scores")
    try session.press(.down, .pageDown, .end, .character(" "), .character("r"), .character("R"), .tab)
    try session.click(3, 3)
    try session.press(
      .character("/"), .character("x"), .enter, .mouse(Mouse(.wheelDown, .none, row: 0, column: 0)))
    #expect(try !session.press(.character("q")))
  }

  @Test func aGameWithoutTriesHasNothingToTurn() throws {
    var session = try Session([game(2, "on"), game(1, "up", "it")])
    try session.press(.character(" "), .character("r"), .down, .right, .right)
    #expect(session.browser.selected == .init(card: 1, row: 0, column: 1))
    try session.press(.left, .left)
    #expect(session.browser.selected == .init(card: 0, row: 0, column: 0))
  }

  /// The word that was not found is told when every letter is shown, and a game without tries has none.
  @Test func aGameWithoutTriesTellsNoWord() throws {
    var session = try Session([game(2, "on"), game(1, "up", "it")])
    try session.press(.character("r"))
    #expect(session.screen[3] == "2021-06-21       2021-06-20 UP")
    try session.press(.tab, .character(" "))
    #expect(session.screen[3] == "2021-06-21       2021-06-20")
  }

  /// There is no letter that it could have turned: the next key for all hides them.
  @Test func aGameWithoutTriesHasNoLetterToTurn() throws {
    var session = try Session([game(2, "on"), game(1, "up", "it")])
    try session.press(.character("r"), .character(" "), .character("r"))
    #expect(session.screen[3] == "2021-06-21       2021-06-20")
  }

  @Test func theSelectedCardAndCellStandOut() throws {
    var session = try Session(scores)
    try session.press(.tab)
    #expect(session.canvas[row: 2, column: 0].style == .bold)
    #expect(session.canvas[row: 2, column: 17].style == .bold + .underlined)
    #expect(session.canvas[row: 4, column: 0].style == .plain)
    #expect(session.canvas[row: 4, column: 17].style == .reversed)
  }

  @Test func onlyTheLeftButtonTurns() throws {
    var session = try Session(scores)
    let before = session.screen
    try session.press(.mouse(Mouse(.press, .right, row: 5, column: 21)))
    #expect(session.screen == before && session.browser.selected.card == 0)
  }

  @Test func anyKeyClosesTheHelpAndDoesNothingElse() throws {
    var session = try Session(scores)
    try session.press(.character("?"), .right)
    #expect(session.browser.mode == .cards && session.browser.selected.column == 0)
  }

  @Test func aNoteStaysUntilTheNextKey() throws {
    var session = try Session(scores)
    let hints = session.screen.last
    try session.press(.character("n"))
    #expect(session.screen.last == hints)
    try session.press(.character("/"), .paste("on"), .enter)
    // A search that was given up is not repeated.
    try session.press(.character("/"), .paste("zz"), .escape, .character("n"))
    #expect(session.screen.last == hints && session.browser.selected.card == 1)
    try session.press(.character("/"), .paste("ZZ"), .enter)
    #expect(session.screen.last == "no game has 'ZZ'")
    try session.wait(10)
    #expect(session.screen.last == "no game has 'ZZ'")
    try session.press(.tab)
    #expect(session.screen.last == hints)
  }

  @Test func theCursorOfALongSearchStaysOnTheScreen() throws {
    var session = try Session(scores, columns: 5, rows: 4)
    try session.press(.character("/"), .paste("abc"))
    #expect(session.canvas.cursor == .init(row: 3, column: 4))
    try session.press(.paste("defgh"))
    #expect(session.screen.last == "/abcd")
    #expect(session.canvas.cursor == .init(row: 3, column: 4))
  }
}

/// Seven cards of four lines each, the gap included.
@Suite struct BrowserPages {
  private let scores = (1...7).reversed().map { game($0, "at", "at") }

  @Test(
    "A page is what the window holds, one row of cards at least",
    arguments: [
      (20, 9, [1, 2]), (20, 10, [1, 2]), (20, 11, [2, 4]), (20, 12, [2, 4]), (28, 12, [4, 6]),
      (28, 4, [2, 4]),
      (44, 9, [3, 6]),
    ])
  func pages(columns: Int, rows: Int, cards: [Int]) throws {
    var session = try Session(scores, columns: columns, rows: rows)
    for card in cards {
      try session.press(.pageDown)
      #expect(session.browser.selected.card == card)
    }
    try session.press(.end, .pageUp)
    #expect(session.browser.selected.card == 6 - cards[0])
  }

  @Test func theWheelMovesByARow() throws {
    var session = try Session(scores, columns: 28, rows: 12)
    let (down, up) = (Mouse(.wheelDown, .none, row: 0, column: 0), Mouse(.wheelUp, .none, row: 0, column: 0))
    try session.press(.mouse(down), .mouse(down))
    #expect(session.browser.selected.card == 4)
    try session.press(.mouse(up))
    #expect(session.browser.selected.card == 2)
  }

  @Test func aLowScreenHasCardsAlone() throws {
    let low = try Session(scores, columns: 60, rows: 5)
    #expect(low.screen[0].hasPrefix("Wordle 7 1/6"))
    #expect(low.screen[4].hasPrefix("Wordle 3 1/6") && !low.screen[4].contains("q quit"))
    let high = try Session(scores, columns: 60, rows: 6)
    #expect(high.screen[0].hasPrefix("Wordle scores ") && high.screen[0].hasSuffix(" 1 of 7"))
    #expect(high.screen[1] == "" && high.screen[2].hasPrefix("Wordle 7 1/6"))
    #expect(high.screen[5].hasPrefix("q quit"))
  }

  @Test func onALowScreenTheSearchCoversTheCards() throws {
    var low = try Session(scores, columns: 60, rows: 5)
    try low.press(.character("/"))
    #expect(low.screen[4] == "/")
    try low.press(.paste("zz"), .enter)
    #expect(low.screen[4] == "no game has 'zz'")
    try low.press(.home)
    #expect(low.screen[4].hasPrefix("Wordle 3 1/6"))
  }

  @Test(arguments: [(20, "Wordle scores"), (21, "Wordle scores  1 of 7")])
  func theNumberOfTheCardNeedsRoom(columns: Int, line: String) throws {
    #expect(try Session(scores, columns: columns, rows: 12).screen[0] == line)
  }

  /// The window has nine lines of the sheet.
  @Test func theWindowMovesNoFurtherThanItMust() throws {
    var session = try Session(scores, columns: 20, rows: 12)
    try session.press(.down)
    #expect(session.screen[2] == "Wordle 7 1/6" && session.screen[10] == "Wordle 5 1/6")
    try session.press(.down)
    #expect(session.browser.selected.card == 2)
    #expect(
      session.screen[2] == "[ ][ ]" && session.screen[8] == "Wordle 5 1/6" && session.screen[10] == "[ ][ ]")
    try session.press(.up)
    #expect(session.screen[2] == "[ ][ ]" && session.screen[4] == "Wordle 6 1/6")
    try session.press(.up)
    #expect(session.screen[2] == "Wordle 7 1/6")
    try session.press(.end)
    #expect(session.screen[2] == "[ ][ ]" && session.screen[10] == "[ ][ ]")
    #expect(session.screen[8] == "Wordle 1 1/6")
    #expect(session.canvas.cursor == .init(row: 10, column: 1))
  }

  @Test func aClickIsOnTheCardsAlone() throws {
    var session = try Session(scores, columns: 20, rows: 12)
    // The line of hints, where the sheet would have a card.
    try session.click(11, 0)
    #expect(session.browser.selected.card == 0)
    try session.press(.end)
    try session.click(1, 0)
    #expect(session.browser.selected.card == 6)
    try session.click(4, 0)
    #expect(session.browser.selected.card == 5)
  }

  @Test func aClickOnACardThatIsScrolledSideways() throws {
    var session = try Session([game(1, "nymph", "train", "nymph")], columns: 10, rows: 3)
    try session.press(.right, .right, .right, .right)
    try session.click(2, 0)
    #expect(session.browser.selected == .init(card: 0, row: 0, column: 1))
  }
}
