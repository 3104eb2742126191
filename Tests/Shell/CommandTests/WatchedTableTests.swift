import HTTP
import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

@Suite struct WatchedTableTests {
  private let size = WindowSize(columns: 60, rows: 4)

  private func result(_ animals: [(String, Int?)]) throws -> ListWatch.PollResult {
    let capture = RowCapture(.table, key: "name")
    var settings = Output.Settings()
    settings.format = .table
    try Output(settings, capture: capture).write(animals.map { Sample.Animal(name: $0.0, legs: $0.1) })
    return ListWatch.PollResult(columns: capture.columns, rows: capture.rows)
  }

  private func table() -> WatchedTable { WatchedTable(interval: .seconds(10)) { "12:00" } }

  /// A screen of this size that shows the rows.
  private func table(_ size: WindowSize, _ animals: [(String, Int?)]) throws -> WatchedTable {
    var screen = table()
    _ = try screen.handle(.resized(size), at: .zero)
    _ = try screen.handle(.completed(.success(result(animals))), at: .zero)
    return screen
  }

  private func picture(_ screen: WatchedTable, _ size: WindowSize? = nil) -> [String] {
    var canvas = Canvas(size ?? self.size)
    screen.draw(on: &canvas)
    return canvas.lines
  }

  /// The last good rows stay when the service fails, the status says so, and the next response heals it.
  @Test(arguments: [Failure.Kind.connection, .invalidData, .rateLimited])
  func failureKeepsLastRows(kind: Failure.Kind) throws {
    var screen = table()
    #expect(screen.alarm == .zero)
    _ = try screen.handle(.resized(size), at: .seconds(1))
    #expect(picture(screen) == ["", "", "", "loading..."])
    guard case .request = try screen.handle(.tick, at: .seconds(1)) else {
      Issue.record("a tick is a request")
      return
    }
    #expect(screen.alarm == nil)
    _ = try screen.handle(.completed(.success(result([("cat", 4)]))), at: .seconds(2))
    #expect(picture(screen) == ["Name  Legs", "cat      4", "", "12:00  1 row, every 10 s; q quits"])
    #expect(screen.alarm == .seconds(12))
    _ = try screen.handle(.completed(.failure(Failure(kind, "reason"))), at: .seconds(13))
    #expect(picture(screen) == ["Name  Legs", "cat      4", "", "12:00 stale: reason"])
    #expect(screen.alarm == .seconds(23))
    _ = try screen.handle(.completed(.success(result([("dog", 4)]))), at: .seconds(24))
    #expect(picture(screen) == ["Name  Legs", "dog      4", "", "12:00  1 row, every 10 s; q quits"])
  }

  /// Also while a request is under way.
  @Test func theDeadlineEndsIt() throws {
    let deadline = Deadline(in: .seconds(7), FakeClock(uptime: .seconds(2)))
    var screen = WatchedTable(interval: .seconds(10), deadline: deadline) { "12:00" }
    #expect(screen.alarm == .zero)
    _ = try screen.handle(.tick, at: .seconds(2))
    #expect(screen.alarm == .seconds(9))
    _ = try screen.handle(.completed(.success(result([("cat", 4)]))), at: .seconds(3))
    #expect(screen.alarm == .seconds(9))
    #expect(failure { try screen.handle(.tick, at: .seconds(9)) } == deadline.failure)
  }

