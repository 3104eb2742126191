import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

let installed: RequiredTools = .needs(.libsqlite3)

/// A backend in the process, with what it takes to ask it.
final class TestServer {
  let time = FakeClock()
  let router: Router
  let backend: BikesBackend

  static let carlaAndEmil = [
    "c-token": User("carla", isAdmin: false), "e-token": User("emil", isAdmin: false),
  ]

  /// With `users`, by their tokens, a server that strangers can read.
  init(
    users: [String: User]? = nil, folder: String? = nil, address: String? = nil,
    limits: BikeLimits = BikeLimits(), feed: FeedSystem = FeedSystem(),
    change: (inout BackendSettings) -> Void = { _ in }
  ) throws {
    var settings = BackendSettings(
      store: try TestServer.store(folder: folder, address: address, time: time), hasSamples: false, time: time
    )
    change(&settings)
    backend = try BikesBackend(settings, limits, feed: feed)
    guard let users else {
      router = Router([backend])
      return
    }
    let table = try UserTable(.memory(time: time))
    for (token, user) in users { table.addTemporary(user, token: token) }
    router = Router([backend], access: Access(table, isPublic: true, publicSuites: ["bikes"]))
  }

  private static func store(folder: String?, address: String?, time: FakeClock) throws -> Store {
    if let address = try address ?? StorageEngine.address(for: folder) {
      return Store(try PostgreSQLAddress(address), environment: Environment([:]), time: time)
    }
    return folder.map { Store(folder: $0, time: time) } ?? .memory(time: time)
  }

  var client: BikesClient { client(token: nil) }

  func client(token: String?) -> BikesClient {
    let headers: Headers = if let token { ["X-Authorization": token] } else { [:] }
    return BikesClient(endpoint: Endpoint(URL(scheme: .demo), headers: headers, EmbeddedTransport(router)))
  }

  /// Status and body of a request in HTTP's own words.
  @discardableResult
  func ask(
    _ method: Method, _ path: String, _ body: String = "", headers: Headers = [:]
  ) throws -> (status: Int, text: String, headers: Headers) {
    let response = router.respond(
      to: Request(method, try URL("demo:\(path)"), headers: headers, body: Array(body.utf8)))
    return (response.status, response.text, response.headers)
  }

  /// A request as its handler gets it.
  func call(
    _ method: Method, _ path: String, _ body: String = "", headers: Headers = [:]
  ) throws -> Call {
    let request = Request(method, try URL("demo:\(path)"), headers: headers, body: Array(body.utf8))
    return try router.runner.admit(router.route(try ReceivedRequest(request)))
  }

  /// The first column of the rows.
  func texts(_ sql: String) throws -> [String] {
    try backend.database.rows(sql) { row throws(Failure) in try row[0].text }
  }

  /// Returned rentals of bike 1, one at each of the seconds from 1.
  func addRentals(_ count: Int) throws {
    try backend.database.transaction { () throws(Failure) in
      for second in 1...count {
        _ = try backend.database.run(
          """
          INSERT INTO rental (bike, rented_at, from_latitude, from_longitude, returned_at)
          VALUES (1, ?, 50, 8, 9)
          """, [.integer(second)])
      }
    }
  }

  /// The statuses of changes that a worker gets together.
  func batch(_ requests: (Method, path: String)...) throws -> [Int] {
    let calls = try requests.map { method, path in try call(method, path) }
    defer { router.runner.turnEnded() }
    return router.runner.change(calls, of: 0).map(\.outcome.response.status)
  }
}

extension Call {
  /// A request as a handler gets it.
  static func of(
    _ method: HTTP.Method = .get, _ path: String = "/bikes", headers: Headers = [:],
    from caller: Caller = .local, serverHasUsers: Bool = false
  ) throws -> Call {
    let request = try ReceivedRequest(Request(method, try URL("demo:\(path)"), headers: headers))
    let segments = try #require(PathSegments(request.bytes, request.place(request.head.path)))
    let routed = RoutedRequest(request, .found(backend: 0, route: 0, skipped: 0), path: segments)
    var call = try #require(Call(routed, [[Route(method, path) { _ in Response(200) }]]))
    (call.caller, call.serverHasUsers) = (caller, serverHasUsers)
    return call
  }
}

extension BikesClient {
  /// Rents a bike from a server that says which it was.
  func rent(_ id: String) throws -> Bike {
    guard case .rented(let bike?) = try requestRental(id) else {
      throw Failure(.conflict, "bike \(id) is not ours")
    }
    return bike
  }
}

func body(
  name: String = "\"Wanda\"", color: String = "\"D8433A\"", pin: String = "\"0420\"",
  latitude: String = "50.12", longitude: String = "8.64"
) -> String {
  """
  {"name":\(name),"color":\(color),"pin":\(pin),"location":{"latitude":\(latitude),"longitude":\(longitude)}}
  """
}

func profile(_ name: String = "Wanda", _ pin: String = "0420", at place: Place = place(50.12, 8.64)) throws
  -> BikeProfile
{
  BikeProfile(name: name, color: "D8433A", pin: try #require(Pin(pin)), place: place)
}

/// The place of the user of a map.
let you = place(50.1195, 8.6381)

func bike(
  _ id: String, _ place: Place, name: String = "N", color: String = "00C8E6", rented: Bool = false,
  owner: String? = nil
) -> Bike {
  Bike(id: id, name: name, color: color, pin: nil, place: place, isRented: rented, owner: owner)
}
