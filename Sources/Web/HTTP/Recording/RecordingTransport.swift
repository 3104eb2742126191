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
