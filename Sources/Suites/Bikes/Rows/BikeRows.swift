import JSON
import Output
import System
import Terminal

extension FoundBike: Row {
  /// Fields that a public server sends only to users.
  static let withheld: Set<String> = ["name", "color", "owner"]

  static let fields: Fields<FoundBike> = [
    .text("id", "Id", "the id for 'hw bikes rent'") { $0.bike.id },
    .text("name", "Name", "the name of the bike; not unique") { $0.bike.name },
    .text("color", "Color", "the color of the frame, six hexadecimal digits") { $0.bike.color }
      .compared { $0.bike.colorNames }.measured(by: .color)
      .shown {
        TableCell($0.bike.frameColor.map { "● \($0.name)" } ?? $0.bike.color, $0.bike.frameColor?.style)
      },
    .distance("distance", "meters from your position, within 0.2 %; null without a position") { $0.meters },
    .choice("kind", "Kind", "a bike, which is any vehicle, or a station of a feed", \.bike.kind)
      .hiddenByDefault,
    .integer(
      "available", "Available", "vehicles that can be rented here; null if a feed does not have it",
      orNull: { $0.bike.available }
    ).hiddenByDefault,
    .integer("docks", "Docks", "free docks of a station, or null", orNull: { $0.bike.offer?.docks })
      .hiddenByDefault,
    .degrees("location.latitude", "Latitude", "degrees north, WGS 84") { $0.bike.place.latitude },
    .degrees("location.longitude", "Longitude", "degrees east, WGS 84") { $0.bike.place.longitude },
    Field.flag("rented", "Status", "whether the bike is rented; in a feed also reserved or disabled") {
      $0.bike.isRented
    }
    .among(["free", "rented"])
    .compared { [$0.bike.isRented ? "true" : "false", $0.bike.condition] }
    .shown { TableCell($0.bike.condition, $0.bike.isFree ? .green : .dim) },
    .text("owner", "Owner", "the owner, if the server has users", orNull: { $0.bike.owner }).hiddenByDefault,
    .text(
      "rentalURL", "Rental", "where the operator of a feed rents it, or null",
      orNull: { $0.bike.offer?.rentalURL }
    ).hiddenByDefault,
    state { $0.bike.state }.hiddenByDefault,
    .integer(
      "pinReaders", "PIN readers",
      "renters who have known the PIN since it was changed, for the owner and admins of 'show'",
      orNull: { $0.bike.pinReaders }
    ).hiddenByDefault,
  ]
}

/// A bike or station of a feed. The default columns are those that a feed fills.
struct OfferedBike: Row {
  let found: FoundBike

  static let fields: Fields<OfferedBike> = FoundBike.fields.map { field in
    var field = field.of(\OfferedBike.found)
    field.column.isShown = !["color", "rented", "owner", "rentalURL", "state", "pinReaders"].contains(
      field.column.path)
    return field
  }
}

extension Field {
  /// A distance in meters, in tables `350 m` or `1.2 km`.
  static func distance(_ path: String, _ meaning: String, _ read: @escaping Read<Int?>) -> Field {
    integer(path, "Distance", meaning, orNull: read).shown { row in
      read(row).map { TableCell(Sphere.text($0)) } ?? TableCell(.null)
    }.unit("km", of: 1000).unit("m", of: 1)
  }

  /// A coordinate, in tables to a meter.
  static func degrees(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<Double>
  ) -> Field {
    number(path, title, meaning, read).shown { TableCell(read($0).fixed(5)) }
  }

  static func degrees(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<Double?>
  ) -> Field {
    number(path, title, meaning, orNull: read).shown { row in
      read(row).map { TableCell($0.fixed(5)) } ?? TableCell(.null)
    }
  }
}

extension Row {
  fileprivate static func state(_ get: @escaping @Sendable (Self) -> BikeState) -> Field<Self> {
    .text("state", "State", "available, withdrawn or missing") { get($0).rawValue }
      .among(BikeState.allCases.map(\.rawValue))
  }
}

