import HTTP
import JSON
import Server
import Store
import System

extension Failure {
  static func refused(_ status: Int, _ kind: Kind, _ message: String) -> Failure {
    Failure(kind, message, cause: .response(status: status))
  }
}

extension Response {
  /// JSON that no cache may store, because it can contain a PIN.
  static func uncached(_ status: Int = 200, json: [UInt8]) -> Response {
    Response(
      status,
      headers: [
        "Content-Type": "application/json", "Cache-Control": "no-store",
        IdempotencyKey.lifetimeHeader: IdempotencyKey.lifetimeText,
      ], body: json)
  }
}

extension ErrorStyle {
  /// Plain text with a bicycle as in the original, or JSON if accepted. Details of internal errors are only logged.
  static let bikes = ErrorStyle({ status, failure, prefersJSON in
    let status = if case .response(let own, _) = failure.cause { own } else { status }
    let text =
      switch status {
      case ..<500: failure.message
      case 503 where failure.outcomeUnknown:
        "the connection to the database was lost: whether this was done is unknown"
      // A proxy may have sent the request to another server before, so these texts do not say that nothing was changed.
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
          IdempotencyKey.lifetimeHeader: IdempotencyKey.lifetimeText,
        ], body: Array("🚲 \(text)\n".utf8))
    }
    let body = JSONWriter.object { writer in
      writer.object("error") { writer in
        writer.member("kind", failure.kind.rawValue)
        writer.member("message", text)
      }
    }
    return .uncached(status, json: body)
  })
}
