import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Command

/// What a bike is called in the feed, where it must not be followed.
@Suite struct PassingNames {
  private static let hans = bike("1", place(50, 8), name: "Hans", color: "76CD68")

  private func name(_ bike: Bike, _ state: String, _ secret: String) -> String {
    GBFS.Vehicle(bike, state, secret: secret).id
  }

  @Test func aNameIsOfTheBikeItsStateAndTheSecret() {
    var other = PassingNames.hans
    other.id = "2"
    let names = [
      name(PassingNames.hans, "50,8", "a"), name(other, "50,8", "a"), name(PassingNames.hans, "50,9", "a"),
      name(PassingNames.hans, "50,8", "b"),
    ]
    #expect(Set(names).count == 4)
    #expect(names[0] == name(PassingNames.hans, "50,8", "a"))
    #expect(names.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
  }

  /// A secret that is damaged or of a newer hw is not replaced.
  @Test func theSecretOfThisMachine() throws {
    let scratch = try ScratchDirectory()
    let (folder, file) = (scratch.file("state/hw"), "state/hw/bikes-feed.secret")
    let secret = try FeedSecret.read(in: folder)
    #expect(secret.count == 32)
    #expect(try FeedSecret.read(in: folder) == secret)
    #expect(scratch.text(file) == "# hw bikes-feed 1\n\(secret)\n" && scratch.mode(file) == 0o600)
    let old = String(repeating: "0a", count: 16)
    try scratch.write("# hw bikes-feed 1\n\(old)\nmore\n", to: file)
    #expect(try FeedSecret.read(in: folder) == old)
    for damaged in [
      "\(old)\n", "# hw bikes-feed 2\n\(old)\n", "# hw bikes-feed 1\n\(old)0", "\(old.uppercased())",
      "# hw bikes-feed 1\n", "x",
    ] {
      try scratch.write(damaged, to: file)
      let failure = failure { try FeedSecret.read(in: folder) }
      #expect(failure?.kind == .storage && scratch.text(file) == damaged, "\(damaged)")
      let isNewer = damaged.hasPrefix("# hw bikes-feed 2")
      #expect(failure?.message.contains("is of a newer hw: version 2") == isNewer, "\(damaged)")
    }
  }

  @Test(installed, .eachEngine) func aFileIsGeneratedOncePerChangeAndLifetime() throws {
    let server = try TestServer()
    func file() throws -> String { try server.ask(.get, "/gbfs/2.3/free_bike_status.json").text }
    let first = try file()
    func time(_ file: String) throws -> Int { try JSON.parse(file)["last_updated"].int }
    server.time.advance(by: .seconds(59))
    #expect(try file() == first)
    // Older than its lifetime, it would be taken for one that is not updated.
    server.time.advance(by: .seconds(1))
    let renewed = try file()
    #expect(try time(renewed) == time(first) + 60)
    #expect(try renewed.replacing("\(time(renewed))", with: "\(time(first))") == first)
    server.time.advance(by: .seconds(1))
    try server.ask(.put, "/bikes/1/rented")
    let second = try file()
    #expect(try time(second) == time(first) + 61)
    let bikes = try JSON.parse(second)["data"]["bikes"]
    #expect(try bikes.array.count == 2)
    #expect(try bikes[0]["lat"].double == 50.119504 && bikes[0]["lon"].double == 8.638137)
    try server.ask(.delete, "/bikes/0")
    #expect(try JSON.parse(file())["data"]["bikes"].array.count == 1)
  }
  /// The files of both versions stay the same until a bike changes, within their lifetime.
  @Test(installed, .eachEngine) func aFileOutlivesWhatChangesNothing() throws {
    let server = try TestServer()
    func file(_ version: String, _ status: String) throws -> String {
      server.time.advance(by: .seconds(5))
      return try server.ask(.get, "/gbfs/\(version)/\(status).json").text
    }
    func files() throws -> [String] {
      [try file("3.0", "vehicle_status"), try file("2.3", "free_bike_status")]
    }
    let key: Headers = ["Idempotency-Key": "k"]
    #expect(try server.ask(.put, "/bikes/1/rented", headers: key).status == 200)
    let first = try files()
    #expect(try files() == first)
    // A request that is repeated, and one that is refused.
    #expect(try server.ask(.put, "/bikes/1/rented", headers: key).status == 200)
    #expect(try files() == first)
    #expect(try server.ask(.put, "/bikes/1/rented").status == 400)
    #expect(try files() == first)
    #expect(try server.ask(.put, "/bikes/1", body(latitude: "50.2")).status == 200)
    let second = try files()
    #expect(second[0] != first[0] && second[1] != first[1])
    #expect(try files() == second)
    #expect(try server.ask(.delete, "/bikes/0").status == 200)
    let third = try files()
    #expect(third[0] != second[0])
    #expect(try server.ask(.put, "/bikes/1/rented", headers: key).status == 200)
    #expect(try files() == third)
  }

