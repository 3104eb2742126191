import System

/// Responds from a recording (`--replay`) and sends nothing.
///
/// Equal requests receive their responses in the order of the recording, and then the last one repeatedly: a program
/// that polls may send more requests than were recorded. A request that was not recorded fails.
public final class ReplayingTransport: Transport {
  private let folder: String
  private let base: URL
  private var outcomes: [RecordedExchange.Key: [Result<Response, Failure>]] = [:]
  private var sentCounts: [RecordedExchange.Key: Int] = [:]

  public init(folder: String, base: URL) {
    self.folder = folder
    self.base = base
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    if outcomes.isEmpty { outcomes = try recordedOutcomes() }
    let key = RecordedExchange.Key(request, below: base)
    guard let recorded = outcomes[key] else { throw notRecorded(key) }
    let number = sentCounts[key, default: 0]
    sentCounts[key] = number + 1
    var response = ReceivedResponse(try recorded[min(number, recorded.count - 1)].get())
    response.isRecorded = true
    return response
  }

  private func recordedOutcomes() throws(Failure) -> [RecordedExchange.Key: [Result<Response, Failure>]] {
    var outcomes: [RecordedExchange.Key: [Result<Response, Failure>]] = [:]
    for (_, name) in try Recording.files(folder) {
      guard let bytes = try File.read("\(folder)/\(name)") else { continue }
      try Recording.format.check(headerOf: bytes, in: "\(folder)/\(name)")
      do throws(RecordingReader.SyntaxError) {
        let exchange = try RecordingReader.read(bytes)
        outcomes[exchange.key, default: []].append(exchange.outcome)
      } catch {
        throw Failure(
          .storage, "'\(folder)/\(name)', line \(error.line), \(error.reason)",
          hint: "repair the file, or record it again with --record \(ShellWord(folder).quoted)")
      }
    }
    guard !outcomes.isEmpty else {
      throw Failure(
        .storage, "there is no recording in '\(folder)'",
        hint: "make one with --record \(ShellWord(folder).quoted)")
    }
    return outcomes
  }

  private func notRecorded(_ key: RecordedExchange.Key) -> Failure {
    let hasOtherBody = outcomes.keys.contains { ($0.method, $0.target) == (key.method, key.target) }
    return Failure(
      .connection,
      "'\(key.method.rawValue) \(key.target)' is not in the recording '\(folder)'"
        + (hasOtherBody ? " with this body" : ""),
      hint: "record it with --record \(ShellWord(folder).quoted)"
    ).with(.notRecorded)
  }
}
