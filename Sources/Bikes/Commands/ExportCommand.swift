import Command
import JSON
import Output
import System

extension Bikes {
  static let pins = Option(
    "pins", "Write the PINs as well, as far as the server shows them",
    details: "Whoever reads them can open the padlocks: keep such a file to yourself.")
  static let geojson = Option("geojson", "Write GeoJSON (RFC 7946)")

  static let export = Command(
    "export", "Write all bikes, for another program or to bring them back",
    discussion: """
      Every bike there is, as JSON lines unless another format is asked for. 'hw bikes import' reads every one of them \
      back, if they were written with --pins: without a PIN a bike cannot be rented.
      """,
    options: [pins, geojson, tokenFile],
    output: .rows(ExportedBike.self, text: "A line of JSON a bike."),
    needs: [.network],
    examples: [
      Example("hw bikes export --csv", "for a spreadsheet"),
      Example("hw bikes export --geojson > bikes.geojson", "for a map"),
      Example("(umask 077; hw bikes export --pins > bikes.jsonl)", "a copy, for yourself alone"),
    ],
    failures: [.connection, .invalidData, .unauthorized]
  ) { call, context throws(Failure) in
    let bikes = try client(context).bikes()
    let shows = call[pins]
    guard !call[geojson] else {
      let text = GeoJSON.collection(bikes) { bike, writer in
        GeoJSON.feature(bike, distance: nil, pin: shows ? bike.pin : nil, &writer)
      }
      return try context.output.outlet.write(String(decoding: text, as: UTF8.self))
    }
    try context.output.write(bikes.lazy.map { ExportedBike(bike: $0, pin: shows ? $0.pin : nil) })
  }
}

/// A bike with everything that an import wants.
struct ExportedBike: Row {
  let bike: Bike
  let pin: Pin?

  static let fields: Fields<ExportedBike> = [
    .text("id", "Id", "its id at this service; an import gives another") { $0.bike.id },
    .text("name", "Name", "what its owner calls it") { $0.bike.name },
    .text("color", "Colour", "of the frame, six hexadecimal digits") { $0.bike.color },
    .text("pin", "PIN", "opens its padlock; null without --pins", orNull: { $0.pin?.digits }),
    .number("location.latitude", "Latitude", "degrees north, WGS 84") { $0.bike.place.latitude },
    .number("location.longitude", "Longitude", "degrees east, WGS 84") { $0.bike.place.longitude },
    .flag("rented", "Rented", "whether somebody has it out") { $0.bike.isRented },
  ]

  static let text: (@Sendable (ExportedBike, Screen?) -> String)? = { row, _ in
    var writer = JSONWriter()
    row.bike.write(to: &writer, pin: row.pin)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
