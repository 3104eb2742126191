import HTTP
import JSON
import Server
import Store
import System

extension Failure {
  /// A failure with a status of its own.
  static func refused(_ status: Int, _ kind: Kind, _ message: String) -> Failure {
    Failure(kind, message, cause: .response(status: status))
  }
}

extension Response {
  /// A response with a body of JSON. It may contain a PIN, so no cache may keep it.
  static func json(_ status: Int = 200, bytes: [UInt8]) -> Response {
    Response(
      status,
      headers: [
        "Content-Type": "application/json", "Cache-Control": "no-store",
        IdempotencyKey.lifetimeHeader: IdempotencyTable.lifetimeText,
      ], body: bytes)
  }
}

extension ErrorStyle {
  /// Plain text with a bicycle, as the original writes it, or JSON for a client that accepts it. Internal errors are
  /// described in the log alone.
  static let bikes = ErrorStyle({ status, failure, prefersJSON in
    let status = if case .response(let own, _) = failure.cause { own } else { status }
    let text =
      switch status {
      case ..<500: failure.message
      case 503 where failure.outcomeUnknown:
        "the connection to the database was lost: whether this was done is unknown"
      // A proxy may have sent the request to another server before, so neither text says what was changed.
      case 503 where failure.storageProblem == .unavailable || failure.storageProblem == .denied:
        "the store is not available: retry later"
      case 503 where failure.kind == .storage: "another request is writing: retry"
      case 507 where failure.kind == .storage: "there is no room left here, and nothing was changed"
      default: "something went wrong here"
      }
    guard prefersJSON else {
      return Response(
        status,
        headers: [
          "Content-Type": "text/plain; charset=utf-8",
          IdempotencyKey.lifetimeHeader: IdempotencyTable.lifetimeText,
        ], body: Array("🚲 \(text)\n".utf8))
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
    return .json(status, bytes: writer.bytes)
  })
}
