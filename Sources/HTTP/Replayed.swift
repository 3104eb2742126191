import System

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
    let question = RecordedExchange.Question(request)
    let answers = exchanges.filter { $0.exchange.question == question }
    guard let last = answers.last else { throw unknown(question) }
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
      do throws(RecordingReader.Fault) {
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

  private func unknown(_ question: RecordedExchange.Question) -> Failure {
    let isKnown = exchanges.contains {
      ($0.exchange.question.method, $0.exchange.question.target) == (question.method, question.target)
    }
    return Failure(
      .connection,
      "'\(question.method.rawValue) \(question.target)' is not in the recording '\(folder)'"
        + (isKnown ? " with this body" : ""),
      hint: "record it with --record '\(folder)'")
  }
}
