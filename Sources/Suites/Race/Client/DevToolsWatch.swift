import HTTP
import JSON
import System

/// The DevTools protocol for one CAPTCHA, as a state machine over messages. Attaches to every page and frame before its
/// scripts run, because frames of other origins, which are separate targets, send the requests of the CAPTCHA.
struct DevToolsWatch {
  private let address: CaptchaAddress
  private var lastID = 0
  private var pages: Set<String> = []
  /// The message that loads the page; nil before it is sent.
  private var navigation: Int?
  private var attempts: Set<Attempt> = []
  private var bodyRequests: Set<Int> = []

  private struct Attempt: Hashable {
    var session: String
    var request: String

    init?(_ session: String, _ parameters: JSON) {
      guard let request = try? parameters["requestId"].string else { return nil }
      self.session = session
      self.request = request
    }
  }

  enum Event: Equatable, Sendable {
    case verdict(CaptchaVerdict)
    /// The window was closed: no page is left.
    case closed
    case notLoaded(String)
  }

  struct Step {
    var messages: [[UInt8]] = []
    var event: Event?
  }

  init(_ address: CaptchaAddress) { self.address = address }

  mutating func begin() -> [[UInt8]] { [autoAttach(session: nil)] }

  mutating func close() -> [UInt8] { message("Browser.close", session: nil) { _ in } }

  mutating func handle(_ text: [UInt8]) -> Step {
    guard let json = try? JSON.parse(text) else { return Step() }
    if let id = try? json["id"].int {
      return Step(event: id == navigation ? loadError(json) : verdict(id, json))
    }
    guard let method = try? json["method"].string else { return Step() }
    let (session, parameters) = ((try? json["sessionId"].string) ?? "", json["params"])
    switch method {
    case "Target.attachedToTarget": return Step(messages: attach(parameters))
    case "Target.detachedFromTarget": return Step(event: detach(parameters))
    case "Network.responseReceived":
      if let status = errorStatus(parameters) { return Step(event: .notLoaded("the response was \(status)")) }
      guard let attempt = Attempt(session, parameters), isVerification(parameters["response"]) else { break }
      attempts.insert(attempt)
    case "Network.loadingFinished":
      guard let attempt = Attempt(session, parameters), attempts.remove(attempt) != nil else { break }
      return Step(messages: [requestResponseBody(attempt)])
    case "Network.loadingFailed":
      if let attempt = Attempt(session, parameters) { attempts.remove(attempt) }
    default: break
    }
    return Step()
  }

  /// The status of the page itself if it is an error.
  private func errorStatus(_ parameters: JSON) -> Int? {
    guard (try? parameters["type"].string) == "Document",
      let url = try? parameters["response"]["url"].string, url == address.text,
      let status = try? parameters["response"]["status"].int, status >= 400
    else { return nil }
    return status
  }

  private func loadError(_ json: JSON) -> Event? {
    if let text = try? json["result"]["errorText"].string, !text.isEmpty { return .notLoaded(text) }
    return (try? json["error"]["message"].string).map(Event.notLoaded)
  }

  private func isVerification(_ response: JSON) -> Bool {
    guard let url = try? response["url"].string, let status = try? response["status"].int else {
      return false
    }
    return status == 200 && CaptchaVerdict.isVerification(url)
  }

  private mutating func attach(_ parameters: JSON) -> [[UInt8]] {
    guard let session = try? parameters["sessionId"].string else { return [] }
    var messages = [
      message("Network.enable", session: session) { _ in }, autoAttach(session: session),
      message("Runtime.runIfWaitingForDebugger", session: session) { _ in },
    ]
    if (try? parameters["targetInfo"]["type"].string) == "page" {
      pages.insert(session)
      if navigation == nil {
        let url = address.text
        messages.append(message("Page.navigate", session: session) { writer in writer.member("url", url) })
        navigation = lastID
      }
    }
    return messages
  }

  private mutating func detach(_ parameters: JSON) -> Event? {
    guard let session = try? parameters["sessionId"].string, pages.remove(session) != nil, pages.isEmpty
    else { return nil }
    return .closed
  }

  private mutating func requestResponseBody(_ attempt: Attempt) -> [UInt8] {
    let request = message("Network.getResponseBody", session: attempt.session) { writer in
      writer.member("requestId", attempt.request)
    }
    bodyRequests.insert(lastID)
    return request
  }

  private mutating func verdict(_ id: Int, _ json: JSON) -> Event? {
    guard bodyRequests.remove(id) != nil else { return nil }
    guard let text = try? json["result"]["body"].string else { return .verdict(.unclear) }
    let isEncoded = (try? json["result"]["base64Encoded"].bool) ?? false
    return .verdict(CaptchaVerdict(body: isEncoded ? Base64.decode(text) ?? [] : Array(text.utf8)))
  }

  private mutating func autoAttach(session: String?) -> [UInt8] {
    message("Target.setAutoAttach", session: session) { writer in
      for name in ["autoAttach", "waitForDebuggerOnStart", "flatten"] { writer.member(name, true) }
    }
  }

  private mutating func message(
    _ method: String, session: String?, _ parameters: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    lastID += 1
    return JSONWriter.object { writer in
      writer.member("id", lastID)
      writer.member("method", method)
      if let session { writer.member("sessionId", session) }
      writer.object("params") { writer in parameters(&writer) }
    }
  }
}