  /// Without rows there is nothing to show, and a wrong key will be wrong the next time too.
  @Test func permanentFailureEndsWatchedTable() throws {
    var screen = table()
    #expect(throws: Failure.self) {
      try screen.handle(.completed(.failure(Failure(.connection, "gone"))), at: .zero)
    }
    _ = try screen.handle(.completed(.success(result([("cat", 4)]))), at: .zero)
    #expect(throws: Failure.self) {
      try screen.handle(.completed(.failure(Failure(.unauthorized, "no"))), at: .zero)
    }
  }

  /// `q` leaves at once, also while a request is under way.
  @Test(arguments: [Key.character("q"), .escape]) func quitting(key: Key) throws {
    var screen = table()
    _ = try screen.handle(.tick, at: .zero)
    guard case .leave = try screen.handle(.key(key), at: .zero) else {
      Issue.record("the screen is left")
      return
    }
  }

  /// New rows and changed cells are drawn in reverse, until the next poll.
  @Test func changesAreHighlighted() throws {
    var screen = try table(size, [("cat", 4)])
    func reversed() -> [String] {
      var canvas = Canvas(size)
      screen.draw(on: &canvas)
      return (1..<3).map { row in
        (0..<canvas.columns).filter { canvas[row: row, column: $0].style == .reversed }
          .map { canvas[row: row, column: $0].text }.joined()
      }
    }
    #expect(reversed() == ["", ""])
    _ = try screen.handle(.completed(.success(result([("cat", 3), ("emu", 2)]))), at: .zero)
    #expect(reversed() == ["3", "emu2"])
    _ = try screen.handle(.completed(.success(result([("cat", 3), ("emu", 2)]))), at: .zero)
    #expect(reversed() == ["", ""])
  }

  /// 20 rows, 5 of them in sight.
  @Test func everyKeyThatScrolls() throws {
    let size = WindowSize(columns: 60, rows: 7)
    var screen = try table(size, (10..<30).map { ("row \($0)", nil) })
    let wheel = { (action: Mouse.Action) in Key.mouse(Mouse(action, .none, row: 0, column: 0)) }
    for (key, first) in [
      (wheel(.wheelDown), 13), (wheel(.wheelDown), 16), (wheel(.wheelUp), 13), (.character(" "), 18),
      (.character("b"), 13), (.character("k"), 12), (.character("x"), 12), (wheel(.press), 12), (.enter, 12),
      (.pageDown, 17), (.pageUp, 12), (.down, 13), (.up, 12), (.end, 25), (wheel(.wheelDown), 25),
      (.home, 10), (wheel(.wheelUp), 10),
    ] as [(Key, Int)] {
      guard case .stay = try screen.handle(.key(key), at: .zero) else {
        Issue.record("\(key) ends it")
        return
      }
      let lines = picture(screen, size)
      #expect(lines[1].hasPrefix("row \(first)") && lines[5].hasPrefix("row \(first + 4)"), "\(key)")
      #expect(lines[6] == "12:00  20 rows, every 10 s; q quits")
    }
  }

  @Test func theSizeIsTheUsualOneUntilItIsKnown() throws {
    var screen = table()
    _ = try screen.handle(.completed(.success(result((10..<40).map { ("row \($0)", nil) }))), at: .zero)
    _ = try screen.handle(.key(.end), at: .zero)
    let lines = picture(screen, WindowSize(columns: 80, rows: 24))
    #expect(lines[1].hasPrefix("row 18") && lines[22].hasPrefix("row 39"))
  }

  /// Where there is no room for a row, the status leaves nothing of one.
  @Test(arguments: [3, 2, 1]) func lowScreenShowsStatusFirst(height: Int) throws {
    let size = WindowSize(columns: 60, rows: height)
    let name = String(repeating: "a", count: 50)
    let screen = try table(size, [(name, 4)])
    let header = "Name" + String(repeating: " ", count: 48) + "Legs"
    let row = name + String(repeating: " ", count: 5) + "4"
    let status = "12:00  1 row, every 10 s; q quits"
    let pictures = [3: [header, row, status], 2: [header, status], 1: [status]]
    #expect(picture(screen, size) == pictures[height])
  }

  @Test func headingsAreBoldAndTheStatusIsDim() throws {
    let screen = try table(size, [("a\u{1B}b", 4)])
    var canvas = Canvas(size)
    screen.draw(on: &canvas)
    #expect(canvas.lines[1] == "a\u{FFFD}b      4")
    #expect(canvas[row: 0, column: 0].style == .bold && canvas[row: 0, column: 7].style == .bold)
    #expect(canvas[row: 1, column: 0].style == .plain && canvas[row: 1, column: 9].style == .plain)
    #expect(canvas[row: 3, column: 0].style == .dim)
  }
}
