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

  /// Checks of the files of a feed with the readers of the commands. A file that the feed does not list is null.
  static var feedChecks: [Check] {
    [
      Check("the list of files", "/gbfs/gbfs") { json throws(Failure) in
        _ = try FeedDirectory(FeedFile(json).data, nil)
      },
      check("the stations", "station_information") { data throws(Failure) in
        _ = try Feed().addingStations(data, nil)
      },
      check("the state of the stations", "station_status") { data throws(Failure) in
        _ = try Feed().addingStatus(data)
      },
      check("the vehicles", "vehicle_status") { data throws(Failure) in _ = try Feed().addingVehicles(data) },
      check("the vehicles of version 2", "free_bike_status") { data throws(Failure) in
        _ = try Feed().addingVehicles(data)
      },
      Check("bikes and stations", "/bikes") { json throws(Failure) in _ = try json.array },
    ]
  }

  private static func check(_ title: String, _ file: String, read: @escaping Check.Read) -> Check {
    Check(title, "/gbfs/\(file)") { json throws(Failure) in
      if let json = json.orNull { try read(FeedFile(json).data) }
    }
  }
}
