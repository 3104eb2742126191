import Output
import System

/// The row of `hw bikes show`: the fields of a bike, and as text its profile and last rentals.
struct BikePage: Row {
  let found: FoundBike
  /// Newest first. Requested for the text format only.
  var rentals: [Rental] = []
  let time: any TimeKeeper

  static let shownRentals = 5

  static let fields: Fields<BikePage> = FoundBike.fields.map { $0.of(\.found) }

  static let text: (@Sendable (BikePage, Screen?) -> String)? = { page, _ in
    let bike = page.found.bike
    var lines = [bike.name.isEmpty ? "Bike \(bike.id)" : "\(bike.name) (\(bike.id))"]
    var facts = page.found.facts
    if let count = bike.pinReaders {
      facts.append(("PIN known", "to \(count) \(count == 1 ? "renter" : "renters")"))
    }
    lines += facts.map { name, value in
      name + String(repeating: " ", count: max(1, 11 - name.utf8.count)) + value
    }
    if !page.rentals.isEmpty { lines += ["", "Last entries"] + page.rentals.map(page.line) }
    return lines.map(\.terminalSafe).joined(separator: "\n") + "\n"
  }

  /// `2026-11-26 19:02  rent by ada, until 2026-11-26 20:10, 350 m`.
  private func line(_ rental: Rental) -> String {
    var text = "\(time.local(rental.at).minutes)  \(rental.action.rawValue)"
    if let user = rental.by { text += " by \(user)" }
    if let end = rental.returnedAt { text += ", until \(time.local(end).minutes)" }
    return text + (rental.meters.map { ", \(Sphere.text($0))" } ?? "")
  }
}
