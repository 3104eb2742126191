import HTTP
import System

/// Reports the messages about a feed in recorded responses.
struct WarningTransport: Transport {
  let inner: any Transport
  let report: (String) -> Void

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let response = try inner.send(request)
    for field in response.headers.fields where field.name == FeedTranslation.warning { report(field.value) }
    return response
  }
}
