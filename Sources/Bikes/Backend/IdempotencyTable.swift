import HTTP
import Server
import Store
import System

/// The answers to requests that carried an `Idempotency-Key`, kept for a day: who asks again after a lost answer gets
/// the same one, and nothing is done twice.
struct AnsweredTable {
  let database: Database

  static let kept = 86_400
  /// Says to a client, in every answer, that keys are understood and for how many seconds.
  static let header = "Idempotency-Key-Kept"
  static let keeps = String(kept)

  /// The answer that was given under this key; nil for a new one. The same key on another request is refused.
  func find(_ key: String, of asker: String, request: String, now: Int) throws(Failure) -> [UInt8]? {
    let known = try database.first(
      "SELECT request, body FROM answered WHERE asker = ? AND key = ? AND at >= ?",
      [.text(asker), .text(key), .integer(now - AnsweredTable.kept)]
    ) { row throws(Failure) in (try row[0].text, try row[1].text) }
    guard let (earlier, body) = known else { return nil }
    guard earlier == request else {
      throw .refused(422, .usage, "this Idempotency-Key belongs to another request")
    }
    return Array(body.utf8)
  }

  func keep(
    _ body: [UInt8], under key: String, of asker: String, request: String, now: Int
  ) throws(Failure) {
    try database.run("DELETE FROM answered WHERE at < ?", [.integer(now - AnsweredTable.kept)])
    try database.run(
      "INSERT INTO answered (asker, key, request, body, at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(asker), .text(key), .text(request), .text(String(decoding: body, as: UTF8.self)), .integer(now),
      ])
  }
}

extension BikesBackend {
  /// Makes a change and answers with `body`'s bytes, once for each key; a refusal is not kept, since it changed nothing.
  func once(
    _ call: Call, _ caller: Caller, _ body: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> Response {
    let key = call.header("Idempotency-Key")
    if let key, !(1...255).contains(key.utf8.count) {
      throw Failure(.usage, "an Idempotency-Key has 1 to 255 bytes")
    }
    let bytes = try group.change { () throws(Failure) in
      guard let key else { return try body() }
      let asker = caller.name ?? ""
      // The PIN in the body is not to be read from the hash: there are only ten thousand.
      let request =
        "\(call.method.rawValue) \(call.request.path) \(call.body.isEmpty ? "" : digest(call.body))"
      if let earlier = try answered.find(key, of: asker, request: request, now: now) { return earlier }
      let bytes = try body()
      try answered.keep(bytes, under: key, of: asker, request: request, now: now)
      return bytes
    }
    view.noteChange()
    var response = Response(200, headers: [AnsweredTable.header: AnsweredTable.keeps], body: bytes)
    if !bytes.isEmpty { response.headers["Content-Type"] = "application/json" }
    return response
  }

  private func digest(_ body: [UInt8]) -> String { SHA256.hex(Array(epoch.utf8) + body) }
}
