import System

/// Logs every request (`-v`), with headers (`-vv`): one line without control characters, and masked secrets.
public struct LoggingTransport: Transport {
  let inner: any Transport
  let detail: Detail
  let time: any TimeKeeper
  let report: (String) -> Void

  public enum Detail: Sendable {
    case line
    case messages
  }

  public init(
    _ inner: any Transport, detail: Detail, time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.detail = detail
    self.time = time
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let line = "\(Secrets.shown(request)) → "
    let start = time.uptime()
    func elapsed() -> String { "\((time.uptime() - start).wholeMilliseconds) ms" }
    let secrets = SentSecrets(request)
    do throws(Failure) {
      let response = try inner.send(request)
      let size = response.body.count
      report("\(line)\(response.status), \(size) \(size == 1 ? "byte" : "bytes"), \(elapsed())")
      if detail == .messages {
        show(request.headers, hiding: secrets, sign: ">")
        show(response.headers, hiding: secrets, sign: "<")
      }
      return response
    } catch {
      report("\(line)\(secrets.masked(error.message).terminalSafe), \(elapsed())")
      if detail == .messages { show(request.headers, hiding: secrets, sign: ">") }
      throw error
    }
  }

  private func show(_ headers: Headers, hiding secrets: SentSecrets, sign: String) {
    for field in headers.fields {
      report("\(sign) \(field.name): \(secrets.masked(Secrets.shown(field)))".terminalSafe)
    }
  }
}
