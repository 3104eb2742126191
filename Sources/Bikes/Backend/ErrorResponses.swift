import HTTP
import JSON
import Server
import System

extension Failure {
  /// A failure that the service answers with a status of its own.
  static func refused(_ status: Int, _ kind: Kind, _ message: String) -> Failure {
    Failure(kind, message, details: [Detail("status", .integer(status))])
  }

  fileprivate var ownStatus: Int? {
    for detail in details where detail.name == "status" {
      if case .integer(let status) = detail.value { return status }
    }
    return nil
  }
}

extension BikesBackend {
  /// Plain text with a bicycle, as the original has it, or JSON for who asks for that. What went wrong inside is for the
  /// log alone.
  static let errors = ErrorStyle(orJSON: { status, failure, wantsJSON in
    let status = failure.ownStatus ?? status
    let text =
      switch status {
      case ..<500: failure.message
      case 503 where failure.kind == .storage:
        "somebody else is writing here just now, and nothing was changed: try again"
      case 507 where failure.kind == .storage: "there is no room left here, and nothing was changed"
      default: "something went wrong here"
      }
    var response = Response(status, headers: [AnsweredTable.header: AnsweredTable.keeps])
    guard wantsJSON else {
      response.headers["Content-Type"] = "text/plain; charset=utf-8"
      response.body = Array("🚲 \(text)\n".utf8)
      return response
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("error")
      writer.object { writer in
        writer.key("kind")
        writer.string(failure.kind.rawValue)
        writer.key("message")
        writer.string(text)
      }
    }
    response.headers["Content-Type"] = "application/json"
    response.body = writer.bytes
    return response
  })
}

extension Circle {
  /// The circle that a query asks for; nil when it names no place. The original takes no notice of what it does not
  /// understand, and then answers with every bike there is: here that is an error.
  init?(asked query: Query) throws(Failure) {
    let (latitude, longitude) = (query["latitude"], query["longitude"])
    guard latitude != nil || longitude != nil else { return nil }
    guard let latitude, let longitude else {
      throw Failure(.usage, "latitude and longitude go together")
    }
    guard let north = Place.number(latitude), Place.latitudes.contains(north) else {
      throw Failure(.usage, "latitude wants a number from -90 to 90, not '\(latitude)'")
    }
    guard let east = Place.number(longitude), let place = Place(latitude: north, longitude: east) else {
      throw Failure(.usage, "longitude wants a number from -180 to 180, not '\(longitude)'")
    }
    var metres = Circle.usualMetres
    if let text = query["radius"] {
      guard let radius = Place.number(text), radius >= 0 else {
        throw Failure(.usage, "radius wants a number of metres, not '\(text)'")
      }
      metres = radius
    }
    self.init(place, metres: metres)
  }

  static let usualMetres = 1000.0
}
