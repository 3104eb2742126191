import JSON
import System
import Testing

@testable import Bikes

/// What is written about bikes, byte by byte, and what is read of it.
@Suite struct DocumentsOfBikes {
  private static func bike(
    color: String = "red", pin: Pin? = nil, owner: String? = "ada"
  ) -> Bike {
    Bike(
      id: "1", name: "Hans", color: color, pin: pin, place: place(50.25, 8.5), isRented: true, owner: owner)
  }

  @Test func aPointOfGeoJSON() {
    let whole = GeoJSON.text(
      of: [FoundBike(DocumentsOfBikes.bike(pin: Pin("4711")), from: place(50.250108, 8.5))], showsPins: true)
    #expect(
      String(decoding: whole, as: UTF8.self) == #"""
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"1",\#
        "geometry":{"type":"Point","coordinates":[8.5,50.25]},\#
        "properties":{"name":"Hans","color":"red","rented":true,"distance":12,"pin":"4711","owner":"ada",\#
        "marker-color":"#D8433A"}}]}

        """#)
    let little = GeoJSON.text(of: [FoundBike(DocumentsOfBikes.bike(color: "reddish", owner: nil), from: nil)])
    #expect(
      String(decoding: little, as: UTF8.self).hasSuffix(
        #""properties":{"name":"Hans","color":"reddish","rented":true}}]}"# + "\n"))
  }

  @Test(arguments: [
    (#""id":7,"#, #","owner":"ada""#, #"{"id":"7","#, #","owner":"ada"}"#),
    (#""id":"7","#, "", #"{"id":"7","#, "}"), (#""id":null,"#, "", "{", "}"),
  ])
  func anImportedBike(id: String, owner: String, begin: String, end: String) throws {
    let members =
      #""name":"Wanda","color":"D8433A","pin":"0420","location":{"latitude":50.25,"longitude":8.5}"#
    let bike = try ImportedBike(JSON.parse("{\(id)\(members)\(owner)}"))
    #expect(String(decoding: bike.bytes, as: UTF8.self) == "\(begin)\(members)\(end)")
  }

  @Test(arguments: [(0, ""), (1, "a"), (2, "a b")])
  func theFreeBikesOfAFeed(count: Int, ids: String) throws {
    let vehicles = ids.split(separator: " ").map {
      GBFS.Vehicle(id: String($0), place: place(50.25, 8.5), isDisabled: false)
    }
    let feed = GBFS(version: .two, base: "", system: FeedSystem(), time: Timestamp(seconds: 7))
    let entries = vehicles.map {
      #"{"bike_id":"\#($0.id)","lat":50.25,"lon":8.5,"is_reserved":false,"is_disabled":false,"vehicle_type_id":"bike"}"#
    }
    #expect(
      String(decoding: feed.status(vehicles.map(\.json)), as: UTF8.self)
        == #"{"last_updated":7,"ttl":60,"version":"2.3","data":{"bikes":[\#(entries.joined(separator: ","))]}}"#
        + "\n")
    let newer = GBFS(version: .three, base: "", system: FeedSystem(), time: Timestamp(seconds: 7))
    let other = try JSON.parse(newer.status(vehicles.map(\.json)))["data"]["vehicles"]
    #expect(try other.array.map { try $0["vehicle_id"].string } == vehicles.map(\.id))
    #expect(newer.file("free_bike_status.json") == nil && feed.file("vehicle_status.json") == nil)
  }

  @Test func theSystemOfAFeed() throws {
    let system = FeedSystem(
      id: "town", name: "Town", operatorName: "The town", timeZone: "Europe/Berlin",
      licenseURL: "https://l.example/", email: "a@b.example")
    func text(_ version: GBFS.Version) throws -> String {
      let feed = GBFS(version: version, base: "", system: system, time: Timestamp(seconds: 7))
      return String(decoding: try #require(feed.file("system_information.json")), as: UTF8.self)
    }
    #expect(
      try text(.three) == #"""
        {"last_updated":"1970-01-01T00:00:07Z","ttl":3600,"version":"3.0","data":{"system_id":"town",\#
        "languages":["en"],"opening_hours":"24/7","name":[{"text":"Town","language":"en"}],\#
        "operator":[{"text":"The town","language":"en"}],"feed_contact_email":"a@b.example",\#
        "timezone":"Europe/Berlin","license_url":"https://l.example/"}}

        """#)
    #expect(
      try text(.two) == #"""
        {"last_updated":7,"ttl":3600,"version":"2.3","data":{"system_id":"town","language":"en",\#
        "name":"Town","operator":"The town","feed_contact_email":"a@b.example",\#
        "timezone":"Europe/Berlin","license_url":"https://l.example/"}}

        """#)
  }

  /// A bike of the original has a number once it was added, and no PIN where the service keeps it.
  @Test func aBikeWithTheLeastMembers() throws {
    let text = #"{"id":7,"name":"Hans","color":"red","location":{"latitude":50.25,"longitude":8.5}}"#
    #expect(
      try Bike(JSON.parse(text))
        == Bike(
          id: "7", name: "Hans", color: "red", pin: nil, place: place(50.25, 8.5), isRented: false, owner: nil
        ))
    let unknown = #expect(throws: Failure.self) {
      try Bike(JSON.parse(text.dropLast() + #","rented":null}"#))
    }
    #expect(unknown?.message.hasSuffix("at rented: expected true or false, found null") == true)
    let whole =
      text.dropLast() + #","pin":"0420","rented":true,"owner":"ada","renter":"carla"}"#
    let bike = try Bike(JSON.parse(String(whole)))
    #expect(bike.pin?.digits == "0420" && bike.isRented && bike.owner == "ada" && bike.renter == "carla")
  }

  @Test(arguments: [
    (#""1234""#, "1234"), ("1234", "1234"), ("420", nil), ("12345", nil), (#""12a4""#, nil), ("12.5", nil),
  ])
  func aPinMayBeANumber(pin: String, digits: String?) throws {
    let text = body(pin: pin).dropLast() + #","id":7,"rented":false}"#
    #expect((try? Bike(JSON.parse(String(text))))?.pin?.digits == digits)
  }

  @Test func historyEntryIsReadAsWritten() throws {
    var rental = Rental(
      id: "7", bike: "1", name: "Hans", by: "ada", at: Timestamp(seconds: 5), from: place(50.25, 8.5))
    func read(_ rental: Rental) throws -> (rental: Rental, text: String) {
      var writer = JSONWriter()
      rental.write(to: &writer)
      return (try Rental(JSON.parse(writer.bytes)), String(decoding: writer.bytes, as: UTF8.self))
    }
    #expect(try read(rental).rental == rental && rental.meters == nil)
    #expect(try read(rental).text.hasSuffix(#","returnedAt":null,"returnedBy":null,"to":null}"#))
    rental.to = place(50.25, 8.5).moved(north: 30, east: 40)
    rental.returnedAt = Timestamp(seconds: 9)
    rental.returnedBy = "carla"
    #expect(try read(rental).rental == rental && rental.meters == 50)
    for action in [Rental.Action.add, .delete, .edit] {
      var change = Rental(
        id: "8", bike: "1", name: "Hans", action: action, by: nil, at: Timestamp(seconds: 5),
        from: place(50, 8))
      if action == .edit { change.changed = ["name", "pin"] }
      #expect(try read(change).rental == change)
      #expect(try !read(change).text.contains("returned"))
      #expect(try read(change).text.contains("changed") == (action == .edit))
    }
    let failure = #expect(throws: Failure.self) {
      try Rental(JSON.parse(#"{"id":"7","bike":"1","name":"Hans","action":"steal"}"#))
    }
    #expect(failure?.message.hasSuffix("expected rent, add, edit or delete") == true)
  }

  @Test func changeSetsOnlyItsMembers() throws {
    var bike = DocumentsOfBikes.bike(pin: Pin("4711"))
    let same = BikeChange(name: "Hans", color: "red", pin: Pin("4711"), place: place(50.25, 8.5))
    #expect(same.changedMembers(of: bike).isEmpty && bike.applying(same) == bike && !same.isEmpty)
    let other = BikeChange(name: "Jan", color: "blue", pin: Pin("4712"), place: place(50.25, 8.6))
    #expect(other.changedMembers(of: bike) == ["name", "color", "pin", "location"])
    let taken = bike.applying(other)
    #expect(taken.name == "Jan" && taken.color == "blue" && taken.pin == Pin("4712"))
    #expect(taken.place == place(50.25, 8.6) && taken.id == "1" && taken.owner == "ada" && taken.isRented)
    let none = BikeChange()
    #expect(none.isEmpty && none.changedMembers(of: bike).isEmpty && bike.applying(none) == bike)
    let pin = try #require(Pin("9999"))
    #expect(none.profile(of: bike, pin: pin).pin == Pin("4711"))
    bike.pin = nil
    #expect(none.profile(of: bike, pin: pin).pin == pin)
    #expect(other.profile(of: bike, pin: pin).pin == Pin("4712"))
  }
}
