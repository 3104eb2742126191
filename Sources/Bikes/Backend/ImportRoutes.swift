import HTTP
import JSON
import Server
import System

/// The routes of imports: a file is sent in pieces, and its bikes are added when all are here.
///
/// On a database server, and in a command, they are added in one transaction. A server with a database of its own
/// divides the last step, which would delay its other clients: then the first part decides that all of them are added,
/// also if the server is killed before the last part.
struct ImportRoutes {
  private let services: BikeServices
  private let staged: StagedTable

  init(_ services: BikeServices) {
    self.services = services
    staged = StagedTable(bikes: services.bikes, rowsPerStep: services.slices.rowsPerStep)
  }

  var routes: [Route] {
    [
      Route(.post, "/imports/:upload", handler: stage), Route(.put, "/imports/:upload", handler: finish),
      Route(.delete, "/imports/:upload", handler: drop),
    ]
  }

  /// Bikes in one piece of an import. Other clients wait while it is stored.
  static let bikesPerPiece = 1000

  /// Takes a piece of an import: JSON lines, the first of which has the number `first`.
  private func stage(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let upload = try upload(call)
    let start = try count(call, "first")
    var number = start
    guard call.body.count(where: { $0 == UInt8(ascii: "\n") }) <= ImportRoutes.bikesPerPiece else {
      throw .refused(413, .usage, "a piece of an import has at most \(ImportRoutes.bikesPerPiece) bikes")
    }
    try services.changes.apply { () throws(Failure) in
      try staged.clear(before: IdempotencyTable.expiry(at: services.changes.now))
      guard try !staged.isFinishing(upload) else {
        throw .refused(409, .conflict, "this import is finished, or being finished")
      }
      var rows = JSONStream(MemorySource(call.body))
      while let row = try rows.next() {
        var bike = try ImportedBike(row)
        if !caller.isAdmin {
          (bike.number, bike.owner) = (nil, caller.name)
        } else if bike.number == nil, bike.owner == nil {
          bike.owner = caller.name
        }
        try staged.put(bike, number: number, of: upload, asker: caller.name, at: services.changes.now)
        number += 1
      }
      guard try staged.count(upload, asker: caller.name, in: start..<number) == number - start else {
        throw .refused(409, .conflict, "an import of another user has this id")
      }
      if let name = BikeLimits.limited(caller) {
        try services.limits.lock(name, in: services.bikes)
        // With the bikes that are there it is checked at the end: a file that was imported before adds none.
        let rows = try staged.count(of: name, upTo: services.limits.bikesPerOwner + 1)
        try services.limits.checkStaged(rows)
      }
    }
    return .json(bytes: ImportRoutes.object(["staged": number - start]))
  }

  private func finish(_ call: Call) throws(Failure) -> Response {
    let upload = try upload(call)
    let wanted = try count(call, "rows")
    let digest = try digest(call)
    func begin() throws(Failure) {
      guard try staged.progress(of: upload, asker: call.caller.name) == nil else { return }
      try self.begin(upload, wanted, digest, call)
    }
    if services.slices.divides(call) { try services.changes.requireNoOthers() }
    if services.slices.divides(call), try !services.changes.isAnswered(call, from: call.caller) {
      try services.slices.run(call) { () throws(Failure) in
        let hasMore = try services.changes.apply { () throws(Failure) in
          try begin()
          return try staged.step(upload, asker: call.caller.name, at: services.changes.now)
        }
        // Each part is durable before the next, and in memory before somebody reads it.
        try services.changes.commit()
        services.cache.noteChange()
        try services.cache.follow()
        return hasMore
      }
    }
    return try services.changes.respond(to: call, from: call.caller) { () throws(Failure) in
      try begin()
      while try staged.step(upload, asker: call.caller.name, at: services.changes.now) {}
      guard let result = try staged.progress(of: upload, asker: call.caller.name) else {
        throw Failure(.storage, "the import '\(upload)' has no result")
      }
      return ImportRoutes.object(
        ["added": result.added, "present": result.present], isRepeated: result.isRepeated)
    }
  }

  /// Decides what becomes of the rows.
  private func begin(_ upload: String, _ wanted: Int, _ digest: String?, _ call: Call) throws(Failure) {
    let caller = call.caller
    let (rows, isWhole) = try staged.count(upload, asker: caller.name)
    guard rows == wanted else {
      throw .refused(409, .conflict, "\(rows) of \(wanted) bikes of this import are here")
    }
    guard isWhole else {
      throw .refused(
        409, .conflict,
        "the bikes of this import are not numbered 0 to \(rows - 1): 'first' is how many were sent before a piece"
      )
    }
    var isRepeated = false
    if let digest, call.query["again"] == nil { isRepeated = try staged.knows(digest, of: caller.name) }
    if !isRepeated { try services.limits.checkBikes(of: caller, in: services.bikes, adding: rows) }
    try staged.begin(
      upload, asker: caller.name, isRepeated: isRepeated, digest: digest, at: services.changes.now)
  }

  /// Ends imports that a server did not finish before it was killed.
  func finishInterrupted() throws(Failure) {
    for (upload, asker) in try staged.interrupted() {
      try services.changes.apply { () throws(Failure) in
        while try staged.step(upload, asker: asker, at: services.changes.now) {}
      }
      try services.changes.commit()
    }
  }

  private func drop(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let upload = try upload(call)
    if services.slices.divides(call) { try services.changes.requireNoOthers() }
    switch try staged.progress(of: upload, asker: caller.name)?.state {
    case .adding, .dropping: throw .refused(409, .conflict, "this import is being finished")
    case .done, .repeated: return Response(200)
    case nil: break
    }
    try services.slices.run(call) { () throws(Failure) in
      let hasMore = try services.changes.apply { () throws(Failure) in
        try staged.drop(upload, asker: caller.name)
      }
      if hasMore, services.slices.divides(call) { try services.changes.commit() }
      return hasMore
    }
    return Response(200)
  }

  private func upload(_ call: Call) throws(Failure) -> String {
    let upload = call["upload"]
    guard (8...64).contains(upload.utf8.count), upload.allSatisfy(\.isHexDigit) else {
      throw Failure(.usage, "an import is named by 8 to 64 hexadecimal digits")
    }
    return upload
  }

  private func count(_ call: Call, _ name: String) throws(Failure) -> Int {
    guard let text = call.query[name], let number = Int(text), (0...100_000_000).contains(number) else {
      throw Failure(.usage, "\(name) requires a whole number from 0 to 100000000")
    }
    return number
  }

  /// What identifies the content of the file. The client's hash could be tried with every PIN, so that is not stored.
  private func digest(_ call: Call) throws(Failure) -> String? {
    guard let text = call.query["digest"] else { return nil }
    guard text.utf8.count == 64, text.utf8.allSatisfy(\.isLowercaseHexDigit) else {
      throw Failure(.usage, "digest requires 64 hexadecimal digits")
    }
    return SHA256.hex(Array("\(services.epoch) \(text)".utf8))
  }

  private static func object(_ counts: KeyValuePairs<String, Int>, isRepeated: Bool = false) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      for (name, count) in counts { writer.member(name, count) }
      if isRepeated { writer.member("repeated", true) }
    }
    return writer.bytes
  }
}
