import Command
import HTTP
import JSON
import System

/// Contract checks of the original server's API, and of the extensions of `hw serve`.
extension Bikes {
  static var checks: [Check] {
    [
      Check("all bikes", "/bikes", read: bikes),
      Check(
        "the bikes around a place", "/bikes",
        ["latitude": "50.119504", "longitude": "8.638137", "radius": "1000"], read: bikes),
      Check("an unknown bike", "/bikes/no-such-bike", status: 404, type: nil, read: nil),
    ]
  }

  private static let bikes: Check.Read = { json throws(Failure) in
    for bike in try json.array { _ = try Bike(bike) }
  }
}
