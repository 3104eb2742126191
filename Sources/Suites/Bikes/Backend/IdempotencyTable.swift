import HTTP
import Server
import Store
import System

/// The responses to requests with an `Idempotency-Key`, kept for a day: a request that is repeated after a lost response
/// gets the same one, and nothing is done twice.
final class IdempotencyTable {
  private let database: Database
  /// When the removal of expired responses was begun last, in seconds.
  private var lastRemoval: Int?

  /// How often the expired ones are removed, in seconds: with every change, it would cost each a statement.
  private static let removalInterval = 60
  static let lifetimeText = String(IdempotencyKey.lifetime)

  init(_ database: Database) { self.database = database }

  /// Everything from before this instant has expired.
  static func expiry(at now: Int) -> Int { now - IdempotencyKey.lifetime }

  /// The response to the request with this key; nil for a new key. The same key on another request is refused.
  func find(_ key: String, of user: String, request: String, now: Int) throws(Failure) -> [UInt8]? {
    let known = try database.first(
      "SELECT request, body, at FROM answered WHERE asker = ? AND key = ?", [.text(user), .text(key)]
    ) { row throws(Failure) in (try row[0].text, try row[1].text, try row[2].integer) }
    guard let (earlier, body, at) = known else { return nil }
    guard at >= IdempotencyTable.expiry(at: now) else {
      try database.enqueue("DELETE FROM answered WHERE asker = ? AND key = ?", [.text(user), .text(key)])
      return nil
    }
    guard earlier == request else {
      throw .refused(422, .usage, "this Idempotency-Key belongs to another request")
    }
    // The response may have been stored by a commit that had no response itself.
    try database.confirmReads()
    return Array(body.utf8)
  }

  /// If another server applies a request with the same key just now, its row is in the way: then the transaction is
  /// rolled back, and the repetition finds that row.
  func insert(
    _ body: [UInt8], key: String, of user: String, request: String, now: Int
  ) throws(Failure) {
    try removeExpired(now: now)
    try database.enqueue(
      "INSERT INTO answered (asker, key, request, body, at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(user), .text(key), .text(request), .text(String(decoding: body, as: UTF8.self)), .integer(now),
      ])
  }

  private func removeExpired(now: Int) throws(Failure) {
    if let lastRemoval, (0..<IdempotencyTable.removalInterval).contains(now - lastRemoval) { return }
    try database.enqueue(
      "DELETE FROM answered WHERE at < ?", [.integer(IdempotencyTable.expiry(at: now))])
    lastRemoval = now
  }
}

/// Applies changes inside a transaction, each once for its idempotency key.
struct IdempotentChanges {
  private let table: IdempotencyTable
  private let database: Database
  private let cache: BikeReadCache
  let growth: GrowthLimit
  private let epoch: String
  private let time: any TimeKeeper

  init(
    _ bikes: BikeTable, _ cache: BikeReadCache, _ growth: GrowthLimit, epoch: String, time: any TimeKeeper
  ) {
    database = bikes.database
    table = IdempotencyTable(database)
    self.cache = cache
    self.growth = growth
    self.epoch = epoch
    self.time = time
  }

  /// The time of a change, in seconds.
  var now: Int { Int(time.now().seconds) }

  /// Applies a change, which adds so many `rows`, and responds with the bytes that `body` returns. An error is not kept,
  /// since it changed nothing.
  func respond(
    to call: Call, from caller: Caller, rows: @autoclosure () -> Int = 1,
    _ body: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> Reply {
    let isCanceled = call.header(IdempotencyKey.cancelHeader) != nil
    guard let key = try key(call) else {
      guard !isCanceled else { throw Failure(.usage, "Idempotency-Cancel requires an Idempotency-Key") }
      let bytes = try body()
      try growth.count(nil, bytes: rows() * GrowthLimit.bytesPerRow + call.body.count, of: caller, now: now)
      return response(bytes)
    }
    let (user, request) = (caller.name ?? "", request(call))
    func earlier() throws(Failure) -> Reply? {
      try table.find(key, of: user, request: request, now: now).map(response)
    }
    func keep(_ bytes: [UInt8], _ request: String, rows: Int) throws(Failure) {
      let size = rows * GrowthLimit.bytesPerRow + call.body.count + bytes.count
      try growth.count(key, bytes: size, of: caller, now: now)
      try table.insert(bytes, key: key, of: user, request: request, now: now)
    }
    if let earlier = try earlier() { return earlier }
    guard !isCanceled else {
      // From now on, the key belongs to no request.
      try keep([], "", rows: 1)
      return .refused(
        .refused(412, .conflict, "no request with this Idempotency-Key was performed, and none will be"))
    }
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try database.transaction(body)
    } catch {
      // Another server may have applied the same request just now, after the key was looked for: then it is a repetition,
      // which meets what the request itself has changed.
      guard error.kind != .storage, let earlier = try earlier() else { throw error }
      return earlier
    }
    try keep(bytes, request, rows: rows() + 1)
    return response(bytes)
  }

  private func response(_ bytes: [UInt8]) -> Reply {
    cache.noteChange()
    guard !bytes.isEmpty else {
      return .response(Response(200, headers: [IdempotencyKey.lifetimeHeader: IdempotencyTable.lifetimeText]))
    }
    return .response(.json(bytes: bytes))
  }

  private func key(_ call: Call) throws(Failure) -> String? {
    guard let key = call.header("Idempotency-Key") else { return nil }
    guard (1...64).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Failure(.usage, "an Idempotency-Key has 1 to 64 ASCII characters")
    }
    return key
  }

  /// The parts of a request that must be equal when it is repeated: the method, the path and a hash of the body.
  private func request(_ call: Call) -> String {
    // There are only ten thousand PINs: without a secret, the one in the body could be found from the hash.
    let hash = call.body.isEmpty ? "" : SHA256.hex(Array(epoch.utf8) + call.body)
    return "\(call.method.rawValue) \(call.request.path) \(hash)"
  }
}
