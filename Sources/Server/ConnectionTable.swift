import System

/// The connections, by the token that events carry. A place is used again, a token never: an event that was under
/// way when its connection closed finds nobody.
struct ConnectionTable {
  private var places: [Connection?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var all: [Connection] { places.compactMap { $0 } }

  subscript(_ token: UInt64) -> Connection? {
    let place = Int(token & 0xFF_FFFF)
    guard place < places.count, let connection = places[place], connection.token == token else { return nil }
    return connection
  }

  mutating func insert(_ socket: Socket, _ limits: RequestLimits, deadline: Duration) -> Connection {
    let place = free.popLast() ?? places.count
    // From 1 on: the tokens of generation 0 are the server's own.
    generation &+= 1
    let token = (generation &<< 24) | UInt64(place)
    let connection = Connection(socket, token: token, limits: limits, deadline: deadline)
    if place == places.count { places.append(connection) } else { places[place] = connection }
    count += 1
    return connection
  }

  mutating func remove(_ connection: Connection) {
    let place = Int(connection.token & 0xFF_FFFF)
    guard self[connection.token] != nil else { return }
    places[place] = nil
    free.append(place)
    count -= 1
  }
}
