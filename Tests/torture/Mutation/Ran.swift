import Foundation
import System
import TestSupport
import Terminal

@testable import Command
@testable import hw

/// A run of the whole program in this process.
struct Ran {
  var status: Int32
  var output: [UInt8]
  var errors: [UInt8]

  struct Surroundings {
    var variables: [String: String] = [:]
    var input: [UInt8] = []
    /// Standard output and standard error are terminals. Nobody is at the keyboard.
    var isOnTerminal = false
    /// Waiting takes the time it takes.
    var hasRealTime = false

    init(home: ScratchDirectory, url: String? = "demo:") {
      variables = ["HOME": home.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "PATH": "/nonexistent"]
      variables["HW_URL"] = url
    }
  }

  init(_ words: [String], in surroundings: Surroundings) {
    let (output, errors) = (MemorySink(), MemorySink())
    let clock: any TimeKeeper = surroundings.hasRealTime ? SystemTime() : PatientClock()
    let size = WindowSize(columns: 80, rows: 24)
    let host = Host(
      environment: Environment(surroundings.variables), time: clock,
      input: Host.InputStream(MemorySource(surroundings.input)),
      output: Host.OutputStream(
        output, isTerminal: surroundings.isOnTerminal, size: { surroundings.isOnTerminal ? size : nil }),
      errors: ErrorStream(errors, isTerminal: surroundings.isOnTerminal, columns: { 80 }))
    switch Runner(.hw, host).run(words) {
    case .success(let status): self.status = status.code
    case .failure(let failure): status = failure.kind.exitCode
    }
    self.output = output.bytes
    self.errors = errors.bytes
  }

  /// What no run may do, whatever it is given.
  func problem(after words: [String], isOnTerminal: Bool = false) -> String? {
    // Only where nothing else says anything about the format; and some commands print text whatever is asked for.
    let others = ["--csv", "--tsv", "--jsonl", "--null", "--no-json", "--no-csv", "--no-tsv", "--output"]
    let isOther = { (word: String) in
      others.contains { word.hasPrefix($0) } || (word.hasPrefix("-") && !word.hasPrefix("--"))
    }
    let prefersJSON = words.contains("--json") && !words.contains(where: isOther)
    let hasRows =
      (try? Program.hw.command(Array(words.prefix(words.first == "rows" ? 1 : 2))))?.output.schemaRoot != nil
    let known: [Int32] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130]
    if !known.contains(status) {
      return "status \(status): \(String(decoding: errors.prefix(300), as: UTF8.self))"
    }
    if status > 1, errors.isEmpty, status != 130 { return "status \(status) without a message" }
    if let problem = TerminalText.problem(errors, hidden: !words.contains { $0.contains("json") }) {
      return "on standard error: \(problem)"
    }
    if isOnTerminal, let problem = TerminalText.problem(output) { return "on standard output: \(problem)" }
    let isAboutItself = !Set(words).isDisjoint(with: ["-h", "--help", "--version", "--explain"])
    if prefersJSON, hasRows, !isAboutItself, status == 0, !NaiveJSON.stream(output).isWhole {
      return "the output is not JSON: \(String(decoding: output.prefix(300), as: UTF8.self))"
    }
    return nil
  }
}

/// A command line of an input: words that U+001F separates, of which a last `--terminal` is none of the command's.
struct InputLine {
  var words: [String]
  var isOnTerminal = false

  init(_ bytes: some Collection<UInt8>) {
    words = String(decoding: bytes, as: UTF8.self).split(
      separator: "\u{1F}", omittingEmptySubsequences: false
    ).map(String.init)
    if words == [""] { words = [] }
    isOnTerminal = words.last == "--terminal"
    if isOnTerminal { words.removeLast() }
  }

  func problem(in home: ScratchDirectory, options: [String] = [], input: [UInt8] = []) -> String? {
    var surroundings = Ran.Surroundings(home: home)
    (surroundings.isOnTerminal, surroundings.input) = (isOnTerminal, input)
    return Ran(words + options, in: surroundings).problem(after: words, isOnTerminal: isOnTerminal)
  }
}

/// A clock on which waiting takes no time, until a command has waited so often that it would wait for ever.
private final class PatientClock: TimeKeeper {
  private let clock = FakeClock(Timestamp(seconds: 1_736_942_400))
  private let limit = 200

  func now() -> Timestamp { clock.now() }
  func uptime() -> Duration { clock.uptime() }
  func offset(at time: Timestamp) -> Int64 { clock.offset(at: time) }

  func sleep(for duration: Duration) throws(Failure) {
    if clock.sleeps.count >= limit { throw Interruption.failure }
    try clock.sleep(for: duration)
  }
}

/// What may stand on a terminal: text, line ends, and the colors that hw itself sets. JSON may hold invisible characters.
enum TerminalText {
  static func problem(_ bytes: [UInt8], hidden: Bool = true) -> String? {
    if bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A }) { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x1B:
        guard let rest = ownSequence(scalars) else {
          return "an escape sequence \(String(scalars.prefix(10)).debugDescription)"
        }
        scalars = rest
      // '-0' ends rows with NUL, and tabs are what TSV is made of.
      case 0, 0x09, 0x0A, 0x0D: break
      case 0x2028, 0x2029: if hidden { return "a line separator" }
      case 0x7F where !hidden: break
      case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
        return "the control character U+\(String(scalar.value, radix: 16))"
      case 0x200B, 0x2060...0x2064, 0xFEFF, 0x180E:
        guard hidden else { break }
        return "the invisible character U+\(String(scalar.value, radix: 16))"
      default: break
      }
    }
    return nil
  }

  /// What follows a color or the clearing of a line.
  private static func ownSequence(_ scalars: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    guard scalars.first == "[" else { return nil }
    let rest = scalars.dropFirst().drop { "0123456789;?".unicodeScalars.contains($0) }
    guard let last = rest.first, "mK".unicodeScalars.contains(last) else { return nil }
    return rest.dropFirst()
  }
}
