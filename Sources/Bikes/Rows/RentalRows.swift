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
