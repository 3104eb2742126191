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
      "\(folder)/\(name)-\(exchange.key.label)\(Recording.suffix)", with: Array(exchange.text.utf8))
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

extension RecordedExchange.Key {
  /// For whoever looks into the folder; only the number before it means anything.
  fileprivate var label: String {
    let path = target.prefix { $0 != "?" }.utf8.map { byte in
      PercentEncoding.isAlphanumeric(byte) ? byte : UInt8(ascii: "-")
    }
    return method.rawValue + String(decoding: path.prefix(60), as: UTF8.self)
  }
}

/// Answers from a recording (`--replay`), and sends nothing.
///
/// Equal requests get their answers in the order of the recording, and the last of these again and again: a program
/// that polls may ask more often than it did. What was not recorded is a failure.
public final class Replayed: Transport {
  private let folder: String
  private let progress: String?
  private var exchanges: [(name: String, exchange: RecordedExchange)] = []
  private var played: Set<String> = []

  /// Where a script runs hw more than once, its runs play one recording together if all are given the same file for
  /// their `progress`: one that is missing or empty when the script begins. Without one, each begins at the start.
  public init(folder: String, progress: String? = nil) {
    self.folder = folder
    self.progress = progress
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    if exchanges.isEmpty { exchanges = try load() }
    let key = RecordedExchange.Key(request)
    let answers = exchanges.filter { $0.exchange.key == key }
    guard let last = answers.last else { throw unknown(key) }
    let outcome = try choose { played in answers.first { !played.contains($0.name) } ?? last }
    return try outcome.exchange.outcome.get()
  }

  private typealias Named = (name: String, exchange: RecordedExchange)

  /// What `choice` makes of the names that have been played, and notes that this one has been, too.
  private func choose(_ choice: (Set<String>) -> Named) throws(Failure) -> Named {
    guard let progress else {
      let chosen = choice(played)
      played.insert(chosen.name)
      return chosen
    }
    let file = try LockedFile(progress)
    let text = String(decoding: try file.read(atMost: 1 << 20), as: UTF8.self)
    let played = Set(text.split(separator: "\n").map(String.init))
    let chosen = choice(played)
    if !played.contains(chosen.name) { try file.write(Array("\(text)\(chosen.name)\n".utf8)) }
    return chosen
  }

  private func load() throws(Failure) -> [Named] {
    var exchanges: [Named] = []
    for (_, name) in try Recording.files(folder) {
      guard let bytes = try File.read("\(folder)/\(name)") else { continue }
      do throws(RecordingReader.SyntaxError) {
        exchanges.append((name, try RecordingReader.read(bytes)))
      } catch {
        throw Failure(
          .storage, "'\(folder)/\(name)', line \(error.line), \(error.reason)",
          hint: "mend the file, or record it anew with --record '\(folder)'")
      }
    }
    guard !exchanges.isEmpty else {
      throw Failure(
        .storage, "there is no recording in '\(folder)'", hint: "make one with --record '\(folder)'")
    }
    return exchanges
  }

  private func unknown(_ key: RecordedExchange.Key) -> Failure {
    let isKnown = exchanges.contains {
      ($0.exchange.key.method, $0.exchange.key.target) == (key.method, key.target)
    }
    return Failure(
      .connection,
      "'\(key.method.rawValue) \(key.target)' is not in the recording '\(folder)'"
        + (isKnown ? " with this body" : ""),
      hint: "record it with --record '\(folder)'")
  }
}
