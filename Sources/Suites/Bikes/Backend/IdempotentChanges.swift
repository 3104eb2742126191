import HTTP
import Server
import Store
import System

/// Applies changes once per idempotency key. A request that is repeated within a day gets the stored response.
final class IdempotentChanges {
  private let database: Database
  private let cache: BikeReadCache
  let growth: GrowthLimit
  private let epoch: String
  private let time: any TimeKeeper
  /// Time of the last removal of expired responses, in seconds.
  private var lastRemoval: Int?

  /// Seconds between removals. With every change a removal would cost a statement.
  private static let removalInterval = 60

  init(
    _ bikes: BikeTable, _ cache: BikeReadCache, _ growth: GrowthLimit, epoch: String, time: any TimeKeeper
  ) {
    database = bikes.database
    self.cache = cache
    self.growth = growth
    self.epoch = epoch
    self.time = time
  }

  var now: Int { Int(time.now().seconds) }

  /// Applies a change, and responds with the bytes from `body`. Errors are not stored. `rows` returns the number of rows
  /// that `body` has added.
  func respond(
    to call: Call, from caller: Caller, rows: () -> Int = { 1 },
    _ body: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> Reply {
    let isCanceled = call.header(IdempotencyKey.cancelHeader) != nil
    guard let key = try key(call) else {
      guard !isCanceled else { throw Failure(.usage, "Idempotency-Cancel requires an Idempotency-Key") }
      let bytes = try body()
      try growth.count(
        keys: 0, bytes: rows() * GrowthLimit.bytesPerRow + call.body.count, of: caller, now: now)
      return response(bytes)
    }
    let (user, request) = (caller.name ?? "", request(call))
    func keep(_ bytes: [UInt8], _ request: String, rows: Int) throws(Failure) {
      let size = rows * GrowthLimit.bytesPerRow + call.body.count + bytes.count
      try growth.count(keys: 1, bytes: size, of: caller, now: now)
      try store(bytes, key: key, of: user, request: request)
    }
    if let earlier = try earlier(key, of: user, request: request) { return earlier }
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
      // Another server may have applied this request since the search. Then `body` failed because of the change itself.
      guard error.kind != .storage, let earlier = try earlier(key, of: user, request: request) else {
        throw error
      }
      return earlier
    }
    try keep(bytes, request, rows: rows() + 1)
    return response(bytes)
  }

  /// The stored response; nil for a new key. Fails if the key belongs to another request.
  private func earlier(_ key: String, of user: String, request: String) throws(Failure) -> Reply? {
    let known = try database.first(
      "SELECT request, body, at FROM answered WHERE asker = ? AND key = ?", [.text(user), .text(key)]
    ) { row throws(Failure) in (try row[0].text, try row[1].text, try row[2].integer) }
    guard let (stored, body, at) = known else { return nil }
    guard at >= IdempotencyKey.oldest(at: now) else {
      try database.enqueue("DELETE FROM answered WHERE asker = ? AND key = ?", [.text(user), .text(key)])
      return nil
    }
    guard stored == request else {
      throw .refused(422, .usage, "this Idempotency-Key belongs to another request")
    }
    // The response may be a part of a commit that is not confirmed.
    try database.confirmReads()
    return response(Array(body.utf8))
  }

  /// Fails if another server applies this request now; the repeated transaction then finds the other response.
  private func store(_ body: [UInt8], key: String, of user: String, request: String) throws(Failure) {
    try removeExpired()
    try database.enqueue(
      "INSERT INTO answered (asker, key, request, body, at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(user), .text(key), .text(request), .text(String(decoding: body, as: UTF8.self)), .integer(now),
      ])
  }

  private func removeExpired() throws(Failure) {
    if let lastRemoval, (0..<IdempotentChanges.removalInterval).contains(now - lastRemoval) { return }
    try database.enqueue("DELETE FROM answered WHERE at < ?", [.integer(IdempotencyKey.oldest(at: now))])
    lastRemoval = now
  }

  private func response(_ bytes: [UInt8]) -> Reply {
    cache.noteChange()
    guard !bytes.isEmpty else {
      return .response(Response(200, headers: [IdempotencyKey.lifetimeHeader: IdempotencyKey.lifetimeText]))
    }
    return .response(.uncached(json: bytes))
  }

  private func key(_ call: Call) throws(Failure) -> String? {
    guard let key = call.header("Idempotency-Key") else { return nil }
    guard (1...64).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Failure(.usage, "an Idempotency-Key has 1 to 64 ASCII characters")
    }
    return key
  }

  /// Parts that must be equal in a repeated request: method, path, and a hash of the body.
  private func request(_ call: Call) -> String {
    // There are only ten thousand PINs: without the secret, a hash would reveal the one in the body.
    let hash = call.body.isEmpty ? "" : SHA256.hex(Array(epoch.utf8) + call.body)
    return "\(call.method.rawValue) \(call.request.path) \(hash)"
  }
}
