import Foundation
import JSON
import TestSupport
import Testing

/// What the surroundings of a command decide: the time zone and the browser.
@Suite(.ownThread) struct BikesSurroundings {
  private func seconds(_ text: String, hoursAhead: Int) throws -> Int {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: hoursAhead * 3600)
    format.dateFormat = "yyyy-MM-dd HH:mmxxx"
    return Int(try #require(format.date(from: text), "\(text)").timeIntervalSince1970)
  }

  /// A POSIX time zone needs no data of the system: its sign is the other way round.
  @Test(
    "A table shows local time, and JSON an instant", arguments: [("UTC0", 0), ("JST-9", 9), ("XXX+11", -11)])
  func timeZones(zone: String, hoursAhead: Int) throws {
    let home = try Home()
    func hw(_ words: String) throws -> Ending {
      let ending = try shell("hw bikes \(words)", in: home, environment: ["HW_URL": "embedded:", "TZ": zone])
      #expect(ending.status == 0, "\(ending.errors)")
      return ending
    }
    _ = try hw("rent 1 -q")
    for (command, field) in [("rented", "since"), ("history", "at")] {
      let table = try hw("\(command) --no-header --fields \(field)").output
      let json = try JSON.parse(Array(try hw("\(command) --json --fields \(field)").output.utf8))
      let instant = try json[0][field].int
      let shown = try seconds(
        table.trimmingCharacters(in: .whitespacesAndNewlines), hoursAhead: hoursAhead)
      #expect(shown == instant / 60 * 60, "\(command): \(table) is not \(instant)")
    }
    let again = try shell("hw bikes rent 1", in: home, environment: ["HW_URL": "embedded:", "TZ": zone])
    let table = try hw("rented --no-header --fields since").output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(again.errors.contains("by you: noted since \(table)"), "\(again.errors)")
  }

  @Test func theBrowserMayHaveOptions() throws {
    let home = try Home()
    try home.install("mybrowser", "#!/bin/sh\nprintf '%s\\n' \"$@\" >opened\n")
    let ending = try shell(
      "hw bikes map --open --near 50.1195,8.6381", in: home,
      environment: ["BROWSER": "\(home.path)/.bin/mybrowser --new-window"])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(home.text("opened") == "--new-window\n\(ending.output)")
    #expect(ending.output.hasPrefix("https://www.openstreetmap.org/?mlat=50.1195&mlon=8.6381#"))
  }
}