extension Scale {
  /// Compares colors by their channels.
  fileprivate static let color = Scale(FrameColor.expected) {
    FrameColor($0).flatMap { Int64($0.hex, radix: 16) }
  }
}

extension FrameColor {
  var style: Style {
    let (red, green, blue) = channels
    return .filled(red: red, green: green, blue: blue)
  }
}

struct ExportedBike: Row {
  let bike: Bike
  let pin: Pin?

  static let fields: Fields<ExportedBike> = [
    .text("id", "Id", "the id of the bike; an import by an admin keeps it") { $0.bike.id },
    .text("name", "Name", "the name of the bike") { $0.bike.name },
    .text("color", "Color", "the color of the frame, six hexadecimal digits") { $0.bike.color },
    .text("pin", "PIN", "the PIN of the padlock; null without --pins", orNull: { $0.pin?.digits }),
    .degrees("location.latitude", "Latitude", "degrees north, WGS 84") { $0.bike.place.latitude },
    .degrees("location.longitude", "Longitude", "degrees east, WGS 84") { $0.bike.place.longitude },
    .flag("rented", "Rented", "whether the bike is rented") { $0.bike.isRented },
    .text("owner", "Owner", "the user who added it, or null", orNull: { $0.bike.owner }),
    .text("renter", "Renter", "who rents it, with --pins; or null", orNull: { $0.bike.renter }),
    state { $0.bike.state },
  ]

  static let text: (@Sendable (ExportedBike, Screen?) -> String)? = { row, _ in
    String(decoding: JSONWriter.bytes { row.bike.write(to: &$0, pin: row.pin) }, as: UTF8.self)
  }
}

struct ImportReport: Row {
  var read: Int
  var added = 0
  /// Bikes that were imported before, or are stored with their ids.
  var present = 0
  var conflicts = 0

  static let fields: Fields<ImportReport> = [
    .integer("read", "Read", "bikes in the file") { $0.read },
    .integer("added", "Added", "bikes that were added") { $0.added },
    .integer("present", "Present", "bikes that existed already") { $0.present },
    .integer("conflicts", "Conflicts", "bikes that were not added, since their id is that of another bike") {
      $0.conflicts
    },
  ]
}

/// The row of `hw bikes show`: the fields of a bike, and as text its profile and last rentals.
struct BikePage: Row {
  let found: FoundBike
  /// Newest first. Requested for the text format only.
  var rentals: [Rental] = []
  let time: any TimeKeeper

  static let shownRentals = 5

  static let fields: Fields<BikePage> = FoundBike.fields.map { $0.of(\.found) }

  static let text: (@Sendable (BikePage, Screen?) -> String)? = { page, _ in
    let bike = page.found.bike
    var lines = [bike.name.isEmpty ? "Bike \(bike.id)" : "\(bike.name) (\(bike.id))"]
    var facts = page.found.facts
    if let count = bike.pinReaders {
      facts.append(("PIN known", "to \(count) \(count == 1 ? "renter" : "renters")"))
    }
    lines += facts.map { name, value in
      name + String(repeating: " ", count: max(1, 11 - name.utf8.count)) + value
    }
    if !page.rentals.isEmpty { lines += ["", "Last entries"] + page.rentals.map(page.line) }
    return lines.map(\.terminalSafe).joined(separator: "\n") + "\n"
  }

  /// `2026-11-26 19:02  rent by ada, until 2026-11-26 20:10, 350 m`.
  private func line(_ rental: Rental) -> String {
    var text = "\(time.local(rental.at).minutes)  \(rental.action.rawValue)"
    if let user = rental.by { text += " by \(user)" }
    if let end = rental.returnedAt { text += ", until \(time.local(end).minutes)" }
    return text + (rental.meters.map { ", \(Sphere.text($0))" } ?? "")
  }
}
