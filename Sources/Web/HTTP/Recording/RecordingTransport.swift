import System

/// Writes every exchange to a directory (`--record`), failures included, for `ReplayingTransport`.
///
/// The files are numbered across all hw processes that write to the directory. Existing files stay: for a new recording
/// the user empties the directory first. A file that cannot be written is a failure, since an incomplete recording is
/// useless. The directory is created before anything is sent.
public struct RecordingTransport: Transport {
  private let inner: any Transport
  private let folder: String
  private let base: URL
  private let secrets: SentSecrets
  private let time: RecordedTime

  /// Records requests to the service at `base` that have `headers`, and masks their secrets in every exchange. All
  /// exchanges have the time of this call, because the command computes its requests from it.
  public init(_ inner: any Transport, folder: String, base: URL, headers: Headers, clock: any TimeKeeper) {
    self.inner = inner
    self.folder = folder
    self.base = base
    secrets = SentSecrets(headers)
    time = RecordedTime(clock)
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    try Folder.make(folder)
    do throws(Failure) {
      let response = try inner.send(request)
      try record(request, .success(response.response))
      return response
    } catch {
      if RecordingTransport.kinds.contains(error.kind) { try record(request, .failure(error)) }
      throw error
    }
  }

  public func discard(_ request: Request) { inner.discard(request) }

  /// Failures of the network or the service; Ctrl-C and full disks are not recorded.
  private static let kinds: [Failure.Kind] = [.connection, .invalidData, .rateLimited]

  private func record(_ request: Request, _ outcome: Result<Response, Failure>) throws(Failure) {
    let exchange = RecordedExchange(request, outcome, below: base, hiding: secrets, at: time)
    let lock = try LockedFile("\(folder)/.lock")
    let last = try Recording.files(folder).compactMap(\.number).last ?? 0
    guard last < .max else {
      throw Failure(
        .storage, "no number is left for another file in '\(folder)'", hint: "record to an empty directory")
    }
    let name = String(last + 1).zeroPadded(to: 4)
    try File.replace(
      "\(folder)/\(name)-\(exchange.key.label)\(Recording.suffix)", with: Array(exchange.text.utf8))
    // The number is free until the file exists, so the lock is held to the end.
    _ = consume lock
  }
}

enum Recording {
  static let suffix = ".exchange"
  static let format = FileFormat("recording", version: 2)

  static func time(_ folder: String) throws(Failure) -> RecordedTime? {
    for (_, name) in try files(folder) {
      guard let bytes = try File.read("\(folder)/\(name)") else { continue }
      // An invalid file is reported when it is used.
      return (try? RecordingReader.read(bytes))?.time
    }
    return nil
  }

  /// Returns the files in the order of the numbers at the start of their names, and files without a number last.
  static func files(_ folder: String) throws(Failure) -> [(number: Int?, name: String)] {
    try Folder.names(folder).filter { $0.hasSuffix(suffix) }
      .map { name in (Int(Substring(name.utf8.prefix(while: \.isASCIIDigit))), name) }
      .sorted { ($0.number ?? .max, $0.name) < ($1.number ?? .max, $1.name) }
  }
}

extension RecordedExchange.Key {
  /// Makes the file name readable; only the number is significant.
  fileprivate var label: String {
    let path = target.prefix { $0 != "?" }.utf8.map { byte in
      byte.isASCIIAlphanumeric ? byte : UInt8(ascii: "-")
    }
    return method.rawValue + String(decoding: path.prefix(60), as: UTF8.self)
  }
}

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
