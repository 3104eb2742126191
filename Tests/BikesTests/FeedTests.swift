import JSON
import System
import Testing

@testable import Bikes

/// What a bike is called in the feed, where it must not be followed.
@Suite struct PassingNames {
  private static let bike = Bike(
    id: "1", name: "Hans", color: "76CD68", pin: nil, place: place(50, 8), isRented: false, owner: nil)

  private func name(_ bike: Bike, _ state: String, _ secret: String) -> String {
    GBFS.Vehicle(bike, state, secret: secret).id
  }

  @Test func aNameIsOfTheBikeItsStateAndTheSecret() {
    var other = PassingNames.bike
    other.id = "2"
    let names = [
      name(PassingNames.bike, "50,8", "a"), name(other, "50,8", "a"), name(PassingNames.bike, "50,9", "a"),
      name(PassingNames.bike, "50,8", "b"),
    ]
    #expect(Set(names).count == 4)
    #expect(names[0] == name(PassingNames.bike, "50,8", "a"))
    #expect(names.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test(installed) func aRideThatEndsWhereItBeganChangesTheName() throws {
    let server = try TestServer()
    func names() throws -> [String] {
      let file = try server.ask(.get, "/gbfs/3.0/vehicle_status.json").text
      return try JSON.parse(file)["data"]["vehicles"].array.map { try $0["vehicle_id"].string }
    }
    let before = try names()
    #expect(try names() == before)
    #expect(try server.ask(.put, "/bikes/1/rented").status == 200)
    #expect(try server.ask(.delete, "/bikes/1/rented").status == 200)
    let after = try names()
    #expect(after.count == 3 && after[0] == before[0] && after[1] != before[1] && after[2] == before[2])
    // Another server with the same bikes has other names.
    let other = try TestServer().ask(.get, "/gbfs/3.0/vehicle_status.json").text
    #expect(before.allSatisfy { !other.contains($0) })
  }
}
