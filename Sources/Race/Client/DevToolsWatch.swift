import HTTP
import JSON
import System

/// The conversation with a browser about one CAPTCHA, as a machine: what the browser says goes in, what is said to it
/// and what that means comes out.
///
/// It attaches to every page and every frame before they run, since the CAPTCHA's own requests are made by frames of
/// other origins, which are targets of their own.
struct DevToolsWatch {
  private let address: CaptchaAddress
  private var lastID = 0
  private var pages: Set<String> = []
  private var isOnItsWay = false
  /// Requests for a verification that are still under way, by session and number.
  private var attempts: Set<Attempt> = []
  /// The bodies that were asked for, by the number of the question.
  private var bodies: Set<Int> = []

  private struct Attempt: Hashable {
    var session: String
    var request: String

    init?(_ session: String, _ parameters: JSON) {
      guard let request = try? parameters["requestId"].string else { return nil }
      self.session = session
      self.request = request
    }
  }

  enum Finding: Equatable, Sendable {
    case verdict(CaptchaVerdict)
    /// No page is left: somebody closed the window.
    case closed
  }

  struct Step {
    var messages: [[UInt8]] = []
    var finding: Finding?
  }

  init(_ address: CaptchaAddress) {
    self.address = address
  }

  mutating func begin() -> [[UInt8]] { [autoAttach(session: nil)] }

  mutating func close() -> [UInt8] { message("Browser.close", session: nil) { _ in } }

  /// What the browser says is read with suspicion, and what means nothing here is passed over.
  mutating func handle(_ text: [UInt8]) -> Step {
    guard let json = try? JSON.parse(text) else { return Step() }
    if let id = try? json["id"].int { return Step(finding: body(id, json)) }
    guard let method = try? json["method"].string else { return Step() }
    let (session, parameters) = ((try? json["sessionId"].string) ?? "", json["params"])
    switch method {
    case "Target.attachedToTarget": return Step(messages: attach(parameters))
    case "Target.detachedFromTarget": return Step(finding: detach(parameters))
    case "Network.responseReceived":
      guard let attempt = Attempt(session, parameters), isVerification(parameters["response"]) else { break }
      attempts.insert(attempt)
    case "Network.loadingFinished":
      guard let attempt = Attempt(session, parameters), attempts.remove(attempt) != nil else { break }
      return Step(messages: [askForBody(attempt)])
    case "Network.loadingFailed":
      if let attempt = Attempt(session, parameters) { attempts.remove(attempt) }
    default: break
    }
    return Step()
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
      if !isOnItsWay {
        isOnItsWay = true
        let url = address.text
        messages.append(
          message("Page.navigate", session: session) { writer in
            writer.member("url", url)
          })
      }
    }
    return messages
  }

  private mutating func detach(_ parameters: JSON) -> Finding? {
    guard let session = try? parameters["sessionId"].string, pages.remove(session) != nil, pages.isEmpty
    else {
      return nil
    }
    return .closed
  }

  private mutating func askForBody(_ attempt: Attempt) -> [UInt8] {
    let question = message("Network.getResponseBody", session: attempt.session) { writer in
      writer.member("requestId", attempt.request)
    }
    bodies.insert(lastID)
    return question
  }

  private mutating func body(_ id: Int, _ json: JSON) -> Finding? {
    guard bodies.remove(id) != nil else { return nil }
    guard let text = try? json["result"]["body"].string else { return .verdict(.unclear) }
    let isEncoded = (try? json["result"]["base64Encoded"].bool) ?? false
    return .verdict(CaptchaVerdict(body: isEncoded ? Base64.decode(text) ?? [] : Array(text.utf8)))
  }

  private mutating func autoAttach(session: String?) -> [UInt8] {
    message("Target.setAutoAttach", session: session) { writer in
      for name in ["autoAttach", "waitForDebuggerOnStart", "flatten"] {
        writer.member(name, true)
      }
    }
  }

  private mutating func message(
    _ method: String, session: String?, _ parameters: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    lastID += 1
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", lastID)
      writer.member("method", method)
      if let session {
        writer.member("sessionId", session)
      }
      writer.object("params") { writer in parameters(&writer) }
    }
    return writer.bytes
  }
}
