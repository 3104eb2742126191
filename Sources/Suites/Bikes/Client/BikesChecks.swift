import Command
import HTTP
import System

/// The contract checks of the service: the original server's API contract, and the additions of `hw serve`.
extension Bikes {
  static var checks: [Check] {
    [
      Check("all bikes", "/bikes", expects: .list(promisedBike)),
      Check(
        "the bikes around a place", "/bikes",
        ["latitude": "50.119504", "longitude": "8.638137", "radius": "1000"], expects: .list(promisedBike)),
      Check("an unknown bike", "/bikes/no-such-bike", status: 404, type: nil, expects: nil),
    ]
  }

  private static let digits = Contract.text("four digits") { Pin($0) != nil }

  private static let promisedBike = Contract.object([
    // Those that were added have a number.
    "id": .either([.string, .int()]), "name": .string, "color": .string,
    // Ours shows a PIN to who rents the bike.
    "pin": .optional(digits), "location": .object(["latitude": .number, "longitude": .number]),
    "rented": .optional(.bool), "owner": .optional(.string),
  ])
}
