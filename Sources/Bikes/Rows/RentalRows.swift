import Output
import System
import Terminal

extension Rental: Row {
  static let fields: Fields<Rental> = [
    .text("id", "No.", "the rental's own id") { $0.id },
    .text("bike", "Bike", "the bike's id") { $0.bike },
    .text("name", "Name", "what the bike is called now") { $0.name },
    .text("renter", "By", "who had it, where the server knows people", orNull: { $0.renter }),
    .time("rentedAt", "Rented", "when it was taken") { $0.rentedAt }
      .shown { TableCell(WallTime($0.rentedAt).minutes) },
    .time("returnedAt", "Returned", "when it was back; null while it is out", orNull: { $0.returnedAt })
      .shown { $0.returnedAt.map { TableCell(WallTime($0).minutes) } ?? TableCell("out", .yellow) },
    .integer("distance", "Metres", "between where it was taken and where it was left", orNull: { $0.metres }),
    .number("from.latitude", "From lat.", "where it was taken") { $0.from.latitude }.hiddenByDefault,
    .number("from.longitude", "From lon.", "where it was taken") { $0.from.longitude }.hiddenByDefault,
    .number("to.latitude", "To lat.", "where it was left", orNull: { $0.to?.latitude }).hiddenByDefault,
    .number("to.longitude", "To lon.", "where it was left", orNull: { $0.to?.longitude }).hiddenByDefault,
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
