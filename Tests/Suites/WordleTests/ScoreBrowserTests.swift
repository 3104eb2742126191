import System
import Terminal
import TestSupport
import Testing

@testable import Wordle

/// A browser as a person meets it: keys go in, a screen comes out.
private struct BrowserDriver {
  var browser: ScoreBrowser
  var time = Duration.zero

  init(
    _ scores: [Score], columns: Int = 50, rows: Int = 20, color: Bool = false, isAnimated: Bool = false
  ) throws {
    browser = ScoreBrowser(scores, style: CardStyle(color: color), isAnimated: isAnimated)
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

extension BrowserDriver {
  static let scores = [
    "three": [game(3, "at", "to", "at"), game(2, "on", "no", "so", "on"), game(1, "up", "it")],
    "seven": (1...7).reversed().map { game($0, "at", "at") }, "rising": (1...7).map { game($0, "at", "at") },
    "nymph": [game(1, "nymph", "train", "nymph")], "unplayed": [game(2, "on"), game(1, "up", "it")],
    "none": [],
  ]

  private static let keys: [String: Key] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end, "tab": .tab,
    "back-tab": .backTab, "enter": .enter, "escape": .escape, "backspace": .backspace,
    "space": .character(" "), "page-up": .pageUp, "page-down": .pageDown,
    "wheel-up": .mouse(Mouse(.wheelUp, .none, row: 0, column: 0)),
    "wheel-down": .mouse(Mouse(.wheelDown, .none, row: 0, column: 0)),
  ]

  /// `SCORES COLUMNSxROWS`, `size COLUMNSxROWS`, `click ROW COLUMN`, `wait MILLISECONDS`, or keys.
  mutating func call(_ line: String) throws -> Bool {
    let words = ShellWord.split(line) ?? []
    func numbers(_ words: some Sequence<String>) -> [Int] { words.compactMap { Int($0) } }
    if let scores = Self.scores[words[0]] {
      let size = numbers((words.count > 1 ? words[1] : "50x20").split(separator: "x").map(String.init))
      self = try BrowserDriver(
        scores, columns: size[0], rows: size[1], color: words.contains("color"),
        isAnimated: words.contains("animated"))
      return true
    }
    let places = numbers(words.dropFirst())
    switch words[0] {
    case "size":
      let size = numbers(words[1].split(separator: "x").map(String.init))
      try resize(size[0], size[1])
    case "click": return try press(.mouse(Mouse(.press, row: places[0], column: places[1])))
    case "right-click": return try press(.mouse(Mouse(.press, .right, row: places[0], column: places[1])))
    case "release": return try press(.mouse(Mouse(.release, row: places[0], column: places[1])))
    case "wait": try wait(places[0])
    default:
      for word in words where try !press(Self.keys[word] ?? .character(word.first ?? "?")) { return false }
    }
    return true
  }

  var shown: [String] {
    let selected = browser.selected
    let facts = [
      "card \(selected.card) row \(selected.row) column \(selected.column)", browser.showsHelp ? "help" : nil,
      browser.alarm.map { "alarm \($0)" }, canvas.cursor.map { "cursor \($0.row) \($0.column)" },
    ]
    return [facts.compactMap(\.self).joined(separator: ", ")] + screen.map { "|\($0)" }
  }
}

@Suite struct ScoreBrowserTests {
  private let scores = [
    game(3, "at", "to", "at"), game(2, "on", "no", "so", "on"), game(1, "up", "it"),
  ]

  /// Lines of calls (`> `), and what the browser shows after the last one; rows that are empty are left out.
  @Test func screensAreAsRecorded() throws {
    var driver = try BrowserDriver(scores)
    var lines: [String] = []
    for line in RecordedText.text("browser.txt").split(separator: "\n").map(String.init) {
      if line.hasPrefix("#") { lines.append(line) }
      guard line.hasPrefix("> ") else { continue }
      lines.append(line)
      for call in line.dropFirst(2).split(separator: " ; ") where try !driver.call(String(call)) {
        lines.append("  leaves")
      }
      lines += driver.shown.filter { $0 != "|" }.map { "  \($0)" }
    }
    try RecordedText.hold("browser.txt", to: lines.map { "\($0)\n" }.joined())
  }

  @Test func beforeTheSizeIsKnownItIsTheUsualOne() {
    let browser = ScoreBrowser(scores, style: CardStyle(color: true), isAnimated: true)
    #expect(browser.size == WindowSize(columns: 80, rows: 24) && browser.alarm == nil)
    var canvas = Canvas(browser.size)
    browser.draw(on: &canvas)
    #expect(canvas.lines[2].hasPrefix("Wordle 3 2/6 "))
  }

  @Test(arguments: [(10, 3), (1, 1), (3, 2), (2, 40), (200, 1), (0, 0)])
  func noSizeIsTooSmall(columns: Int, rows: Int) throws {
    var driver = try BrowserDriver([game(1, "nymph", "train", "nymph")], columns: columns, rows: rows)
    for key in [
      Key.down, .end, .right, .right, .right, .right, .character(" "), .character("?"), .enter,
      .character("R"),
    ] {
      try driver.press(key)
      #expect(driver.screen.count == rows)
    }
  }

  @Test func theSelectedCardAndCellStandOut() throws {
    var driver = try BrowserDriver(scores)
    try driver.press(.tab)
    #expect(driver.canvas[row: 2, column: 0].style == .bold)
    #expect(driver.canvas[row: 2, column: 17].style == .bold + .underlined)
    #expect(driver.canvas[row: 4, column: 0].style == .plain)
    #expect(driver.canvas[row: 4, column: 17].style == .reversed)
  }
}