  @Test(
    installed,
    arguments: [
      ("https://bikes.example/town", "https://bikes.example/town/gbfs/3.0/gbfs.json"),
      ("https://bikes.example/town/", "https://bikes.example/town/gbfs/3.0/gbfs.json"),
      (nil, "http://localhost/gbfs/3.0/gbfs.json"),
    ] as [(String?, String)])
  func theAddressesOfTheFiles(publicURL: String?, first: String) throws {
    let server = try TestServer { $0.publicURL = publicURL }
    let file = try server.ask(.get, "/gbfs/gbfs.json")
    #expect(try JSON.parse(file.text)["data"]["feeds"][0]["url"].string == first)
  }

  @Test(installed) func howLongAFileIsKept() throws {
    let server = try TestServer(users: TestServer.carlaAndEmil)
    for (name, seconds) in [("vehicle_status.json", 60), ("vehicle_types.json", 3600)] {
      for (headers, scope) in [([:], "public"), (["X-Authorization": "c-token"], "private")]
        as [(Headers, String)]
      {
        let file = try server.ask(.get, "/gbfs/3.0/\(name)", headers: headers)
        #expect(file.status == 200 && file.headers["Cache-Control"] == "\(scope), max-age=\(seconds)")
        #expect(try JSON.parse(file.text)["ttl"].int == seconds)
      }
    }
  }
}

/// What the options of a feed take.
@Suite struct OptionsOfAFeed {
  @Test(arguments: [
    ("feed-timezone", "Europe/Berlin", true), ("feed-timezone", "America/Argentina/Buenos_Aires", true),
    ("feed-timezone", "Etc/GMT+1", true), ("feed-timezone", "Etc/GMT-1", true),
    ("feed-timezone", "Berlin", false), ("feed-timezone", "a/b/c/d", false),
    ("feed-timezone", "/Berlin", false), ("feed-timezone", "Europe/", false), ("feed-timezone", "", false),
    ("feed-timezone", "1/Berlin", false), ("feed-timezone", "Europe/-a", false),
    ("feed-timezone", "Europe/Ber lin", false), ("feed-timezone", "Europe/Bérlin", false),
    ("feed-license", "https://bikes.example/license", true), ("feed-license", "http://bikes.example", true),
    ("feed-license", "ftp://bikes.example/", false), ("feed-license", "demo:", false),
    ("feed-license", "nowhere", false), ("feed-license", "", false),
    ("feed-email", "feed@bikes.example", true), ("feed-email", "o'neil+x@b", true),
    ("feed-email", "feed", false), ("feed-email", "a@b@c", false), ("feed-email", "@b", false),
    ("feed-email", "a@", false), ("feed-email", "a@b..c", false), ("feed-email", "a@.b", false),
    ("feed-email", "a@b.", false), ("feed-email", "a b@c", false), ("feed-email", "ä@b", false),
    ("feed-name", "Town bikes", true), ("feed-name", "Fahrräder", true), ("feed-name", " ", false),
    ("feed-name", "a\nb", false),
  ])
  func values(option: String, text: String, isValid: Bool) throws {
    let value = try #require(FeedSystem.settings.map { $0.declaration }.first { $0.name == option }?.value)
    #expect((failure { try value.read(text, for: option) } == nil) == isValid)
  }

  /// The form of a name is sufficient where there is no database.
  @Test(arguments: [("Here/There", true), ("Here/Nowhere", false)])
  func namesOfTheTimeZoneDatabase(zone: String, exists: Bool) throws {
    let database = try ScratchDirectory()
    try database.write("", to: "Here/There")
    let refusal = failure { try FeedSystem.check(timeZone: zone, in: database.path) }
    #expect(refusal?.message == (exists ? nil : "'feed-timezone' requires a time zone, not '\(zone)'"))
    #expect(refusal?.hint == (exists ? nil : "'ls \(database.path)' lists them"))
    #expect(failure { try FeedSystem.check(timeZone: zone, in: database.file("none")) } == nil)
  }
}
