import Foundation
import TestSupport
import Testing

/// A person at a terminal: the map to walk through, and the list that keeps itself up to date.
@Suite(.ownThread, .needs(.setsid)) struct BikesMapOnTerminal {
  private let home: Home
  private let terminal: Terminal
  private let width = Width()

  /// One, then the other: a terminal that keeps its size is not drawn anew.
  private final class Width {
    private(set) var columns: UInt16 = 70
    func toggle() { columns = columns == 70 ? 71 : 70 }
  }

  init() throws {
    home = try Home()
    terminal = try Terminal(columns: 60, rows: 20)
  }

  private func start(_ words: String, url: String = "demo:") throws -> Started {
    try Started(
      ["setsid", "-cw", "sh", "-c", "exec hw bikes \(words)"], in: home,
      environment: ["TERM": "xterm-256color", "HW_URL": url, "HW_LOCATION": "50.1195,8.6400"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
  }

  /// The first picture that is so. It is drawn anew for another size again and again, and each time as a whole.
  @discardableResult
  private func picture(_ description: String, _ isSo: (String) -> Bool) throws -> String {
    try waitFor("a picture \(description)") {
      width.toggle()
      terminal.resize(columns: width.columns, rows: 20)
      guard terminal.see("\u{1B}[2J") != nil, let picture = terminal.see("q quit") else { return nil }
      return isSo(picture) ? picture : nil
    }
  }

  @Test func mapPansZoomsAndRents() throws {
    let before = terminal.settings
    let started = try start("map -i")
    #expect(terminal.see(" bikes") != nil)
    try picture("of here, 1 km") { $0.contains("✛") && $0.contains("1 km") }
    // Ten steps to any side you are out of sight; 0 brings you back.
    for key in ["\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "k", "j", "l", "h"] {
      terminal.type(String(repeating: key, count: 10))
      try picture("of elsewhere") { !$0.contains("✛") }
      terminal.type("0")
      try picture("of here") { $0.contains("✛") }
    }
    terminal.type("+")
    try picture("of 500 m") { $0.contains("500 m") }
    terminal.type("--")
    let zoomed = try picture("of 2 km") { $0.contains("2 km") }
    // The map may be drawn before its bikes have come: those of a place that was left cannot be picked.
    if !zoomed.contains(" bikes") { #expect(terminal.see(" bikes") != nil) }
    terminal.type("\t")
    #expect(terminal.see("Enter rents it") != nil)
    terminal.type("\r")
    #expect(terminal.see("Esc cancels") != nil)
    terminal.type("\r")
    #expect(terminal.see("is yours: PIN ") != nil)
    terminal.type("q")
    #expect(terminal.see(Terminal.leaves) != nil)
    // What was rented stays on the screen.
    #expect(terminal.see("5678") != nil)
    #expect(started.end().status == 0)
    #expect(terminal.settings == before)
  }
}
