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

/// Applies changes: those of one turn of the server share a commit, and each is applied once for its idempotency key.
struct IdempotentChanges {
  private let table: IdempotencyTable
  private let bikes: BikeTable
  private let group: GroupCommit
  private let cache: BikeReadCache
  private let growth: GrowthLimit
  private let epoch: String
  private let time: any TimeKeeper

  init(
    _ bikes: BikeTable, _ cache: BikeReadCache, _ growth: GrowthLimit, epoch: String, time: any TimeKeeper
  ) {
    self.bikes = bikes
    table = IdempotencyTable(bikes.database)
    group = GroupCommit(bikes.database)
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
  ) throws(Failure) -> Response {
    let key = try key(call)
    let bytes: [UInt8]?
    do throws(Failure) {
      bytes = try apply(call, key, of: caller, rows, body)
    } catch {
      // Another server may have applied the same request just now, after the key was looked for: then it is a repetition,
      // which meets what the request itself has changed.
      guard let key, error.kind != .storage, let earlier = try find(key, call, caller) else { throw error }
      bytes = earlier
    }
    guard let bytes else {
      throw .refused(412, .conflict, "no request with this Idempotency-Key was performed, and none will be")
    }
    cache.noteChange()
    guard !bytes.isEmpty else {
      return Response(200, headers: [IdempotencyKey.lifetimeHeader: IdempotencyTable.lifetimeText])
    }
    return .json(bytes: bytes)
  }

  /// Returns nil if the request was to be canceled: then its key belongs to no request.
  private func apply(
    _ call: Call, _ key: String?, of caller: Caller, _ rows: () -> Int, _ body: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8]? {
    try group.change { () throws(Failure) in
      let isCanceled = call.header(IdempotencyKey.cancelHeader) != nil
      guard let key else {
        guard !isCanceled else { throw Failure(.usage, "Idempotency-Cancel requires an Idempotency-Key") }
        let bytes = try body()
        try growth.count(nil, bytes: rows() * GrowthLimit.bytesPerRow + call.body.count, of: caller, now: now)
        return bytes
      }
      let (user, request) = (caller.name ?? "", request(call))
      if let earlier = try table.find(key, of: user, request: request, now: now) { return earlier }
      let bytes = isCanceled ? [] : try body()
      let size = (isCanceled ? 1 : rows() + 1) * GrowthLimit.bytesPerRow + call.body.count + bytes.count
      try growth.count(key, bytes: size, of: caller, now: now)
      try table.insert(bytes, key: key, of: user, request: isCanceled ? "" : request, now: now)
      return isCanceled ? nil : bytes
    }
  }

  /// The response that the request with this key got.
  private func find(_ key: String, _ call: Call, _ caller: Caller) throws(Failure) -> [UInt8]? {
    try group.change { () throws(Failure) in
      try table.find(key, of: caller.name ?? "", request: request(call), now: now)
    }
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

  /// Lets the requests of a batch lock and read their bikes together. If that fails, each handler locks its own.
  func prepare(_ numbers: [Int]) {
    do throws(Failure) {
      try group.change { () throws(Failure) in try bikes.lockTogether(numbers) }
    } catch {
      bikes.forgetLocked()
    }
  }

  /// Undoes the changes since the last commit.
  func rollback() {
    bikes.forgetLocked()
    growth.undo()
    group.rollback()
    cache.turnEnded()
    cache.clear()
  }

  /// Makes the changes of a turn durable. When that fails, none of them was made.
  func commit() throws(Failure) {
    bikes.forgetLocked()
    cache.turnEnded()
    do throws(Failure) {
      try group.commit()
      growth.commit()
    } catch {
      growth.undo()
      cache.clear()
      throw error
    }
  }
}
