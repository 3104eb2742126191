import Command
import HTTP
import JSON
import Server
import System
import Terminal

enum LogFormat: String, ChoiceValue {
  case text
  case json

  var meaning: String {
    switch self {
    case .text: "fields that are separated by spaces"
    case .json: "one JSON object per line"
    }
  }
}

/// The log of a running server on standard error: its messages, and with `--log` a line per request. The server does
/// not wait for the reader: lines that do not fit into the buffer are dropped and counted.
struct ServerLog: Sendable {
  private let writer: BackgroundWriter
  private let format: LogFormat?
  private let verbosity: Int
  private let time: any TimeKeeper

  init(_ context: Context, _ format: LogFormat?) throws(Failure) {
    self.format = format
    verbosity = context.messages.verbosity
    let time = context.time
    self.time = time
    do throws(SystemError) {
      writer = try BackgroundWriter(context.host.errors.unlocked) { lost in
        ServerLog.line(of: "\(lost) lines of the log were lost", format, time)
      }
    } catch {
      throw Failure(.storage, "cannot make a pipe: \(error.text)")
    }
  }

  func report(_ message: String, verbosity needed: Int = 0) {
    if verbosity >= needed { writer.append(ServerLog.line(of: message, format, time)) }
  }

  /// Logs each request; nil without `--log` and `-v`.
  var requestLog: ((AccessRecord) -> Void)? {
    switch format {
    case .text: { writer.append("\($0.text)\n") }
    case .json: { writer.append("\($0.json)\n") }
    case nil: verbosity > 0 ? { report($0.brief) } : nil
    }
  }

  /// Logs each new internal failure, and a lasting one every minute. Nil if the log of requests contains the failures.
  var failureLog: ((Failure) -> Void)? {
    guard requestLog == nil else { return nil }
    var last: (failure: Failure, at: Duration)?
    return { failure in
      let now = time.uptime()
      if let last, last.failure == failure, now - last.at < .seconds(60) { return }
      last = (failure, now)
      report(failure.message)
    }
  }

  var unknownTokenLog: ((_ suite: String, _ client: String) -> Void)? {
    guard format == nil else { return nil }
    return { suite, client in
      report("\(suite): a request with an unknown token\(client.isEmpty ? "" : " from \(client)")")
    }
  }

  func finish() { writer.finish(atMost: .seconds(1), time: time) }

  private static func line(of message: String, _ format: LogFormat?, _ time: any TimeKeeper) -> String {
    guard format == .json else { return "hw: \(message.terminalSafe)\n" }
    let object = JSONWriter.object {
      $0.member("time", time.now().utcWithMilliseconds)
      $0.member("message", message)
    }
    return "\(String(decoding: object, as: UTF8.self))\n"
  }
}

extension AccessRecord {
  fileprivate var brief: String {
    let reason = failure.map { " (\($0.message))" } ?? ""
    return "\(method?.rawValue ?? "-") \(target) → \(status), \(bytes) bytes, \(duration)\(reason)"
  }

  private var milliseconds: Double { (duration / .microseconds(1)).rounded() / 1000 }

  /// `TIME CLIENT USER ID METHOD PATH STATUS BYTES MILLISECONDS`, and the error in quotes; `-` is a missing field.
  fileprivate var text: String {
    func field(_ text: String?) -> String {
      guard let text, !text.isEmpty else { return "-" }
      return text.terminalSafe.replacing(" ", with: "%20")
    }
    let fields = [
      time.utcWithMilliseconds, field(client), field(user), field(id), field(method?.rawValue), field(target),
      "\(status)", "\(bytes)", "\(milliseconds)",
    ]
    let line = fields.joined(separator: " ")
    guard let failure else { return line }
    let message = failure.message.terminalSafe.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\(line) \"\(message)\""
  }

  fileprivate var json: String {
    let object = JSONWriter.object {
      $0.member("time", time.utcWithMilliseconds)
      $0.member("client", client)
      $0.member("user", user)
      $0.member("id", id)
      $0.member("method", method?.rawValue)
      $0.member("path", target)
      $0.member("status", status)
      $0.member("bytes", bytes)
      $0.member("milliseconds", milliseconds)
      $0.member("error", failure?.message)
    }
    return String(decoding: object, as: UTF8.self)
  }
}
