import Output
import System
import Terminal

/// A bike as a list shows it: with how far it is from where one stands. Its PIN is not part of it.
struct FoundBike: Sendable, Equatable {
  let bike: Bike
  /// Metres, where a place to measure from is known.
  let distance: Double?

  init(_ bike: Bike, from place: Place?) {
    self.bike = bike
    distance = place.map { $0.distance(to: bike.place) }
  }

  var metres: Int? { distance.map { Int($0.rounded()) } }

  /// Nearest first; without a place in the order of the service.
  static func sorted(_ bikes: [Bike], from place: Place?) -> [FoundBike] {
    let found = bikes.map { FoundBike($0, from: place) }
    guard place != nil else { return found }
    return found.enumerated().sorted { a, b in
      let (x, y) = (a.element.distance ?? .infinity, b.element.distance ?? .infinity)
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
  }
}

extension FoundBike: Row {
  static let fields: Fields<FoundBike> = [
    .text("id", "Id", "what 'hw bikes rent' takes") { $0.bike.id },
    .text("name", "Name", "what its owner calls it; not unique") { $0.bike.name },
    .text("color", "Colour", "of the frame, six hexadecimal digits") { $0.bike.color }
      .shown {
        TableCell($0.bike.frameColor.map { "● \($0.name)" } ?? $0.bike.color, $0.bike.frameColor?.style)
      },
    .integer(
      "distance", "Metres", "from where you are, within 0.2 %; null where no place is known",
      orNull: { $0.metres }),
    .number("location.latitude", "Latitude", "degrees north, WGS 84") { $0.bike.place.latitude },
    .number("location.longitude", "Longitude", "degrees east, WGS 84") { $0.bike.place.longitude },
    .flag("rented", "Rented", "whether somebody has it out") { $0.bike.isRented }
      .shown { TableCell($0.bike.isRented ? "rented" : "free", $0.bike.isRented ? .dim : .green) },
    .text("owner", "Owner", "who brought it, where the server knows people", orNull: { $0.bike.owner })
      .hiddenByDefault,
  ]
}

/// A bike that one has out, with the PIN of its padlock.
struct RentedBike: Row {
  let id: String
  let name: String
  let pin: Pin?
  let since: Timestamp
  let place: Place?

  init(_ bike: Bike, since: Timestamp) {
    id = bike.id
    name = bike.name
    pin = bike.pin
    self.since = since
    place = bike.place
  }

  init(_ note: RentedNotes.Note) {
    id = note.id
    name = note.name
    pin = note.pin
    since = note.since
    place = note.place
  }

  static let fields: Fields<RentedBike> = [
    .text("id", "Id", "what 'hw bikes return' takes") { $0.id },
    .text("name", "Name", "what its owner calls it") { $0.name },
    .text(
      "pin", "PIN", "opens its padlock; null where the server does not show it", orNull: { $0.pin?.digits }
    )
    .shown { TableCell($0.pin?.digits ?? "-", .bold) },
    .time("since", "Since", "when it was rented") { $0.since }
      .shown { TableCell(WallTime($0.since).minutes) },
    .number("location.latitude", "Latitude", "where it stood, degrees north", orNull: { $0.place?.latitude }),
    .number(
      "location.longitude", "Longitude", "where it stood, degrees east", orNull: { $0.place?.longitude }),
  ]
}
