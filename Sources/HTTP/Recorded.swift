import System

/// Writes every exchange into a folder (`--record`), failures included, to be played by `Replayed`.
///
/// The files are numbered across all hw processes that write into the folder, and what is there stays: who wants a new
/// recording empties the folder first. A recording that misses something is worth nothing, so a file that cannot be
/// written is a failure; a folder that cannot be is found out before anything is sent.
public struct Recorded: Transport {
  let inner: any Transport
  let folder: String

  public init(_ inner: any Transport, folder: String) {
    self.inner = inner
    self.folder = folder
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    try Folder.make(folder)
    do throws(Failure) {
      let response = try inner.send(request)
      try record(RecordedExchange(request, .success(response)))
      return response
    } catch {
      if Recorded.kinds.contains(error.kind) { try record(RecordedExchange(request, .failure(error))) }
      throw error
    }
  }

  /// What the network does. Ctrl-C and full disks are not the service's, and play no second time.
  private static let kinds: [Failure.Kind] = [.connection, .invalidData, .rateLimited]

  private func record(_ exchange: RecordedExchange) throws(Failure) {
    let lock = try LockedFile("\(folder)/.lock")
    let number = (try Recording.files(folder).last?.number ?? 0) + 1
    let digits = String(number)
    let name = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    try File.replace(
      "\(folder)/\(name)-\(exchange.question.label)\(Recording.suffix)", with: Array(exchange.text.utf8))
    // Not before: the number is free until its file stands.
    _ = consume lock
  }
}

/// The files of a recording.
enum Recording {
  static let suffix = ".exchange"

  /// In the order in which they were written: by the number their names begin with.
  static func files(_ folder: String) throws(Failure) -> [(number: Int, name: String)] {
    try Folder.names(folder).filter { $0.hasSuffix(suffix) }
      .map { name in (Int(name.prefix { ("0"..."9").contains($0) }) ?? .max - 1, name) }
      .sorted { $0 < $1 }
  }
}

extension RecordedExchange.Question {
  /// For whoever looks into the folder; only the number before it means anything.
  fileprivate var label: String {
    let path = target.prefix { $0 != "?" }.utf8.map { byte in
      PercentEncoding.isAlphanumeric(byte) ? byte : UInt8(ascii: "-")
    }
    return method.rawValue + String(decoding: path.prefix(60), as: UTF8.self)
  }
}
