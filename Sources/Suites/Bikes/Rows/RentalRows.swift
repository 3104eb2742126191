import Output
import System
import Terminal

struct RentalRow: Row {
  let rental: Rental
  let time: any TimeKeeper

  static let fields: Fields<RentalRow> = shown + hidden.map(\.hiddenByDefault)

  private static let shown: Fields<RentalRow> = [
    Field.text("id", "No.", "the id of the entry") { $0.rental.id }.aligningNumbers,
    .text("bike", "Bike", "the bike's id") { $0.rental.bike },
    .text("name", "Name", "the current name of the bike") { $0.rental.name },
    Field.text("action", "Action", "rent, add, edit or delete") { $0.rental.action.rawValue }
      .among(Rental.Action.allCases.map(\.rawValue)),
    .text("by", "By", "the user, or null if the server has no users", orNull: { $0.rental.by }),
    .time("at", "When", "the time of the change; for a rental, its start") { $0.rental.at }
      .shown { TableCell($0.time.local($0.rental.at).minutes) },
    .time(
      "returnedAt", "Returned", "the end of the rental; null while the bike is rented",
      orNull: { $0.rental.returnedAt }
    )
    .shown { row in
      if row.rental.action != .rent { return TableCell("-", .dim) }
      return row.rental.returnedAt.map { TableCell(row.time.local($0).minutes) }
        ?? TableCell("not yet", .yellow)
    },
  ]

  private static let hidden: Fields<RentalRow> = [
    .text("returnedBy", "Returned by", "who ended the rental", orNull: { $0.rental.returnedBy }),
    Field.distance("distance", "meters from the start to the end of the rental") { $0.rental.meters },
    .text(
      "changed", "Changed", "the changed fields, comma-separated; never the PIN itself",
      orNull: { $0.rental.changed.isEmpty ? nil : $0.rental.changed.joined(separator: ",") }),
    .degrees("from.latitude", "From lat.", "the position of the bike") { $0.rental.from.latitude },
    .degrees("from.longitude", "From lon.", "the position of the bike") { $0.rental.from.longitude },
    .degrees(
      "to.latitude", "To lat.", "the position at the end of the rental", orNull: { $0.rental.to?.latitude }),
    .degrees(
      "to.longitude", "To lon.", "the position at the end of the rental", orNull: { $0.rental.to?.longitude }
    ),
  ]
}

/// An open rental, with the PIN if it is the user's own.
struct RentedBike: Row {
  let note: RentedNotes.Note
  /// The renter; nil if the server has no users, and for a bike that the command has rented.
  var renter: String?
  let time: any TimeKeeper

  var id: String { note.id }
  var pin: Pin? { note.pin }

  static let fields: Fields<RentedBike> = [
    .text("id", "Id", "the id for 'hw bikes return'") { $0.id },
    .text("name", "Name", "the name of the bike") { $0.note.name },
    .text("pin", "PIN", "the PIN of the padlock; null for the rentals of others", orNull: { $0.pin?.digits })
      .shown { TableCell($0.pin?.digits ?? "-", .bold) },
    .text(
      "renter", "Renter", "who rents it, for 'rented'; null if the server has no users",
      orNull: { $0.renter }),
    .time("since", "Since", "the start of the rental") { $0.note.since }
      .shown { TableCell($0.time.local($0.note.since).minutes) },
    .degrees(
      "location.latitude", "Latitude", "the latitude at the start, degrees north",
      orNull: { $0.note.place?.latitude }),
    .degrees(
      "location.longitude", "Longitude", "the longitude at the start, degrees east",
      orNull: { $0.note.place?.longitude }),
  ]
}

extension RentedBike {
  init(_ bike: Bike, since: Timestamp, time: any TimeKeeper) {
    self.init(
      note: .init(id: bike.id, name: bike.name, pin: bike.pin, since: since, place: bike.place), time: time)
  }

  init(_ open: OpenRental, time: any TimeKeeper) {
    let rental = open.rental
    self.init(
      note: .init(id: rental.bike, name: rental.name, pin: open.pin, since: rental.at, place: rental.from),
      renter: rental.by, time: time)
  }
}
