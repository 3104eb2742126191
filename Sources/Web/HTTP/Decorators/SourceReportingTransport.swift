import JSON
import System

/// Reports the source and the age of each response (`HW_META=on`), as one line of JSON.
public struct SourceReportingTransport: Transport {
  public enum Origin: String, Sendable {
    case network
    case embedded
    case recording
  }

  let inner: any Transport
  let origin: Origin
  let time: any TimeKeeper
  let report: (String) -> Void

  public init(
    _ inner: any Transport, from origin: Origin, time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.origin = origin
    self.time = time
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let response = try inner.send(request)
    let line = JSONWriter.object { writer in
      writer.member("source", Secrets.shown(request.url))
      writer.member("asOf", asOf(response))
      writer.member("from", response.isCached ? "cache" : origin.rawValue)
      writer.member("status", response.status)
    }
    report(String(decoding: line, as: UTF8.self))
    return response
  }

  public func discard(_ request: Request) { inner.discard(request) }

  /// Time at which the service made the response, in seconds since 1970. Nil if a recording does not contain it.
  private func asOf(_ response: ReceivedResponse) -> Int64? {
    if origin == .recording { return response.headers["Date"].flatMap { HTTPDate.parse($0) }?.seconds }
    return time.now().seconds - (response.age ?? 0)
  }
}
