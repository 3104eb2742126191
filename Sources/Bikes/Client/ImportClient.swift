import HTTP
import JSON
import System

/// An import: bikes are staged in pieces and then added atomically.
final class ImportClient {
  private let client: BikesClient
  /// Identifies the import, so that a repeated piece replaces itself.
  private let upload = RandomID.make()
  private var piece: [UInt8] = []
  private var first = 0
  private(set) var rows = 0
  /// Identifies the content: a hash over the pieces, in their order.
  private var digest = ""

  /// A server stores a piece at once: a larger one would delay its other clients.
  private static let pieceSize = 48 << 10

  /// Nil if the server does not support imports: the original accepts one bike at a time.
  init?(_ client: BikesClient) throws(Failure) {
    self.client = client
    guard try send() else { return nil }
  }

  func add(_ bike: ImportedBike) throws(Failure) {
    piece += bike.bytes
    piece.append(UInt8(ascii: "\n"))
    rows += 1
    if piece.count >= ImportClient.pieceSize { _ = try send() }
  }

  /// What became of the staged bikes.
  struct Result {
    var added: Int
    /// Bikes that were there already.
    var present: Int
    /// The file was imported before, so nothing was added.
    var isRepeated: Bool
  }

  /// Adds the staged bikes, unless the same ones were imported before.
  func finish(again: Bool) throws(Failure) -> Result {
    if !piece.isEmpty { _ = try send() }
    let path: URL.Path = "/imports/\(upload)"
    let query: URL.Query = ["rows": String(rows), "digest": digest, "again": again ? "on" : nil]
    do throws(Failure) {
      let request = client.endpoint.request(.put, path, query, headers: client.writeHeaders())
      let response = try client.endpoint.send(request)
      return try client.read(response, request) { json throws(Failure) in
        let isRepeated = try json["repeated"].orNull?.bool ?? false
        let added = try json["added"].int
        return Result(
          added: added, present: isRepeated ? rows : try json["present"].orNull?.int ?? 0,
          isRepeated: isRepeated)
      }
    } catch {
      // Asked again with the same key it would say what became of it; that is what its repetitions did.
      guard error.kind == .connection else { throw error }
      var failure = error
      failure.message += "; the \(rows) bikes may be there all the same"
      failure.hint = "a repeat would bring them twice: look first with 'hw bikes list --anywhere'"
      failure.retryable = false
      throw failure
    }
  }

  /// Discards the staged bikes. If that fails too, the server discards them after a day.
  func drop() {
    guard first > 0 else { return }
    _ = try? client.endpoint.send(.delete, "/imports/\(upload)", headers: client.writeHeaders())
  }

  /// False when the server does not support imports.
  private func send() throws(Failure) -> Bool {
    let path: URL.Path = "/imports/\(upload)"
    // A piece is identified by its position: a repeated piece replaces itself.
    if !piece.isEmpty { digest = SHA256.hex(Array(digest.utf8) + piece) }
    var headers = client.writeHeaders()
    headers["Content-Type"] = "application/jsonl"
    var request = client.endpoint.request(
      .post, path, ["first": String(first)], headers: headers, body: piece)
    request.next = "the same for each further piece, and PUT /imports/\(upload)?rows=N to complete the import"
    let response = try client.endpoint.send(request)
    if response.status == 404, response.mediaType == "text/html" { return false }
    _ = try client.success(response, .post, path)
    first = rows
    piece.removeAll(keepingCapacity: true)
    return true
  }
}
